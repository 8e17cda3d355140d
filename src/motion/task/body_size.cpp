#include "motion/task/body_size.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "io/number.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"

namespace verne {

namespace {

/// A segment's length in the table, its part of the body's mass, where its centre of mass lies between its ends, from
/// the joint that carries it, and its radii of gyration about the axes forward, along it and sideways, as parts of its
/// length.
struct Proportions {
  double length, mass, centre, forward, along, sideways;
};
/// Segments and what their links' names begin with.
struct Segment {
  const char* name;
  Proportions male, female;
};

/// [L96], table 4, of men of 1.741 m and women of 1.735 m: the head from vertex to cervicale, the trunk from there by
/// xiphion and omphalion to the middle of the hips, the hand to the third knuckle, others from joint to joint.
/// Centres of mass are told for segments that are one link from joint to joint; those of others stay where they are.
constexpr std::array kSegments{
    Segment{
        "pelvis", {0.1457, 0.1117, 1 - 0.6115, 0.615, 0.587, 0.551}, {0.1815, 0.1247, 1 - 0.4920, 0.433, 0.444, 0.402}},
    Segment{
        "spine1", {0.2155, 0.1633, 1, 0.482, 0.468, 0.383}, {0.2053, 0.1465, 1, 0.433, 0.415, 0.354}},  // middle trunk
    Segment{"spine2", {0.2155, 0.1633, 1, 0.482, 0.468, 0.383}, {0.2053, 0.1465, 1, 0.433, 0.415, 0.354}},
    Segment{
        "spine3", {0.2421, 0.1596, 1, 0.505, 0.465, 0.320}, {0.2280, 0.1545, 1, 0.466, 0.449, 0.314}},  // upper trunk
    Segment{"spine4", {0.2421, 0.1596, 1, 0.505, 0.465, 0.320}, {0.2280, 0.1545, 1, 0.466, 0.449, 0.314}},
    Segment{"neck", {0.2429, 0.0694, 1, 0.303, 0.261, 0.315}, {0.2437, 0.0668, 1, 0.271, 0.261, 0.295}},
    Segment{"head", {0.2429, 0.0694, 1, 0.303, 0.261, 0.315}, {0.2437, 0.0668, 1, 0.271, 0.261, 0.295}},
    Segment{"upperarm", {0.2817, 0.0271, 0.5772, 0.285, 0.158, 0.269}, {0.2751, 0.0255, 0.5754, 0.278, 0.148, 0.260}},
    Segment{"forearm", {0.2689, 0.0162, 0.4574, 0.276, 0.121, 0.265}, {0.2643, 0.0138, 0.4559, 0.261, 0.094, 0.257}},
    Segment{"hand", {0.0862, 0.0061, 0.7900, 0.628, 0.401, 0.513}, {0.0780, 0.0056, 0.7474, 0.531, 0.335, 0.454}},
    Segment{"thigh", {0.4222, 0.1416, 0.4095, 0.329, 0.149, 0.329}, {0.3685, 0.1478, 0.3612, 0.369, 0.162, 0.364}},
    Segment{"shank", {0.4403, 0.0433, 0.4395, 0.251, 0.102, 0.246}, {0.4386, 0.0481, 0.4352, 0.267, 0.092, 0.263}},
    Segment{"foot", {0.2581, 0.0137, 1, 0.257, 0.124, 0.245}, {0.2283, 0.0129, 1, 0.299, 0.139, 0.279}},
    Segment{"toes", {0.2581, 0.0137, 1, 0.257, 0.124, 0.245}, {0.2283, 0.0129, 1, 0.299, 0.139, 0.279}},
};
constexpr double kManStature = 1.741, kWomanStature = 1.735;
constexpr double kMostStature = 3, kMostMass = 700;  // m and kg: nobody is so tall, or so heavy

/// Thigh and shank from joint to joint as parts of the stature. Models are made with the proportions of men.
constexpr double kLegOfStature = (0.4222 + 0.4403) / kManStature;

const Segment* segment_of(const std::string& link) {
  const std::string name = link.substr(0, link.find('_'));
  const auto found = std::find_if(kSegments.begin(), kSegments.end(), [&](const Segment& s) { return s.name == name; });
  return found == kSegments.end() ? nullptr : &*found;
}

/// Which links are no part of the body: those with a mass that no segment has the name of, what they carry, and links
/// without a mass that lead to nothing else.
std::vector<char> added_links(const ModelSpec& spec) {
  std::map<std::string, std::size_t> index;
  for (std::size_t k = 0; k < spec.links.size(); ++k) index[spec.links[k].name] = k;
  std::vector<char> added(spec.links.size(), 0), leads_to_body(added), leads_to_added(added);
  for (std::size_t k = 0; k < spec.links.size(); ++k) {
    if (!(spec.links[k].mass > 0)) continue;
    const bool own = segment_of(spec.links[k].name) != nullptr;
    added[k] = !own;
    for (auto up = index.find(spec.links[k].parent); up != index.end();
         up = index.find(spec.links[up->second].parent)) {
      (own ? leads_to_body : leads_to_added)[up->second] = 1;
    }
  }
  for (std::size_t k = 0; k < spec.links.size(); ++k) {
    const LinkSpec& link = spec.links[k];
    if (link.mass == 0 && leads_to_added[k] && !leads_to_body[k]) added[k] = 1;
    for (auto up = index.find(link.parent); up != index.end(); up = index.find(spec.links[up->second].parent)) {
      if (added[up->second] && spec.links[up->second].mass > 0) added[k] = 1;
    }
  }
  return added;
}

/// How far the joint that carries a link is from the one that carries the segment before it.
std::optional<double> distance_to(const ModelSpec& spec, const std::string& child, const std::string& parent) {
  Vec3<double> way{0, 0, 0};
  for (std::string at = child; at != parent;) {
    const auto link =
        std::find_if(spec.links.begin(), spec.links.end(), [&](const LinkSpec& l) { return l.name == at; });
    if (link == spec.links.end() || link->parent.empty()) return std::nullopt;
    way = way + link->X_PJ.p + link->X_JL.p;  // at zero, segments of a human are not turned
    at = link->parent;
  }
  return std::sqrt(dot(way, way));
}

/// By which parts of a link are multiplied.
struct Factors {
  double across = 1, along = 1;  ///< lengths; along is y, in which segments lie but for feet
  double mass = 1, centre = 1;
  Vec3<double> gyration{1, 1, 1};

