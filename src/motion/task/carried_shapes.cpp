#include "motion/task/carried_shapes.h"

#include <algorithm>

#include "io/convex_shapes.h"
#include "io/number.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

constexpr double kThinner = 5e-4, kMostThinner = 0.2;  // m, and as a part of a body: how deep it may seem to stand
constexpr double kStandsOn = 5e-3;                     // m: what is farther from everything is in the air

/// A shape of an object, in the axes of its link.
struct HeldPart {
  ConvexBody body;
  Transform<double> X_OB;
};
std::vector<HeldPart> parts_of(const CarriedObject& object) {
  std::vector<HeldPart> parts;
  for (const VisualSpec& shape : object.link.collisions) parts.push_back({convex_body(shape), shape.X_LV});
  return parts;
}

/// Every object once, with all that holds it in the order of the phases.
struct HeldCourse {
  const CarriedObject* object;
  std::vector<const CarriedObject::Stretch*> held;
};
std::vector<HeldCourse> courses(const std::vector<CarriedObject>& carried) {
  std::vector<HeldCourse> all;
  for (const CarriedObject& one : carried) {
    auto known = std::ranges::find_if(all, [&](const HeldCourse& c) { return c.object->object == one.object; });
    if (known == all.end()) known = all.insert(all.end(), {&one, {}});
    for (const CarriedObject::Stretch& held : one.stretches) known->held.push_back(&held);
    std::ranges::sort(known->held, {}, &CarriedObject::Stretch::first);
  }
  return all;
}

/// Shapes at poses at which something stands while nothing holds it.
std::vector<CollisionBody> standing(const std::vector<CarriedObject>& carried, int phases) {
  std::vector<CollisionBody> all;
  for (const HeldCourse& course : courses(carried)) {
    const auto stand = [&](const std::optional<Transform<double>>& pose, int from, int end) {
      if (!pose || from >= end) return;
      for (const HeldPart& part : parts_of(*course.object)) {
        CollisionBody body{-1, course.object->object, part.body, *pose * part.X_OB};
        body.from = from, body.end = end;
        all.push_back(std::move(body));
      }
    };
    const auto& held = course.held;
    stand(held.front()->stands, 0, held.front()->first);
    for (std::size_t n = 0; n < held.size(); ++n) {
      stand(held[n]->put, held[n]->end, n + 1 < held.size() ? held[n + 1]->first : phases);
    }
  }
  return all;
}

double gap_between(const CollisionBody& a, const CollisionBody& b, double enough) {
  if (!b.pieces) return separation(a.body, a.X_LB, b.body, b.X_LB, enough).distance;
  const Transform<double> X = inverse(b.X_LB) * a.X_LB;
  return b.pieces->nearest(a.body, X, X.p, a.body.reach(), enough).apart.distance;
}

/// Shapes of the body that holds something and touch it there: they may.
void allow_holder(const CarriedObject& object, const Task& task, double margin,
                  const std::vector<CollisionBody>& bodies, AllowedPairs& allowed, std::vector<std::string>& notes) {
  const Model& model = task.model;
  const int link = model.link(object.link.name);
  const auto rigid_body = [&](int l) { return model.links()[static_cast<std::size_t>(l)].body; };
  Data<double> data(model);
  Eigen::VectorXd q(model.nq());
  neutral_configuration(model, q);
  const Kinematics<double> at = forward_kinematics<double>(model, data, q);
  const auto pose = [&](int l) {
    Transform<double> X = Transform<double>::identity();
    for (int i = 0; i < 3; ++i) {
      X.p[i] = at.position(l)[i];
      for (int j = 0; j < 3; ++j) X.R.m[3 * i + j] = at.rotation(l)(i, j);
    }
    return X;
  };
  const std::vector<HeldPart> parts = parts_of(object);
  std::vector<std::string> names = object.may_touch;
  for (const CollisionBody& body : bodies) {
    if (body.link < 0 || !body.object.empty() || rigid_body(body.link) != rigid_body(link)) continue;
    const bool touches = std::ranges::any_of(parts, [&](const HeldPart& part) {
      const Transform<double> X_WB = pose(body.link) * body.X_LB, X_WP = pose(link) * part.X_OB;
      const double gap = separation(body.body, X_WB, part.body, X_WP, margin).distance;
      return gap < margin || gap <= 0;
    });
    if (touches) names.push_back(model.links()[static_cast<std::size_t>(body.link)].name);
  }
  for (const std::string& name : names) {
    const std::pair<std::string, std::string> pair{object.object, name};
    if (std::ranges::find(allowed, pair) != allowed.end()) continue;
    allowed.push_back(pair);
    notes.push_back(in_quotes(name) + " may touch " + in_quotes(object.object) + ", which is held by it");
  }
}

