#include "verne/model/doubt.h"

#include <array>

#include "model/names_text.h"

namespace verne {

namespace {

struct Words {
  const char* kind;
  const char* meaning;
  const char* subject;
};

/// In the order of DoubtKind.
constexpr std::array kWords{
    Words{"negative_moment", "inertia with a negative principal moment", "link"},
    Words{"triangle_inequality", "inertia beyond the triangle inequality, as no mass distribution has it", "link"},
    Words{"inertia_without_mass", "inertia without mass", "link"},
    Words{"nothing_to_move", "moves but carries no inertia, so that forward dynamics is impossible", "joint"},
    Words{"empty_limits", "limits that nothing can meet", "joint"},
    Words{"negative_friction", "friction below zero, which drives", "joint"},
};

const Words& words_of(DoubtKind kind) {
  return kWords.at(static_cast<std::size_t>(kind));
}

}  // namespace

const char* to_string(DoubtKind kind) {
  return words_of(kind).kind;
}

std::vector<std::string> grouped(std::span<const Doubt> doubts, std::size_t names) {
  std::vector<std::string> lines;
  for (std::size_t kind = 0; kind < kWords.size(); ++kind) {
    std::vector<std::string> found;
    for (const Doubt& doubt : doubts) {
      const bool counts = doubt.kind == static_cast<DoubtKind>(kind);
      if (counts && (found.empty() || found.back() != doubt.name)) found.push_back(doubt.name);
    }
    if (!found.empty()) lines.push_back(group_text(kWords[kind].meaning, kWords[kind].subject, found, names));
  }
  return lines;
}

void require_none(std::span<const Doubt> doubts) {
  std::vector<Problem> problems;
  for (const Doubt& doubt : doubts) problems.push_back(doubt.problem);
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace verne
