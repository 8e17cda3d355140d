#include "motion/task/carried_shapes.h"

#include <algorithm>

#include "io/convex_shapes.h"
#include "io/number.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

constexpr double kThinner = 5e-4, kMostThinner = 0.2;  // m, and as a part of a body: how deep it may seem to stand
constexpr double kStandsOn = 5e-3;                     // m: what is farther from everything is in the air

/// Smaller by so much on every side.
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

/// A pose at which something stands while nothing holds it.
struct StandingObject {
  std::size_t object;
  CollisionBody body;
};

std::vector<StandingObject> standing(const std::vector<CarriedObject>& carried, int phases) {
  std::vector<StandingObject> all;
  for (std::size_t k = 0; k < carried.size(); ++k) {
    const CarriedObject& object = carried[k];
    const auto stand = [&](const std::optional<Transform<double>>& pose, int from, int end) {
      if (!pose || from >= end) return;
      CollisionBody body{-1, object.link.name, convex_body(object.link.collisions.front()), *pose};
      body.from = from, body.end = end;
      all.push_back({k, std::move(body)});
    };
    const auto& held = object.stretches;
    stand(held.front().stands, 0, held.front().first);
    for (std::size_t n = 0; n < held.size(); ++n) {
      stand(held[n].put, held[n].end, n + 1 < held.size() ? held[n + 1].first : phases);
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
  const ConvexBody shape = convex_body(object.link.collisions.front());
  std::vector<std::string> names = object.may_touch;
  for (const CollisionBody& body : bodies) {
    if (body.link < 0 || !body.object.empty() || rigid_body(body.link) != rigid_body(link)) continue;
    const double gap = separation(body.body, pose(body.link) * body.X_LB, shape, pose(link), margin).distance;
    if (gap < margin || gap <= 0) names.push_back(model.links()[static_cast<std::size_t>(body.link)].name);
  }
  for (const std::string& name : names) {
    const std::pair<std::string, std::string> pair{object.link.name, name};
    if (std::ranges::find(allowed, pair) != allowed.end()) continue;
    allowed.push_back(pair);
    notes.push_back(in_quotes(name) + " may touch " + in_quotes(object.link.name) + ", which is held by it");
  }
}

/// Where something is let go that nothing bears.
void note_release(const CarriedObject& object, const Task& task, const std::vector<CollisionBody>& around,
                  std::vector<std::string>& notes) {
  for (const CarriedObject::Stretch& held : object.stretches) {
    const auto phases = static_cast<int>(task.phases.size());
    if (held.end == phases && !held.put) continue;  // it is held to the end
    const std::string where = in_quotes(object.link.name) + " is released in the air at the end of " +
                              in_quotes(task.phases[static_cast<std::size_t>(held.end - 1)].name);
    if (!held.put) {
      notes.push_back(where + ", where no `put` says that it is: it stands nowhere from then on");
      continue;
    }
    const CollisionBody body{-1, "", convex_body(object.link.collisions.front()), *held.put};
    double least = kInfinity;
    for (const CollisionBody& other : around) {
      if (other.link < 0 && other.object != object.link.name)
        least = std::min(least, gap_between(body, other, kInfinity));
    }
    if (least > kStandsOn && least < kInfinity) {
      notes.push_back(where + ": the nearest thing is " + format_number(std::round(least * 1e4) / 1e4) + " m away");
    }
  }
}

}  // namespace

std::vector<std::string> add_carried(const std::vector<CarriedObject>& carried, const Task& task, double margin,
                                     std::vector<CollisionBody>& bodies, AllowedPairs& allowed) {
  std::vector<std::string> notes;
  if (carried.empty()) return notes;
  std::vector<CollisionBody> around = bodies;
  const std::vector<StandingObject> stands = standing(carried, static_cast<int>(task.phases.size()));
  for (const StandingObject& one : stands) around.push_back(one.body);
  for (const CarriedObject& object : carried) {
    allow_holder(object, task, margin, bodies, allowed, notes);
    note_release(object, task, around, notes);
  }
  for (const CarriedObject& object : carried) {
    CollisionBody full{task.model.link(object.link.name), object.link.name,
                       convex_body(object.link.collisions.front())};
    const double by = std::min(kThinner, kMostThinner * least_size(full.body));
    for (const CollisionBody& other : around) {  // what it stands on, or leans on
      if (other.link >= 0 || other.object == object.link.name) continue;
      const bool near = std::ranges::any_of(object.stretches, [&](const CarriedObject::Stretch& held) {
        return std::ranges::any_of(std::array{held.stands, held.put}, [&](const auto& pose) {
          return pose && gap_between({-1, "", full.body, *pose}, other, margin + by) <= margin;
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
  for (const StandingObject& one : stands) bodies.push_back(one.body);
  return notes;
}

}  // namespace verne
