/// What takes long to make, kept in a folder of the user's own: compiled models, meshes.
#pragma once

#include <functional>
#include <string>

#include "verne/base/export.h"

namespace verne {

/// $XDG_CACHE_HOME/verne, or ~/.cache/verne.
VERNE_API std::string user_cache();

struct CacheEntry {
  std::string path;      ///< of a file that ends with a seal, which loaders of libraries pass over
  std::string contents;  ///< without it
};

/// An entry, made by `make(folder, path)` where it is missing or is not what was once made (cut off, changed, copied
/// from elsewhere), which its seal tells: in a new folder, from which it takes its place in one step, once it is on the
/// disk. Throws EnvironmentError where the cache cannot be written or belongs to somebody else.
VERNE_API CacheEntry cached(const std::string& cache, const std::string& entry,
                            const std::function<void(const std::string& folder, const std::string& path)>& make);

/// Writes a file of a work folder. Throws EnvironmentError.
VERNE_API void write_work_file(const std::string& path, const std::string& text);

/// Sixteen hexadecimal digits a part, of which two are enough to tell all texts apart.
VERNE_API std::string fingerprint(const std::string& text);

}  // namespace verne