/// Where something is let go that nothing bears.
void note_release(const HeldCourse& course, const Task& task, const std::vector<CollisionBody>& around,
                  std::vector<std::string>& notes) {
  const std::string& object = course.object->object;
  for (const CarriedObject::Stretch* const one : course.held) {
    const CarriedObject::Stretch& held = *one;
    const auto phases = static_cast<int>(task.phases.size());
    if (held.end == phases && !held.put) continue;  // it is held to the end
    if (std::ranges::find(course.held, held.end, &CarriedObject::Stretch::first) != course.held.end()) {
      continue;  // it is handed over
    }
    const std::string where = in_quotes(object) + " is released in the air at the end of " +
                              in_quotes(task.phases[static_cast<std::size_t>(held.end - 1)].name);
    if (!held.put) {
      notes.push_back(where + ", where no `put` says that it is: it stands nowhere from then on");
      continue;
    }
    double least = kInfinity;
    for (const HeldPart& part : parts_of(*course.object)) {
      const CollisionBody body{-1, "", part.body, *held.put * part.X_OB};
      for (const CollisionBody& other : around) {
        if (other.link < 0 && other.object != object) least = std::min(least, gap_between(body, other, kInfinity));
      }
    }
    if (least > kStandsOn && least < kInfinity) {
      notes.push_back(where + ": the nearest thing is " + format_number(std::round(least * 1e4) / 1e4) + " m away");
    }
  }
}

/// The shapes of what a frame holds, while it does. What an object stands on, or leans on, is compared with a thinner
/// one.
void add_held(const CarriedObject& object, const Task& task, double margin, const std::vector<CollisionBody>& around,
              std::vector<CollisionBody>& bodies) {
  for (const HeldPart& part : parts_of(object)) {
    CollisionBody full{task.model.link(object.link.name), object.object, part.body, part.X_OB};
    const double by = std::min(kThinner, kMostThinner * least_size(full.body));
    for (const CollisionBody& other : around) {
      if (other.link >= 0 || other.object == object.object) continue;
      const bool near = std::ranges::any_of(object.stretches, [&](const CarriedObject::Stretch& held) {
        return std::ranges::any_of(std::array{held.stands, held.put}, [&](const auto& pose) {
          return pose && gap_between({-1, "", full.body, *pose * part.X_OB}, other, margin + by) <= margin;
        });
      });
      const bool known = std::ranges::find(full.others, other.object) != full.others.end();
      if (near && !known) full.others.push_back(other.object);
    }
    CollisionBody thin = full;
    thin.body = thinner(thin.body, by);
    thin.thinner = by, thin.margin = 0, thin.only_others = true;
    for (const CarriedObject::Stretch& held : object.stretches) {
      for (CollisionBody* const body : {&full, &thin}) {
        body->from = held.first, body->end = held.end;
        if (body == &full || !full.others.empty()) bodies.push_back(*body);
      }
    }
  }
}

}  // namespace

ConvexBody thinner(ConvexBody body, double by) {
  if (body.skin > 0) {
    body.skin -= by;
  } else {
    for (int i = 0; i < 3; ++i) body.half[i] -= by;
  }
  return body;
}

double least_size(const ConvexBody& body) {
  return body.skin > 0 ? body.skin : std::min({body.half.x, body.half.y, body.half.z});
}

std::vector<std::string> add_carried(const std::vector<CarriedObject>& carried, const Task& task, double margin,
                                     std::vector<CollisionBody>& bodies, AllowedPairs& allowed) {
  std::vector<std::string> notes;
  if (carried.empty()) return notes;
  std::vector<CollisionBody> around = bodies;
  const std::vector<CollisionBody> stands = standing(carried, static_cast<int>(task.phases.size()));
  around.insert(around.end(), stands.begin(), stands.end());
  const std::vector<CollisionBody> links = bodies;
  for (const CarriedObject& object : carried) allow_holder(object, task, margin, links, allowed, notes);
  for (const HeldCourse& course : courses(carried)) note_release(course, task, around, notes);
  for (const CarriedObject& object : carried) add_held(object, task, margin, around, bodies);
  bodies.insert(bodies.end(), stands.begin(), stands.end());
  return notes;
}

}  // namespace verne
