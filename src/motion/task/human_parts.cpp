#include "motion/task/human_parts.h"

#include <algorithm>

namespace verne {

HumanParts::HumanParts(const Model& model)
    : pelvis(model.link("pelvis")),
      trunk(model.link("spine4")),
      head(model.link("head")),
      clavicles{model.link("clavicle_r"), model.link("clavicle_l")},
      upper_arms{model.link("upperarm_r"), model.link("upperarm_l")},
      forearms{model.link("forearm_r"), model.link("forearm_l")},
      hands{model.link(kHands[0]), model.link(kHands[1])},
      thighs{model.link("thigh_r"), model.link("thigh_l")},
      shanks{model.link("shank_r"), model.link("shank_l")},
      feet{model.link("foot_r"), model.link("foot_l")} {}

std::string missing_human_part(const Model& model) {
  for (const char* const name :
       {"pelvis", "spine4", "head", "clavicle_r", "clavicle_l", "upperarm_r", "upperarm_l", "forearm_r", "forearm_l",
        kHands[0], kHands[1], "thigh_r", "thigh_l", "shank_r", "shank_l", "foot_r", "foot_l"}) {
    const auto is_it = [&](const auto& link) { return link.name == name; };
    if (std::none_of(model.links().begin(), model.links().end(), is_it)) return name;
  }
  return "";
}

const std::string& name_of_bearer(const Model& model, int site) {
  const auto links = static_cast<int>(model.links().size());
  return site < links ? model.links()[site].name : model.frames()[site - links].link;
}

}  // namespace verne
