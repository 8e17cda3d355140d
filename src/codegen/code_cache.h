/// What was compiled once, in a folder of the user's own.
#pragma once

#include <functional>
#include <string>

namespace verne::codegen {

/// $XDG_CACHE_HOME/verne, or ~/.cache/verne.
std::string user_cache();

/// The path of an entry, made by `make(folder, path)` where it is missing: in a new folder, from which it takes its
/// place in one step. Throws EnvironmentError where the cache cannot be written or belongs to somebody else.
std::string cached(const std::string& cache, const std::string& entry,
                   const std::function<void(const std::string& folder, const std::string& path)>& make);

/// Sixteen hexadecimal digits a part, of which two are enough to tell all texts apart.
std::string fingerprint(const std::string& text);

}  // namespace verne::codegen
