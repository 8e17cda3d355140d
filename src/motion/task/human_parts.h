/// The links by which a model is known to be a person: those of models/human55.yaml.
#pragma once

#include <array>
#include <string>

#include "verne/model/model.h"

namespace verne {

inline constexpr std::array kHands{"hand_r", "hand_l"};

/// Indices of links; of pairs the right one is first.
struct HumanParts {
  /// Of a model that has them all.
  explicit HumanParts(const Model& model);

  int pelvis, trunk, head;
  std::array<int, 2> clavicles, upper_arms, forearms, hands, thighs, shanks, feet;
};

/// The first of these links that a model has not; empty: it is a person.
std::string missing_human_part(const Model& model);

/// The link that a link or frame is, or is fixed in.
const std::string& name_of_bearer(const Model& model, int site);

}  // namespace verne
