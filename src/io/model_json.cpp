#include "verne/io/model_json.h"

#include <algorithm>
#include <array>
#include <limits>

#include "io/shape_json.h"
#include "io/trivial.h"
#include "verne/spatial/rotation.h"
#include "verne/spatial/transform.h"

namespace verne {

namespace {

void append_vector(JsonWriter& json, const char* key, const Vec3<double>& v) {
  const std::array<double, 3> entries{v.x, v.y, v.z};
  json.key(key).values(entries);
}

void append_pose(JsonWriter& json, const Transform<double>& X) {
  append_vector(json, "position", X.p);
  json.key("rotation").values(quaternion_of(X.R));
}

void append_joint(JsonWriter& json, const LinkSpec& link) {
  json.key("joint").begin_object();
  json.key("name").value(link.joint.name);
  json.key("type").value(to_string(link.joint.type));
  if (has_axis(link.joint.type)) append_vector(json, "axis", link.joint.axis);
  append_pose(json, inverse(link.X_JL));
  json.end_object();
}

/// What a shape's three numbers mean.
void append_dimensions(JsonWriter& json, const VisualSpec& visual) {
  using Shape = VisualSpec::Shape;
  switch (visual.shape) {
    case Shape::capsule:
    case Shape::cylinder:
      json.key("type").value(visual.shape == Shape::capsule ? "capsule" : "cylinder");
      json.key("radius").value(visual.size.x);
      json.key("length").value(visual.size.y);
      break;
    case Shape::sphere:
      json.key("type").value("sphere");
      json.key("radius").value(visual.size.x);
      break;
    case Shape::box:
      json.key("type").value("box");
      append_vector(json, "size", visual.size);
      break;
    case Shape::mesh:
      json.key("type").value("mesh");
      append_vector(json, "scale", visual.size);
      break;
  }
}

/// Mass, centre of mass and inertia about it, in link axes; of grouped parameters there is none.
void append_inertial(JsonWriter& json, const LinkSpec& link) {
  if (!link.has_inertial || link.first_moment) return;
  const Sym3<double>& I = link.inertia;
  json.key("inertial").begin_object().key("mass").value(link.mass);
  append_vector(json, "com", link.com);
  json.key("inertia").values(std::array{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}).end_object();
}

void add_mesh_names(const std::vector<VisualSpec>& shapes, std::vector<std::string>& names) {
  for (const VisualSpec& shape : shapes) {
    const bool known = shape.shape != VisualSpec::Shape::mesh || std::ranges::find(names, shape.mesh) != names.end();
    if (!known) names.push_back(shape.mesh);
  }
}

/// `first` is the number of the first of the names.
void append_shapes(JsonWriter& json, const char* key, const std::vector<VisualSpec>& shapes,
                   const std::vector<std::string>& names, std::size_t first) {
  json.key(key).begin_array();
  for (const VisualSpec& shape : shapes) {
    json.begin_object();
    append_shape(json, shape);
    if (shape.shape == VisualSpec::Shape::mesh) {
      json.key("mesh").value(
          static_cast<int>(first + std::size_t(std::ranges::find(names, shape.mesh) - names.begin())));
    }
    json.end_object();
  }
  json.end_array();
}

void append_link(JsonWriter& json, const LinkSpec& link, const MeshNames& meshes) {
  json.begin_object();
  json.key("name").value(link.name);
  json.key("parent");
  if (link.parent.empty()) {
    json.value(std::numeric_limits<double>::quiet_NaN());  // null: the root stands on the world
  } else {
    json.value(link.parent);
  }
  append_joint(json, link);
  append_inertial(json, link);
  append_shapes(json, "visuals", link.visuals, meshes.visuals, 0);
  if (!link.collisions.empty()) {
    append_shapes(json, "collisions", link.collisions, meshes.collisions, meshes.visuals.size());
  }
  json.end_object();
}

}  // namespace

void append_shape(JsonWriter& json, const VisualSpec& shape) {
  append_dimensions(json, shape);
  append_pose(json, shape.X_LV);
  if (shape.colour) append_vector(json, "colour", *shape.colour);
}

MeshNames mesh_names(const Model& model) {
  MeshNames names;
  for (const LinkSpec& link : model.spec().links) {
    add_mesh_names(link.visuals, names.visuals);
    add_mesh_names(link.collisions, names.collisions);
  }
  return names;
}

void append_model(JsonWriter& json, const Model& model) {
  const ModelSpec& spec = model.spec();
  const MeshNames meshes = mesh_names(model);
  json.begin_object();
  json.key("name").value(model.name());
  append_vector(json, "gravity", spec.gravity);
  json.key("mass").value(model.mass());
  json.key("links").begin_array();
  for (const LinkSpec& link : spec.links) append_link(json, link, meshes);
  json.end_array();
  json.key("contacts").begin_array();
  for (const ContactSpec& contact : spec.contacts) {
    json.begin_object();
    json.key("name").value(contact.name);
    json.key("link").value(contact.link);
    append_vector(json, "position", contact.point);
    json.end_object();
  }
  json.end_array();
  json.key("frames").begin_array();
  for (const FrameSpec& frame : spec.frames) {
    json.begin_object();
    json.key("name").value(frame.name);
    json.key("link").value(frame.link);
    append_pose(json, frame.X_LF);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace verne
