/// How fast a page is in Chromium: `verne bench --page`.
#pragma once

#include "model_option.h"

namespace verne::cli {

/// Shows how large the page of a folder or model is, how soon it shows its picture, how many it draws in a second, and
/// how long a film of it takes.
void bench_page(const ModelOption& what, bool json);

}  // namespace verne::cli
