/// What SDF files hold, before it becomes a tree.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/sdf/scope.h"
#include "verne/model/spec.h"

namespace verne {

/// Where a link stands is known by its name in its scope.
struct SdfLink {
  LinkSpec spec;  ///< named as in the whole model
  SdfScope* scope = nullptr;
  std::string name;                                      ///< in its scope
  std::vector<SdfPose> visual_places, collision_places;  ///< of its shapes, in its own frame unless they say another
};

/// An axis of a joint, in the frame that it is expressed in ("" is the joint's).
struct SdfAxis {
  Vec3<double> direction{0, 0, 1};
  std::string expressed_in;
  int line = 0;
};

struct SdfJoint {
  JointSpec spec;  ///< but for its axes; named as in the whole model
  SdfScope* scope = nullptr;
  std::string name, parent, child;  ///< in its scope
  std::array<SdfAxis, 2> axes;
  bool cut = false;  ///< the file wants loops to be closed here
  int line = 0;
};

/// Of a <frame>.
struct SdfNamedFrame {
  std::string name;  ///< as in the whole model
  SdfScope* scope = nullptr;
  std::string local;  ///< in its scope
  int line = 0;
};

struct SdfContents {
  std::vector<SdfLink> links;
  std::vector<SdfJoint> joints;
  std::vector<SdfNamedFrame> frames;
  bool fixed = false;  ///< the model is static
};

/// Reads a <joint> of a scope, whose own frame is called `own`; nothing of one that has no meaning here.
std::optional<SdfJoint> read_sdf_joint(const tinyxml2::XMLElement& element, SdfScope& scope, const std::string& own);

/// Adds the shapes of a <link>: those in <visual> and those in <collision>.
void read_sdf_shapes(const XmlElement& element, SdfLink& link);

/// Makes links and joints one tree with loops. A joint carries its child, unless another before it does: then it closes
/// a loop, or, where its parent is carried by nothing, carries that. What nothing carries moves freely in the world.
void make_sdf_tree(SdfContents contents, Diagnostics& diagnostics, ModelSpec& spec);

}  // namespace verne
