#include "motion/task/task_shapes.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/convex_shapes.h"
#include "io/number.h"
#include "io/scene/bodies.h"
#include "motion/task/carried_shapes.h"
#include "motion/task/human_parts.h"
#include "motion/terms/at_zero.h"
#include "structures/collision_shapes.h"

namespace verne {

namespace {

constexpr std::size_t kPairsNamed = 8;  // pairs of a scene; more are counted
constexpr double kHugeReach = 20;       // m

std::string millimetres(double metres) {
  return format_number(std::round(metres * 1e5) / 100) + " mm";
}

std::vector<std::string> link_names(const Model& model) {
  std::vector<std::string> names;
  for (const Link& link : model.links()) names.push_back(link.name);
  return names;
}

std::vector<CollisionBody> bodies_of(const Model& model, const std::optional<Scene>& scene, const ContactRules& rules,
                                     std::vector<Diagnostic>& notes) {
  std::vector<CollisionBody> bodies;
  for (LinkShape& shape : link_shapes(model, {}, notes, scene && scene->capsules)) {
    bodies.push_back({shape.link, "", std::move(shape.body), shape.X_LB});
    const auto masks = rules.masks.find(model.links()[static_cast<std::size_t>(shape.link)].name);
    if (masks == rules.masks.end() || shape.number >= masks->second.size()) continue;
    bodies.back().mask = {masks->second[shape.number][0], masks->second[shape.number][1]};
  }
  if (!scene) return bodies;
  for (SceneBody& body : scene_bodies(*scene, model, {}, notes)) {
    bodies.push_back({-1, std::move(body.object), std::move(body.body), body.X_WB, std::move(body.pieces)});
  }
  return bodies;
}

/// What may be wrong with a thing that is larger than a cell; empty: nothing.
std::string size_doubt(const Collisions& collisions, const Touch& touch) {
  for (const CollisionBody& body : collisions.bodies()) {
    const double reach = body.pieces ? body.pieces->radius() : body.body.reach();
    if (body.object.empty() || reach < kHugeReach || (body.object != touch.a && body.object != touch.b)) continue;
    return "; " + in_quotes(body.object) + " is " + format_number(std::round(2 * reach)) +
           " m across: is it in millimetres (a mesh: `scale: [0.001, 0.001, 0.001]`)?";
  }
  return "";
}

/// Shapes of links at zero.
Transform<double> placed_at_zero(const AtZero& at, const CollisionBody& body) {
  Transform<double> X = Transform<double>::identity();
  const auto p = at.position(body.link);
  const auto R = at.rotation(body.link);
  for (int i = 0; i < 3; ++i) {
    X.p[i] = p[i];
    for (int k = 0; k < 3; ++k) X.R.m[3 * i + k] = R(i, k);
  }
  return X * body.X_LB;
}

/// Of a person, forearms and hands meet trunk, head and legs, and nothing else meets: neighbours in a trunk that bends
/// overlap. Arms are as thin there as they have to be to hang beside the trunk: shapes are rougher than people.
void let_arms_meet_body(const Model& model, std::vector<CollisionBody>& bodies) {
  constexpr ContactMask kArm{1, 2}, kBody{2, 0}, kOther{0, 0};
  constexpr double kStep = 1e-3, kMostThinner = 0.8;  // m; of the size of a shape
  const HumanParts parts(model);
  const auto is_one_of = [](const std::array<int, 2>& sides, int link) { return std::ranges::count(sides, link) > 0; };
  const auto on_arm = [&](int link) {
    for (; link >= 0; link = model.links()[static_cast<std::size_t>(link)].parent) {
      if (is_one_of(parts.clavicles, link)) return true;
    }
    return false;
  };
  std::vector<CollisionBody> arms, trunk;
  for (CollisionBody& body : bodies) {
    if (body.link < 0) continue;
    const bool beside = on_arm(body.link);
    body.mask = beside ? kOther : kBody;
    if (!beside) trunk.push_back(body);
    if (is_one_of(parts.forearms, body.link) || is_one_of(parts.hands, body.link)) arms.push_back(body);
  }
  const AtZero at(model);
  for (CollisionBody& arm : arms) {
    const ConvexBody whole = arm.body;
    const auto overlaps = [&](const CollisionBody& other) {
      return separation(arm.body, placed_at_zero(at, arm), other.body, placed_at_zero(at, other), kStep).distance <= 0;
    };
    while (std::ranges::any_of(trunk, overlaps) && arm.thinner + kStep < kMostThinner * least_size(whole)) {
      arm.thinner += kStep;
      arm.body = thinner(whole, arm.thinner);
    }
    arm.mask = kArm, arm.margin = 0, arm.only_others = true;
    for (const CollisionBody& other : trunk) {
      arm.others.push_back(model.links()[static_cast<std::size_t>(other.link)].name);
    }
    bodies.push_back(arm);
  }
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
  return pair + " overlap by " + millimetres(-touch->distance) + size_doubt(collisions, *touch);
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

void leave_out_what_cannot_touch(const Task& task, Collisions& collisions) {
  const auto count = static_cast<Eigen::Index>(task.limits.position.size());
  Eigen::VectorXd lower(count), upper(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::optional<double> held = task.held.empty() ? std::nullopt : task.held[k];
    lower[i] = held.value_or(task.limits.position[k].lower), upper[i] = held.value_or(task.limits.position[k].upper);
  }
  collisions.leave_out_what_cannot_touch(lower, upper);
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
                                                   const std::optional<Scene>& scene, const ContactRules& rules,
                                                   const std::vector<CarriedObject>& carried,
                                                   std::vector<Diagnostic>& problems) {
  const bool person = scene && task.ground && missing_human_part(task.model).empty();
  const bool itself = top.flag("self_collision", scene.has_value() && (!task.ground || person));
  if (!scene && !itself) return nullptr;
  std::vector<Diagnostic> notes;
  std::optional<Collisions> collisions;
  AllowedPairs may_touch;
  std::vector<std::string> of_carried;
  try {
    std::vector<CollisionBody> bodies = bodies_of(task.model, scene, rules, notes);
    if (person && !top.find("self_collision")) let_arms_meet_body(task.model, bodies);
    if (scene) may_touch = allowed_pairs(*scene, link_names(task.model));
    AllowedPairs all = rules.allowed;
    all.insert(all.end(), may_touch.begin(), may_touch.end());
    const double margin = scene ? scene->margin : 0;
    of_carried = add_carried(carried, task, margin, bodies, all);
    collisions.emplace(task.model, std::move(bodies), margin, all, itself);
  } catch (const InputError& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    return nullptr;
  }
  auto shapes = std::make_shared<CollisionShapes>(CollisionShapes{*std::move(collisions), std::move(of_carried)});
  if (shapes->collisions.pairs() == 0) return nullptr;
  for (const Diagnostic& note : notes) shapes->notes.push_back(note.text);
  if (may_touch.size() > kPairsNamed) {
    shapes->notes.push_back(std::to_string(may_touch.size()) + " pairs of the scene may touch");
  } else {
    for (const auto& [a, b] : may_touch) shapes->notes.push_back(in_quotes(a) + " and " + in_quotes(b) + " may touch");
  }
  leave_out_what_cannot_touch(task, shapes->collisions);
  std::string others;
  for (const LeftOut::Why why : kReasonsToLeaveOut) {
    const auto count = std::ranges::count(shapes->collisions.left_out(), why, &LeftOut::why);
    if (count > 0) others += (others.empty() ? "" : ", ") + std::to_string(count) + " " + to_string(why);
  }
  if (!others.empty()) shapes->notes.push_back("pairs that are not looked at: " + others);
  for (const LeftOut& pair : shapes->collisions.left_out()) {
    if (pair.why != LeftOut::Why::always) continue;
    shapes->notes.push_back("links " + in_quotes(pair.a) + " and " + in_quotes(pair.b) +
                            " always touch: not kept apart");
  }
  check_ends(top, task, shapes->collisions);
  return shapes;
}

}  // namespace verne
