/// Contacts that are held: loops to the world.
#include <algorithm>

#include "io/number.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"
#include "motion/terms/at_zero.h"
#include "structures/contacts.h"

namespace verne {

namespace {

constexpr double kMostFriction = 100, kLeastForce = 0.01;  // of the weight

/// Across the ground, of length one.
Vec3<double> read_normal(const YamlMap& map, const Model& model) {
  const Vec3<double> g = model.gravity();
  const Vec3<double> normal = map.find("normal") ? map.vector("normal", {0, 0, 1}, "") : g * -1.0;
  const double size = std::sqrt(dot(normal, normal));
  if (size > 0) return normal * (1 / size);
  map.reader("normal").error(
      map.line(), map.find("normal") ? "expected a direction, found zero" : "is needed where there is no gravity");
  return {0, 0, 1};
}

/// What the ground can give. Without any of these keys it holds the contact by whatever force.
void read_ground_of(const YamlMap& map, const Model& model, HeldContactSpec& held) {
  if (!map.find("friction") && !map.find("least_force") && !map.find("hull")) return;
  held.normal = read_normal(map, model);
  held.least_force = nonnegative_number(map, "least_force", kLeastForce, 1);
  if (map.find("friction")) held.friction = positive_number(map, "friction", 1, kMostFriction);
  const YamlNode* node = map.find("hull");
  if (!node) return;
  const YamlReader reader = map.reader("hull");
  const std::size_t errors_before = reader.diagnostics().errors().size();
  held.hull = read_hull(*node, reader, model, *held.normal);
  if (held.hull.size() < 2 && reader.diagnostics().errors().size() == errors_before) {
    reader.error(node->line, "expected two contacts or more");
  }
}

}  // namespace

Model with_contacts(const YamlMap& map, const Model& model, std::vector<HeldContactSpec>& held) {
  held.clear();
  const auto& items = map.items("contacts");
  if (items.empty()) return model;
  const YamlReader reader = map.reader("contacts");
  const Diagnostics& diagnostics = reader.diagnostics();
  const std::size_t errors_before = diagnostics.errors().size();
  std::vector<int> indices;
  std::vector<std::optional<Transform<double>>> places;
  for (const YamlNode& item : items) {
    const YamlNode just_a_name{YamlNode::Kind::map, item.line, "", {}, {{"contact", item.line, item}}};
    const YamlMap entry(item.is_map() ? item : just_a_name, reader, held_contact_schema().names());
    const YamlNode* node = entry.require("contact");
    const auto name = node ? entry.reader("contact").word(*node) : std::nullopt;
    if (!name || !find_contact(*name, item.line, reader, model)) continue;
    const auto& all = model.contacts();
    const auto known = std::find_if(all.begin(), all.end(), [&](const ContactSpec& c) { return c.name == *name; });
    indices.push_back(static_cast<int>(known - all.begin()));
    if (std::count(indices.begin(), indices.end(), indices.back()) > 1) {
      reader.error(item.line, in_quotes(*name) + " is held already");
    }
    places.push_back(entry.find("pose") ? std::optional(entry.pose("pose")) : std::nullopt);
    held.push_back({*name});
    read_ground_of(entry, model, held.back());
  }
  if (diagnostics.errors().size() > errors_before) return model;
  const int line = map.find("contacts")->line;
  try {
    ModelSpec spec = with_held_contacts(model, indices, Mechanism(model).home().eigen());
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (places[k]) spec.loops[model.loops().size() + k].b.X_LF = *places[k];
    }
    const Model closed = build_model(std::move(spec));
    if (Mechanism(closed).mobility() > 0) return closed;
    reader.error(line, "leave nothing that can move");
  } catch (const InputError& error) {
    reader.error(line, error.problems()[0].text);
  }
  return model;
}

}  // namespace verne
