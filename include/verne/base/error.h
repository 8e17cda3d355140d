/// Errors of the library, in the grades that docs/conventions.md explains.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "verne/base/export.h"

namespace verne {

/// Anything that the library throws, except std::invalid_argument for a caller's mistake.
class VERNE_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The environment failed: a full disk, a folder that cannot be written, a missing program.
class VERNE_API EnvironmentError : public Error {
 public:
  using Error::Error;
};

/// One thing that is wrong with an input, and where. Line 0 means that no line is known.
struct Diagnostic {
  std::string file;  ///< its name as the user wrote it; empty: not known
  int line = 0;      ///< counted from 1
  std::string text;  ///< what is wrong, and what to do
};

/// `file:line: severity: text`, leaving out what is not known: one line, safe to show (see escaped() in base/text.h).
VERNE_API std::string to_string(const Diagnostic& problem, const char* severity);

/// Untrusted input (a file, a state, the command line) is wrong. Holds every problem found; what() has one line each.
class VERNE_API InputError : public Error {
 public:
  /// With every problem that was found.
  explicit InputError(std::vector<Diagnostic> problems);
  /// With one problem that belongs to no file.
  explicit InputError(const std::string& text) : InputError(std::vector<Diagnostic>{{"", 0, text}}) {}
  /// The problems, in the order in which they were found.
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  std::vector<Diagnostic> problems_;
};

/// Gathers errors and warnings while an input is read, so that the user sees all of them at once.
class VERNE_API Diagnostics {
 public:
  /// Of the file that messages name, unless it is empty.
  explicit Diagnostics(std::string file = "") : file_(std::move(file)) {}

  /// Adds an error: the input cannot be used.
  void error(int line, std::string text) { errors_.push_back({file_, line, std::move(text)}); }
  /// Adds a warning: the input can be used, but may mean something else.
  void warning(int line, std::string text) { warnings_.push_back({file_, line, std::move(text)}); }

  /// What was gathered about another file that belongs to the input.
  void add(const Diagnostics& other) {
    errors_.insert(errors_.end(), other.errors_.begin(), other.errors_.end());
    warnings_.insert(warnings_.end(), other.warnings_.begin(), other.warnings_.end());
  }

  /// The file that messages name.
  const std::string& file() const { return file_; }
  /// Errors so far.
  const std::vector<Diagnostic>& errors() const { return errors_; }
  /// Warnings so far.
  const std::vector<Diagnostic>& warnings() const { return warnings_; }
  /// Throws InputError with all errors gathered so far, if there are any.
  void throw_if_errors() const;

 private:
  std::string file_;
  std::vector<Diagnostic> errors_;
  std::vector<Diagnostic> warnings_;
};

/// The candidate closest to `word` in edit distance, or "" when none is close enough to be a likely misspelling.
VERNE_API std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// ` (did you mean 'x'?)`, or "" when nothing is near.
VERNE_API std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace verne
