/// The parts of a link of a Verne YAML model: its joint, its place, its mass and its looks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/yaml/map.h"
#include "io/yaml/transmission.h"
#include "verne/model/spec.h"

namespace verne {

/// How the place of a joint is written down.
enum class Convention { dh, mdh, screw, tree };

const char* to_string(Convention convention);
std::optional<Convention> convention_from(const std::string& word);

/// `joint: {...}` of a link, except what the convention says about its axis. A base, which gives no `transmission` to
/// fill in, has none.
JointSpec read_joint(const YamlNode& node, const YamlReader& reader, Convention convention,
                     const std::string& default_name, std::optional<Transmission>* transmission = nullptr);

/// Sets X_PJ and X_JL, and for screws the axis and pitch of the joint, from the keys of the convention. Screws are
/// given in the base frame, and so is X_PJ then: see relate_to_parents(). Keys of other conventions are reported.
void read_placement(const YamlMap& link_map, Convention convention, LinkSpec& link);

/// Turns X_PJ, which holds poses in the base frame, into poses in the parent's link frame (screw convention).
/// All link frames at home follow from X_PJ X_JL; the base's is the identity.
void relate_to_parents(std::vector<LinkSpec>& links);

/// Keys loops, home and independent of the file.
void read_loops(const YamlMap& top, ModelSpec& spec);

/// `mdh: {...}` as one transform.
Transform<double> read_mdh(const YamlNode& node, const YamlReader& reader);

/// Keys mass, com, inertia, about.
VERNE_API void read_inertial(const YamlMap& map, LinkSpec& link);

/// `{pose: …, box: {size: …}}` and the like.
VERNE_API VisualSpec read_shape(const YamlNode& node, const YamlReader& reader);
/// Key visuals.
std::vector<VisualSpec> read_visuals(const YamlMap& map);

}  // namespace verne
