#include "verne/base/error.h"

#include <algorithm>
#include <cctype>

#include "verne/base/text.h"

namespace verne {

namespace {

constexpr std::size_t kShownProblems = 20;

std::string join(const std::vector<Diagnostic>& problems) {
  std::string text;
  for (std::size_t i = 0; i < std::min(problems.size(), kShownProblems); ++i) {
    text += (i ? "\n" : "") + to_string(problems[i], "error");
  }
  if (problems.size() > kShownProblems) {
    text += "\nand " + std::to_string(problems.size() - kShownProblems) + " more errors";
  }
  return text;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Whether `part` stands in `name`; as a whole word if asked for, as tcp in panda_hand_tcp.
bool stands_in(const std::string& part, const std::string& name, bool whole) {
  for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    if (!whole || ((at == 0 || !is_letter(name[at - 1])) && (end == name.size() || !is_letter(name[end])))) return true;
  }
  return false;
}

/// The shortest candidate that holds the word, or else the longest that the word holds; as a whole word rather than
/// not.
std::string nearest_by_parts(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kShortestWord = 2, kShortestPart = 3;
  for (const bool whole : {true, false}) {
    std::string holds, held;
    for (const std::string& candidate : candidates) {
      const std::size_t size = std::min(word.size(), candidate.size());
      if (size < (whole ? kShortestWord : kShortestPart)) continue;
      if (stands_in(lowered(word), lowered(candidate), whole) && (holds.empty() || candidate.size() < holds.size())) {
        holds = candidate;
      }
      if (stands_in(lowered(candidate), lowered(word), whole) && candidate.size() > held.size()) held = candidate;
    }
    if (!holds.empty() || !held.empty()) return !holds.empty() ? holds : held;
  }
  return "";
}

}  // namespace

std::string to_string(const Diagnostic& problem, const char* severity) {
  std::string text;
  if (!problem.file.empty()) {
    text += problem.file + ":";
    if (problem.line > 0) text += std::to_string(problem.line) + ":";
    text += " ";
  }
  return escaped(text + severity + ": " + problem.text);
}

InputError::InputError(std::vector<Diagnostic> problems) : Error(join(problems)), problems_(std::move(problems)) {}

void Diagnostics::throw_if_errors() const {
  if (!errors_.empty()) throw InputError(errors_);
}

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  std::string near = nearest(word, candidates);
  if (near.empty()) near = nearest_by_parts(word, candidates);
  return near.empty() ? "" : " (did you mean '" + near + "'?)";
}

}  // namespace verne
