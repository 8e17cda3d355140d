#include "scene_option.h"

#include <fmt/core.h>

#include <array>

#include "input.h"
#include "io/convex_shapes.h"
#include "io/scene/bodies.h"
#include "output.h"
#include "table.h"
#include "verne/io/json_writer.h"

namespace verne::cli {

namespace {

/// Of all freedoms: infinite where there is no limit.
std::array<Eigen::VectorXd, 2> limits_of(const Model& model) {
  std::array<Eigen::VectorXd, 2> limits{Eigen::VectorXd::Constant(model.nv(), -kInfinity),
                                        Eigen::VectorXd::Constant(model.nv(), kInfinity)};
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv && k < static_cast<int>(joint.spec.dofs.size()); ++k) {
      const DofSpec& dof = joint.spec.dofs[static_cast<std::size_t>(k)];
      limits[0][joint.v + k] = dof.lower, limits[1][joint.v + k] = dof.upper;
    }
  }
  return limits;
}

const char* text_of(LeftOut::Why why) {
  switch (why) {
    case LeftOut::Why::connected:
      return "a joint connects them";
    case LeftOut::Why::allowed:
      return "a file allows it";
    case LeftOut::Why::masked:
      return "their masks do not meet";
    case LeftOut::Why::always:
      return "they always touch";
    case LeftOut::Why::never:
      break;
  }
  return "they cannot touch within limits";
}

std::size_t shapes_of(const Collisions& collisions, bool links) {
  return static_cast<std::size_t>(
      std::ranges::count_if(collisions.bodies(), [&](const CollisionBody& body) { return (body.link >= 0) == links; }));
}

}  // namespace

Collisions collisions_of(const Model& model, const Srdf& srdf, const std::string& path,
                         const std::vector<std::string>& package_paths, std::vector<Diagnostic>& notes) {
  const Scene scene = path.empty() ? Scene{} : read_scene(read_input(path), input_name(path));
  std::vector<CollisionBody> bodies;
  for (LinkShape& shape : link_shapes(model, package_paths, notes, scene.capsules)) {
    bodies.push_back({shape.link, "", std::move(shape.body), shape.X_LB});
    const auto masks = srdf.contacts.masks.find(model.links()[static_cast<std::size_t>(shape.link)].name);
    if (masks == srdf.contacts.masks.end() || shape.number >= masks->second.size()) continue;
    bodies.back().mask = {masks->second[shape.number][0], masks->second[shape.number][1]};
  }
  for (SceneBody& body : scene_bodies(scene, model, package_paths, notes)) {
    bodies.push_back({-1, std::move(body.object), std::move(body.body), body.X_WB, std::move(body.pieces)});
  }
  std::vector<std::string> links;
  for (const Link& link : model.links()) links.push_back(link.name);
  auto allowed = allowed_pairs(scene, links);
  allowed.insert(allowed.end(), srdf.contacts.allowed.begin(), srdf.contacts.allowed.end());
  Collisions collisions(model, std::move(bodies), scene.margin, allowed);
  const auto [lower, upper] = limits_of(model);
  collisions.leave_out_what_cannot_touch(lower, upper);
  return collisions;
}

Collisions load_scene(const std::string& path, const Model& model, const Srdf& srdf,
                      const std::vector<std::string>& package_paths) {
  std::vector<Diagnostic> notes;
  Collisions collisions = collisions_of(model, srdf, path, package_paths, notes);
  for (const LeftOut& pair : collisions.left_out()) {
    if (pair.why != LeftOut::Why::always) continue;
    notes.push_back({"", 0, "links '" + pair.a + "' and '" + pair.b + "' always touch: they are not kept apart"});
  }
  for (const Diagnostic& note : notes) complain(line_about(note, "note"));
  return collisions;
}

std::string collisions_text(const Collisions& collisions, const std::vector<Diagnostic>& notes) {
  std::string text = fmt::format("shapes    {} of links, {} of objects\npairs     {} looked at, {} left out\n",
                                 shapes_of(collisions, true), shapes_of(collisions, false), collisions.pairs(),
                                 collisions.left_out().size());
  for (const Diagnostic& note : notes) text += "note      " + note.text + "\n";
  Table table({{"left out", Table::Align::left}, {"and", Table::Align::left}, {"since", Table::Align::left}});
  for (const LeftOut::Why why : kReasonsToLeaveOut) {
    for (const LeftOut& pair : collisions.left_out()) {
      if (pair.why == why) table.add_row({pair.a, pair.b, text_of(why)});
    }
  }
  return collisions.left_out().empty() ? text : text + "\n" + table.text();
}

std::string collisions_json(const Collisions& collisions, const std::vector<Diagnostic>& notes) {
  JsonWriter json;
  json.begin_object();
  json.key("shapes_of_links").value(static_cast<int>(shapes_of(collisions, true)));
  json.key("shapes_of_objects").value(static_cast<int>(shapes_of(collisions, false)));
  json.key("pairs").value(static_cast<int>(collisions.pairs()));
  json.key("left_out").begin_object();
  for (const LeftOut::Why why : kReasonsToLeaveOut) {
    json.key(to_string(why)).begin_array();
    for (const LeftOut& pair : collisions.left_out()) {
      if (pair.why == why) json.begin_array().value(pair.a).value(pair.b).end_array();
    }
    json.end_array();
  }
  json.end_object().key("notes").begin_array();
  for (const Diagnostic& note : notes) json.value(note.text);
  return json.end_array().end_object().text() + "\n";
}

}  // namespace verne::cli
