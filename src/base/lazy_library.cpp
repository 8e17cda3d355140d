// What the stubs of cmake/lazy_library.sh ask for where to jump. It is compiled into each library that has stubs, so
// that the loader looks where that library's own folder is to be looked at ($ORIGIN); programs of several archives keep
// one.
#include <dlfcn.h>

#include <string>

#include "verne/base/error.h"

extern "C" __attribute__((weak, visibility("hidden"))) void* verne_find_lazily(const char* library,
                                                                               const char* function) {
  void* loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL);  // counts: loads it once
  void* found = loaded ? dlsym(loaded, function) : nullptr;
  if (found) return found;
  const char* why = dlerror();
  throw verne::EnvironmentError(std::string("a library that is needed here cannot be loaded: ") +
                                (why ? why : library));
}
