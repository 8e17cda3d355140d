#include <algorithm>
#include <cmath>

#include "io/convex_shapes.h"
#include "io/shape_json.h"
#include "motion/curve/phases.h"
#include "motion/output/json_entries.h"
#include "motion/output/solution_json.h"
#include "motion/terms/task_terms.h"
#include "structures/collision_shapes.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

void append_obstacle(JsonWriter& json, const ObstacleSpec& o, double margin) {
  const bool sphere = o.from.x == o.to.x && o.from.y == o.to.y && o.from.z == o.to.z;
  json.begin_object();
  json.key("type").value(o.box ? "box" : sphere ? "sphere" : "capsule");
  append(json, "position", o.box ? o.box->pose.p : o.from);
  if (o.box) {
    append(json, "size", o.box->size);
    json.key("rotation").values(quaternion_of(o.box->pose.R));
  } else {
    if (!sphere) append(json, "end", o.to);
    append(json, "radius", o.radius);
  }
  if (margin > 0) append(json, "margin", margin);
  json.end_object();
}

/// What is held is away meanwhile.
void append_stay(JsonWriter& json, const CollisionBody& object, const std::vector<PhaseResult>& phases) {
  const auto phase = [&](int k) { return phases[static_cast<std::size_t>(k)]; };
  const auto count = static_cast<int>(phases.size());
  if (object.from > 0 && object.from < count) append(json, "from", phase(object.from).start);
  if (object.end < count) append(json, "until", phase(object.end - 1).end);
}

/// Triangles of a mesh, or of boxes.
void append_surface(JsonWriter& json, const DrawnSurface& surface) {
  json.key("vertices").begin_array();
  for (const float x : surface.positions) json.value(std::round(double(x) * 1e5) / 1e5);
  json.end_array().key("triangles").begin_array();
  for (const std::uint32_t corner : surface.triangles) json.value(static_cast<int>(corner));
  json.end_array();
}

/// Of pieces the picture of the whole; of the hull of a mesh a hull again.
void append_surface_of(JsonWriter& json, const CollisionBody& object, double margin,
                       const std::vector<PhaseResult>& phases) {
  json.begin_object().key("name").value(object.object).key("type").value("surface");
  append(json, "position", object.X_LB.p);
  json.key("rotation").values(quaternion_of(object.X_LB.R));
  append_surface(json, object.pieces ? object.pieces->drawn() : drawn_hull(object.body.points));
  if (margin > 0) append(json, "margin", margin);
  append_stay(json, object, phases);
  json.end_object();
}

/// A shape of the scene. Cylinders lie along z of their pose.
void append_object(JsonWriter& json, const CollisionBody& object, double margin,
                   const std::vector<PhaseResult>& phases) {
  if (object.pieces || object.body.core == ConvexBody::Core::points)
    return append_surface_of(json, object, margin, phases);
  const ConvexBody& body = object.body;
  const Transform<double>& X = object.X_LB;
  const bool line = body.core == ConvexBody::Core::line, point = body.core == ConvexBody::Core::point;
  const Vec3<double> half = X.R.column(2) * body.half.z;
  json.begin_object();
  json.key("name").value(object.object);
  json.key("type").value(line ? "capsule" : point ? "sphere" : body.core == ConvexBody::Core::box ? "box" : "cylinder");
  append(json, "position", line ? X.p - half : X.p);
  if (line) append(json, "end", X.p + half);
  if (line || point) append(json, "radius", body.skin);
  if (body.core == ConvexBody::Core::cylinder) {
    append(json, "radius", body.half.x);
    append(json, "length", 2 * body.half.z);
  } else if (!line && !point) {
    append(json, "size", body.half * 2.0);
  }
  if (!line && !point) json.key("rotation").values(quaternion_of(X.R));
  if (margin > 0) append(json, "margin", margin);
  append_stay(json, object, phases);
  json.end_object();
}

/// Links that others keep away from are no obstacles.
void append_obstacles(JsonWriter& json, const Task& task, const std::vector<PhaseResult>& phases) {
  const auto fixed = [](const KeepOutSpec& zone) { return zone.against.empty(); };
  const std::vector<CollisionBody> none;
  const std::vector<CollisionBody>& bodies = task.shapes ? task.shapes->collisions.bodies() : none;
  const auto stands = [](const CollisionBody& body) { return body.link < 0; };
  if (std::ranges::none_of(task.keep_out, fixed) && std::ranges::none_of(bodies, stands)) return;
  json.key("obstacles").begin_array();
  for (const KeepOutSpec& zone : task.keep_out) {
    if (fixed(zone)) append_obstacle(json, zone.obstacle, zone.margin);
  }
  for (const CollisionBody& body : bodies) {
    if (stands(body)) append_object(json, body, task.shapes->collisions.margin(), phases);
  }
  json.end_array();
}

/// Pairs of shapes that are looked at, those that are not, and why.
void append_kept_apart(JsonWriter& json, const CollisionShapes& shapes) {
  json.key("kept_apart").begin_object();
  json.key("pairs").value(static_cast<int>(shapes.collisions.pairs())).key("left_out").begin_object();
  for (const LeftOut::Why why : kReasonsToLeaveOut) {
    json.key(to_string(why)).begin_array();
    for (const LeftOut& pair : shapes.collisions.left_out()) {
      if (pair.why == why) json.begin_array().value(pair.a).value(pair.b).end_array();
    }
    json.end_array();
  }
  json.end_object().key("notes").begin_array();
  for (const std::string& note : shapes.notes) json.value(note);
  json.end_array().end_object();
}

const LinkSpec* link_named(const Model& model, const std::string& name) {
  const std::vector<LinkSpec>& links = model.spec().links;
  const auto found = std::ranges::find(links, name, &LinkSpec::name);
  return found == links.end() ? nullptr : &*found;
}

}  // namespace

void append_payloads(JsonWriter& json, const Task& task, const Solution& solution) {
  json.key("payloads").begin_array();
  for (std::size_t p = 0; p < std::min(task.phases.size(), solution.phases.size()); ++p) {
    for (const LinkSpec& link : task.phases[p].model.spec().links) {
      const LinkSpec* const plain = link_named(task.model, link.name);
      for (std::size_t i = plain ? plain->visuals.size() : link.visuals.size(); i < link.visuals.size(); ++i) {
        json.begin_object().key("link").value(link.name);
        append_shape(json, link.visuals[i]);
        append(json, "from", solution.phases[p].start);
        append(json, "until", solution.phases[p].end);
        json.end_object();
      }
    }
  }
  json.end_array();
}

void append_surroundings(JsonWriter& json, Task task, double duration, const std::vector<PhaseResult>& phases) {
  put_frames(task, duration);
  append_obstacles(json, task, phases);
  if (task.shapes) append_kept_apart(json, *task.shapes);
  if (!task.loads.empty()) {
    json.key("loads").begin_array();
    for (const LoadSpec& load : task.loads) {
      json.begin_object();
      json.key("frame").value(task.model.site_name(load.site));
      append(json, "force", load.force);
      append(json, "moment", load.moment);
      append(json, "point", load.point);
      json.end_object();
    }
    json.end_array();
  }
  json.key("targets").begin_array();
  for (const FrameGoalSpec& frame : task.frames) {
    if (frame.when.path || frame.position.empty()) continue;
    json.begin_object();
    json.key("position").begin_array();
    for (const Interval& axis : frame.position) json.value((axis.lower + axis.upper) / 2);
    json.end_array();
    json.key("label").value(label_of(task.model, frame));
    json.end_object();
  }
  json.end_array();
}

}  // namespace verne
