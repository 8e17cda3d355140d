#include "verne/model/plausibility.h"

#include <array>

#include "model/names_text.h"

namespace verne {

namespace {

struct Words {
  const char* kind;
  const char* meaning;
  const char* subject;
};

/// In the order of PlausibilityKind.
constexpr std::array kWords{
    Words{"negative_moment", "inertia with a negative principal moment", "link"},
    Words{"triangle_inequality", "inertia beyond the triangle inequality, as no mass distribution has it", "link"},
    Words{"inertia_without_mass", "inertia without mass", "link"},
    Words{"nothing_to_move", "moves but carries no inertia, so that forward dynamics is impossible", "joint"},
    Words{"empty_limits", "limits that nothing can meet", "joint"},
    Words{"negative_friction", "friction below zero, which drives", "joint"},
};

const Words& words_of(PlausibilityKind kind) {
  return kWords.at(static_cast<std::size_t>(kind));
}

}  // namespace

const char* to_string(PlausibilityKind kind) {
  return words_of(kind).kind;
}

std::vector<std::string> grouped(std::span<const PlausibilityWarning> plausibility_warnings, std::size_t names) {
  std::vector<std::string> lines;
  for (std::size_t kind = 0; kind < kWords.size(); ++kind) {
    std::vector<std::string> found;
    for (const PlausibilityWarning& warning : plausibility_warnings) {
      const bool counts = warning.kind == static_cast<PlausibilityKind>(kind);
      if (counts && (found.empty() || found.back() != warning.name)) found.push_back(warning.name);
    }
    if (!found.empty()) lines.push_back(group_text(kWords[kind].meaning, kWords[kind].subject, found, names));
  }
  return lines;
}

void require_none(std::span<const PlausibilityWarning> plausibility_warnings) {
  std::vector<Diagnostic> problems;
  for (const PlausibilityWarning& warning : plausibility_warnings) problems.push_back(warning.problem);
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace verne
