#include "motion/task/task_shapes.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/convex_shapes.h"
#include "io/number.h"
#include "motion/task/carried_shapes.h"
#include "structures/collision_shapes.h"

namespace verne {

namespace {

std::string millimetres(double metres) {
  return format_number(std::round(metres * 1e5) / 100) + " mm";
}

/// What is wrong at a posture; empty: nothing.
std::string problem_at(Collisions& collisions, const Eigen::VectorXd& q) {
  const auto touch = collisions.deepest(q);
  if (!touch) return "";
  const std::string pair = in_quotes(touch->a) + " and " + in_quotes(touch->b);
  if (touch->distance > 0) {
    return pair + " are " + millimetres(touch->distance) + " apart, less than the margin of " +
           millimetres(collisions.margin());
  }
  return pair + " overlap by " + millimetres(-touch->distance);
}

/// The posture of a state that is given completely.
std::optional<Eigen::VectorXd> posture_of(const Task& task, const StateSpec& state) {
  Eigen::VectorXd q(task.model.nv());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::optional<double> held = task.held.empty() ? std::nullopt : task.held[k];
    if (!held && (state.position.empty() || !state.position[k].fixed())) return std::nullopt;
    q[i] = held.value_or(state.position.empty() ? 0 : state.position[k].lower);
  }
  return q;
}

void check_ends(const YamlMap& top, const Task& task, Collisions& collisions) {
  if (task.model.nq() != task.model.nv()) return;
  for (const auto& [key, state] : {std::pair("start", &task.start), std::pair("end", &task.end)}) {
    collisions.enter(state == &task.start ? 0 : std::max(0, static_cast<int>(task.phases.size()) - 1));
    const auto q = posture_of(task, *state);
    const std::string problem = q ? problem_at(collisions, *q) : "";
    if (!problem.empty()) top.reader("subject_to").inside(key).error(state->line ? state->line : top.line(), problem);
  }
}

}  // namespace

std::optional<Scene> read_task_scene(const YamlMap& top, const std::string& folder, const TaskFiles* files,
                                     std::vector<Diagnostic>& problems) {
  const YamlNode* const node = top.find("scene");
  if (!node) return std::nullopt;
  const YamlReader reader = top.reader("scene");
  if (node->is_map()) return read_scene(*node, reader);
  const auto written = reader.word(*node);
  if (!written || !files) return std::nullopt;
  const std::string path = (std::filesystem::path(folder) / *written).lexically_normal().string();
  try {
    return read_scene(files->read(path), path);
  } catch (const InputError& error) {
    reader.error(node->line, in_quotes(*written) + " cannot be used");
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
  return std::nullopt;
}

std::shared_ptr<const CollisionShapes> task_shapes(const YamlMap& top, const Task& task,
                                                   const std::optional<Scene>& scene, AllowedPairs allowed,
                                                   const std::vector<CarriedObject>& carried,
                                                   std::vector<Diagnostic>& problems) {
  const bool itself = top.flag("self_collision", scene.has_value() && !task.ground);
  if (!scene && !itself) return nullptr;
  std::vector<Diagnostic> notes;
  std::vector<CollisionBody> bodies;
  const double margin = scene ? scene->margin : 0;
  try {
    for (LinkShape& shape : link_shapes(task.model, {}, notes)) {
      bodies.push_back({shape.link, "", std::move(shape.body), shape.X_LB});
    }
  } catch (const InputError& error) {
    top.reader().error(top.line(), "shapes of links cannot be used");
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    return nullptr;
  }
  if (scene) {
    for (const SceneShape& shape : scene->shapes) {
      bodies.push_back({-1, shape.object, convex_body(shape.shape), shape.shape.X_LV});
    }
  }
  std::vector<std::string> of_carried = add_carried(carried, task, margin, bodies, allowed);
  auto shapes = std::make_shared<CollisionShapes>(
      CollisionShapes{Collisions(task.model, std::move(bodies), margin, allowed, itself), std::move(of_carried)});
  if (shapes->collisions.pairs() == 0) return nullptr;
  for (const Diagnostic& note : notes) shapes->notes.push_back(note.text);
  for (const auto& [a, b] : shapes->collisions.touching_always()) {
    shapes->notes.push_back("links " + in_quotes(a) + " and " + in_quotes(b) + " always touch: not kept apart");
  }
  check_ends(top, task, shapes->collisions);
  return shapes;
}

}  // namespace verne
