#include "verne/io/model_json.h"

#include <array>
#include <limits>

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

void append_link(JsonWriter& json, const LinkSpec& link) {
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
  json.key("visuals").begin_array();
  int meshes = 0;
  for (const VisualSpec& visual : link.visuals) {
    if (visual.shape == VisualSpec::Shape::mesh) {
      ++meshes;
      continue;
    }
    json.begin_object();
    append_dimensions(json, visual);
    append_pose(json, visual.X_LV);
    json.end_object();
  }
  json.end_array();
  if (meshes > 0) json.key("meshes").value(meshes);  // not in the file, so that a page can say so
  json.end_object();
}

}  // namespace

void append_model(JsonWriter& json, const Model& model) {
  const ModelSpec& spec = model.spec();
  json.begin_object();
  json.key("name").value(model.name());
  append_vector(json, "gravity", spec.gravity);
  json.key("mass").value(model.mass());
  json.key("links").begin_array();
  for (const LinkSpec& link : spec.links) append_link(json, link);
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