  Vec3<double> place(const Vec3<double>& p) const { return {across * p.x, along * p.y, across * p.z}; }
};

/// Of a link, or of none: widths follow the stature, lengths the tables, and feet, whose length is not y, are as much
/// narrower and lower as they are shorter.
Factors factors_of(const std::string& link, const BodySize& size, double length) {
  Factors factors;
  factors.across = factors.along = length;
  const Segment* const segment = segment_of(link);
  if (!segment || !size.female) return factors;
  const Proportions &male = segment->male, &female = segment->female;
  factors.along *= (female.length / kWomanStature) / (male.length / kManStature);
  const std::string name = segment->name;
  if (name == "foot" || name == "toes") factors.across = factors.along;
  factors.mass = female.mass / male.mass;
  factors.centre = female.centre / male.centre;
  factors.gyration = {female.forward / male.forward, female.along / male.along, female.sideways / male.sideways};
  return factors;
}

void scale_mass(LinkSpec& link, const Factors& by) {
  const double inertia = by.mass * by.along * by.along;  // radii of gyration are parts of the length
  const Vec3<double>& g = by.gyration;
  link.mass *= by.mass;
  link.com = by.place(link.com) * by.centre;
  link.inertia.xx *= inertia * g.x * g.x, link.inertia.yy *= inertia * g.y * g.y,
      link.inertia.zz *= inertia * g.z * g.z;
  link.inertia.xy *= inertia * g.x * g.y, link.inertia.xz *= inertia * g.x * g.z,
      link.inertia.yz *= inertia * g.y * g.z;
}

void scale_joint(JointSpec& joint, double length, double strength) {
  joint.pitch *= length;
  for (std::size_t k = 0; k < joint.dofs.size(); ++k) {
    DofSpec& dof = joint.dofs[k];
    if (is_linear(joint.type, static_cast<int>(k))) {
      dof.lower *= length, dof.upper *= length;
      dof.slack_lower *= length, dof.slack_upper *= length;
    } else {
      dof.effort_lower *= strength, dof.effort_upper *= strength;
      dof.ligament *= strength;
    }
  }
}

void scale_visual(VisualSpec& visual, const Factors& by) {
  using Shape = VisualSpec::Shape;
  visual.X_LV.p = by.place(visual.X_LV.p);
  if (visual.shape == Shape::capsule || visual.shape == Shape::cylinder) {
    visual.size = {by.across * visual.size.x, by.along * visual.size.y, 0};  // radius, length
  } else {
    visual.size = visual.shape == Shape::sphere ? visual.size * by.across : by.place(visual.size);
  }
}

}  // namespace

std::optional<double> stature_of(const Model& model) {
  const ModelSpec& spec = model.spec();
  const bool whole = std::all_of(kSegments.begin(), kSegments.end(), [&](const Segment& segment) {
    return std::any_of(spec.links.begin(), spec.links.end(),
                       [&](const LinkSpec& link) { return link.mass > 0 && segment_of(link.name) == &segment; });
  });
  if (!whole) return std::nullopt;
  const std::optional<double> thigh = distance_to(spec, "shank_r", "thigh_r");
  const std::optional<double> shank = distance_to(spec, "foot_r", "shank_r");
  if (!thigh || !shank || !(*thigh + *shank > 0) || !(model.moving_mass() > 0)) return std::nullopt;
  return (*thigh + *shank) / kLegOfStature;
}

ModelSpec scaled_body(const Model& model, const BodySize& size) {
  ModelSpec spec = model.spec();
  const double stature = *stature_of(model), length = size.stature.value_or(stature) / stature;
  const std::vector<char> added = added_links(spec);
  std::map<std::string, Factors> factors{{"", factors_of("", size, length)}};  // of links and the world
  double body = 0, sum = 0;  // of the parts of the mass, which rounded tables do not make one
  for (std::size_t k = 0; k < spec.links.size(); ++k) {
    if (added[k]) continue;
    const LinkSpec& link = spec.links[k];
    const Factors& by = factors[link.name] = factors_of(link.name, size, length);
    body += link.mass, sum += link.mass * by.mass;
  }
  const double mass = size.mass.value_or(body);
  const auto place = [&](const std::string& link, const Vec3<double>& p) {
    const auto by = factors.find(link);
    return by == factors.end() ? p : by->second.place(p);
  };
  for (std::size_t k = 0; k < spec.links.size(); ++k) {
    LinkSpec& link = spec.links[k];
    link.X_PJ.p = place(link.parent, link.X_PJ.p);
    if (added[k]) continue;
    Factors by = factors[link.name];
    by.mass *= mass / sum;
    link.X_JL.p = by.place(link.X_JL.p);
    for (VisualSpec& visual : link.visuals) scale_visual(visual, by);
    for (VisualSpec& shape : link.collisions) scale_visual(shape, by);
    scale_joint(link.joint, length, length * mass / body);
    scale_mass(link, by);
  }
  for (FrameSpec& frame : spec.frames) frame.X_LF.p = place(frame.link, frame.X_LF.p);
  for (ContactSpec& contact : spec.contacts) contact.point = place(contact.link, contact.point);
  return spec;
}

namespace {

/// `{female: 1}`, or 0: a number, as parameters are.
bool read_female(const YamlNode& sex, const YamlReader& reader) {
  const YamlMap map(sex, reader, female_schema().names());
  const YamlNode* node = map.require("female");
  const auto female = node ? map.reader("female").number(*node) : std::nullopt;
  if (female && *female != 0 && *female != 1) map.reader("female").expected("0 or 1", *node, *female);
  return female.value_or(0) == 1;
}

}  // namespace

std::optional<ModelSpec> read_scaled_body(const YamlMap& map, const Model& model) {
  const auto positive = [&](const char* key, const char* unit, double most) -> std::optional<double> {
    const YamlNode* node = map.find(key);
    const auto value = node ? map.reader(key).number(*node, false, unit) : std::nullopt;
    if (value && !(*value > 0)) {
      map.reader(key).expected("a positive number", *node, *value);
    } else if (value && *value > most) {
      map.reader(key).expected("at most " + format_number(most) + " " + unit + ", more than any person", *node, *value);
    }
    return value && *value > 0 ? value : std::nullopt;
  };
  BodySize size{positive("stature", "m", kMostStature), positive("mass", "kg", kMostMass)};
  if (const YamlNode* sex = map.find("sex")) {
    if (!sex->is_map() && !is_word(*sex, "male") && !is_word(*sex, "female")) {
      map.reader("sex").expected("male or female", *sex);
    }
    size.female = is_word(*sex, "female") || (sex->is_map() && read_female(*sex, map.reader("sex")));
  }
  if (!map.find("stature") && !map.find("mass") && !map.find("sex")) return std::nullopt;
  if (!stature_of(model)) {
    map.reader().error(map.line(), "only models of humans can be scaled, whose links are called as those of human55");
    return std::nullopt;
  }
  return scaled_body(model, size);
}

}  // namespace verne
