/// What a page is asked to do in a browser without a window, and what it sends back.
#pragma once

#include <functional>
#include <string>

#include "view_server.h"

namespace verne::cli {

/// A page, and what it may ask of the program.
struct ServedPage {
  std::string html;
  ViewServer::Answers answers{};
};

struct ErrandResult {
  std::string report;  ///< JSON
  std::string file;    ///< bytes; "" where none was asked for
};

/// Called now and then with how much is done, of how much.
using ErrandProgress = std::function<void(int done, int of)>;

/// Throws EnvironmentError, which names the package, where Chromium is not installed.
void require_browser();

/// Serves the page on 127.0.0.1, opens it in Chromium with `wishes` in its address (web/src/film/errand.ts) and waits
/// for what it sends. Throws EnvironmentError where Chromium or the page fails, Interrupted on Ctrl-C.
ErrandResult run_errand(ServedPage page, const std::string& wishes, const ErrandProgress& progress);

}  // namespace verne::cli
