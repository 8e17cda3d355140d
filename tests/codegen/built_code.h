/// Generated sources, compiled by the system's compiler into a library of this process.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "verne/codegen/generate.h"

namespace verne::test {

inline bool has_command(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

/// A folder that goes away with the object.
class SourceFolder {
 public:
  SourceFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "verne_code_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~SourceFolder() { std::filesystem::remove_all(path_); }
  SourceFolder(const SourceFolder&) = delete;
  SourceFolder& operator=(const SourceFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  void write(const GeneratedCode& code) const {
    for (const GeneratedFile& file : code.files) std::ofstream(path_ / file.name) << file.text;
  }
  /// Runs a command in the folder: what it printed, "" when it said nothing and did well.
  std::string run(const std::string& command) const {
    const int status = std::system(("cd " + path_.string() + " && (" + command + ") >log 2>&1").c_str());
    std::stringstream log;
    log << std::ifstream(path_ / "log").rdbuf();
    return log.str() + (status == 0 ? "" : "exit status " + std::to_string(status));
  }

 private:
  std::filesystem::path path_;
};

/// Of pointers alone, as all generated functions are but for a number of states.
class BuiltCode {
 public:
  BuiltCode(const GeneratedCode& code, const std::string& compiler) {
    folder_.write(code);
    const std::string source = code.files[code.files.size() > 1 ? 1 : 0].name;
    log_ = folder_.run(compiler + " -shared -fPIC -o code.so " + source + " -lm");
    library_ = dlopen((folder_ / "code.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  ~BuiltCode() {
    if (library_) dlclose(library_);
  }
  BuiltCode(const BuiltCode&) = delete;
  BuiltCode& operator=(const BuiltCode&) = delete;

  const std::string& log() const { return log_; }

  void call(const std::string& name, const std::vector<void*>& p) const {
    void* const f = dlsym(library_, name.c_str());
    ASSERT_NE(f, nullptr) << name;
    using P = void*;
    switch (p.size()) {
      case 2:
        return reinterpret_cast<void (*)(P, P)>(f)(p[0], p[1]);
      case 3:
        return reinterpret_cast<void (*)(P, P, P)>(f)(p[0], p[1], p[2]);
      case 4:
        return reinterpret_cast<void (*)(P, P, P, P)>(f)(p[0], p[1], p[2], p[3]);
      case 5:
        return reinterpret_cast<void (*)(P, P, P, P, P)>(f)(p[0], p[1], p[2], p[3], p[4]);
      case 6:
        return reinterpret_cast<void (*)(P, P, P, P, P, P)>(f)(p[0], p[1], p[2], p[3], p[4], p[5]);
      case 7:
        return reinterpret_cast<void (*)(P, P, P, P, P, P, P)>(f)(p[0], p[1], p[2], p[3], p[4], p[5], p[6]);
      case 8:
        return reinterpret_cast<void (*)(P, P, P, P, P, P, P, P)>(f)(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]);
      default:
        FAIL() << p.size() << " arguments";
    }
  }

 private:
  SourceFolder folder_;
  std::string log_;
  void* library_ = nullptr;
};

}  // namespace verne::test
