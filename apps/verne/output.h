/// Where results go: standard output, or a file that appears whole or not at all; and what is said beside them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "verne/base/error.h"
#include "verne/io/file.h"

namespace verne::cli {

/// Nobody reads an output of data any more (`verne eval ... | head`): a reason to stop, not an error.
struct ClosedPipe {};

class Output {
 public:
  /// "-" is standard output. A regular file is written under a temporary name until finish().
  explicit Output(const std::string& path);

  void write(std::string_view text);
  void finish();

 private:
  std::string path_;
  std::optional<NewFile> file_;
  int descriptor_;
};

/// Colours of lines for people: `automatic` on terminals, unless NO_COLOR is set (no-color.org) or TERM is dumb.
enum class Colours { automatic, always, never };
void use_colours(Colours colours);

/// What a word says: it is green, yellow or red where there are colours.
enum class Tone { plain, good, fair, bad };

/// Writes to standard output: data, byte by byte as it is. Once it fails, or nobody reads, this does nothing: the rest
/// of the work and its files are as ever.
void print(std::string_view text);
/// Why standard output could not be written, if so; that nobody reads it is no reason.
const std::string& output_failure();
/// Writes to standard output: lines for people, in which names that would steer the terminal are made visible, and
/// which are broken between words where the terminal is too narrow for them.
void show(std::string_view lines, Tone tone = Tone::plain);
/// Writes lines for people to standard error, and an end of line. That nobody can read them is no reason to fail.
/// The word `error:` of a line is red, `warning:` yellow.
void complain(std::string_view lines);
/// A line about a file for people: where the path is absolute, it is said in full once; from then on its name tells
/// enough.
std::string line_about(Diagnostic problem, const char* severity);
/// One line of standard error that the next one replaces, cut to the width of the terminal; "" takes it away.
void show_progress(std::string_view line);

}  // namespace verne::cli
