/// A model as it is written down: what files are read into, written from, and what `Model` is built from.
///
/// Conventions (dh, mdh, screw, tree, URDF) are gone at this point: every link has one parent and one joint, placed by
/// X_PJ (joint frame in the parent's link frame) and X_JL (link frame in the child-side joint frame).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/small_matrix.h"
#include "verne/spatial/transform.h"

namespace verne {

/// How a joint moves. Coordinates of each kind (q | v), in the joint frame before | after the motion:
///   fixed        none
///   revolute     angle about `axis`
///   prismatic    distance along `axis`
///   helical      angle about `axis`, moving `pitch` metres per radian along it
///   cylindrical  distance along `axis`, then angle about it
///   universal    angle about `axis`, then angle about `axis2` (which the first rotation carries along)
///   planar       two distances along the axes across `axis` (x, y when axis is z), then angle about `axis`
///   spherical    unit quaternion x y z w | angular velocity in child axes
///   free         position x y z, unit quaternion x y z w | linear and angular velocity in child axes
enum class JointType { fixed, revolute, prismatic, helical, cylindrical, universal, planar, spherical, free };

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();  ///< where there is no limit

/// What belongs to one degree of freedom (one entry of v) of a joint.
struct DofSpec {
  double lower = -kInfinity, upper = kInfinity;                ///< of q
  double velocity = kInfinity;                                 ///< of |v|
  double effort_lower = -kInfinity, effort_upper = kInfinity;  ///< of tau
  double coulomb = 0, viscous = 0;                             ///< friction: coulomb tanh(v / width) + viscous v
  double friction_width = 0;                                   ///< 0 means sign(v), with sign(0) = 0
  double rotor_inertia = 0;        ///< reflected to the joint: adds rotor_inertia * a to tau
  double stiffness = 0, rest = 0;  ///< an elastic joint: adds stiffness * (q - rest) to tau; not with a quaternion
  /// Ligaments: add ligament * x^3 to tau, where x is by how much q is out of the range where they are slack; not with
  /// a quaternion.
  double ligament = 0, slack_lower = -kInfinity, slack_upper = kInfinity;
};

/// q = ratio * q_joint + offset
struct MimicSpec {
  std::string joint;             ///< that is followed
  double ratio = 1, offset = 0;  ///< units of q of both joints
};

/// A joint: how it moves, and what drives and limits it.
struct JointSpec {
  std::string name;                   ///< unique in the model
  JointType type = JointType::fixed;  ///< how it moves
  Vec3<double> axis{0, 0, 1};         ///< of length one, in the joint frame
  Vec3<double> axis2{0, 1, 0};        ///< universal only
  double pitch = 0;                   ///< helical only, metres per radian
  std::vector<DofSpec> dofs;          ///< empty (all defaults) or one per velocity
  std::optional<MimicSpec> mimic;     ///< one-DOF joints only
  bool actuated = true;               ///< it has a drive; without one tau is zero
  int line = 0;                       ///< of the file; 0: none
};

/// A shape for pictures.
struct VisualSpec {
  /// Kinds of shapes.
  enum class Shape { capsule, box, sphere, cylinder, mesh };
  Shape shape = Shape::capsule;                            ///< its kind
  Transform<double> X_LV = Transform<double>::identity();  ///< capsule and cylinder lie along z, centred
  Vec3<double> size{0, 0, 0};          ///< box: edges; sphere: radius; capsule, cylinder: radius, length; mesh: scale
  std::string mesh;                    ///< the file, as the model names it
  std::optional<Vec3<double>> colour;  ///< red, green, blue, each 0 to 1; a mesh may have others of its own
};

/// A link and the joint that carries it.
struct LinkSpec {
  std::string name;                                        ///< unique in the model
  std::string parent;                                      ///< "" for the root, whose joint connects it to the world
  JointSpec joint;                                         ///< that carries it
  Transform<double> X_PJ = Transform<double>::identity();  ///< the joint frame in the parent's link frame
  Transform<double> X_JL = Transform<double>::identity();  ///< the link frame in the child-side joint frame
  bool has_inertial = false;                               ///< the file says a mass
  double mass = 0;                                         ///< kg
  Vec3<double> com{0, 0, 0};                               ///< in link axes
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};                  ///< about the centre of mass, in link axes
  /// Of grouped parameters (codegen/base_parameters.h), which no real body has: m c in link axes, in place of `com` and
  /// possible without mass; `inertia` is then about the link's origin.
  std::optional<Vec3<double>> first_moment;
  std::vector<VisualSpec> visuals;     ///< what is drawn
  std::vector<VisualSpec> collisions;  ///< what may touch other things: shown on demand, and where no visual is found
  int line = 0;                        ///< of the file; 0: none
};

/// A named frame or a named point of contact, fixed in a link.
struct FrameSpec {
  std::string name, link;                                  ///< its own name; the link that it is fixed in
  Transform<double> X_LF = Transform<double>::identity();  ///< the frame in the link's
  int line = 0;                                            ///< of the file; 0: none
};
/// What a contact with the world holds of its link while it is switched on (structures/system.h):
///   point  the point
///   line   the z axis of its frame, about which the link may turn (the edge of a foot)
///   rigid  everything (a foot flat on the ground)
enum class ContactType { point, line, rigid };
/// A point of a link that may touch the world.
struct ContactSpec {
  std::string name, link;                        ///< its own name; the link that touches
  Vec3<double> point{0, 0, 0};                   ///< in link axes
  int line = 0;                                  ///< of the file; 0: none
  ContactType type = ContactType::point;         ///< what it holds
  Mat3<double> R_LC = Mat3<double>::identity();  ///< axes of its frame, which wrenches are given in
};

/// What the joint that closes a loop demands of its frames a and b, where z is the axis of both (or the normal):
///   revolute       origins and z coincide
///   prismatic      z coincide, and a does not turn in b
///   cylindrical    z coincide
///   planar         the planes across z coincide
///   point_on_line  the origin of b lies on the z of a
///   universal      origins coincide, and x of a is at right angles to y of b
///   spherical      origins coincide
///   rigid          the frames coincide
enum class LoopType { revolute, prismatic, cylindrical, planar, point_on_line, universal, spherical, rigid };

/// A frame at one end of the joint that closes a loop.
struct LoopEnd {
  std::string link;                                        ///< or "world"
  Transform<double> X_LF = Transform<double>::identity();  ///< its frame in the link's
};

/// A joint that closes a loop of the tree. b is the parent and a the child: its wrench is what b's side exerts on a's
/// link, at the origin and in the axes of a.
struct LoopSpec {
  std::string name;                     ///< unique in the model
  LoopType type = LoopType::spherical;  ///< what it demands
  LoopEnd a, b;                         ///< the frames that it joins
  int line = 0;                         ///< of the file; 0: none
};

/// Where the search for a closed configuration starts: the positions of a joint.
struct HomeSpec {
  std::string joint;      ///< its name
  std::vector<double> q;  ///< its positions
  int line = 0;           ///< of the file; 0: none
};

/// A plane through the world's origin that the model at zero is symmetric to. Joints whose names differ by their
/// endings alone are partners, others are their own.
struct MirrorSpec {
  Vec3<double> across{0, 0, 1};  ///< normal of the plane
  std::string endings[2];        ///< as _r and _l
  int line = 0;                  ///< of the file; 0: none
};

/// A whole model, as a file or a program says it.
struct ModelSpec {
  std::string name;                   ///< of the model
  std::string source;                 ///< where the numbers come from, in words
  std::string file;                   ///< for error messages; "" when made in code
  Vec3<double> gravity{0, 0, -9.81};  ///< m/s², in the world
  std::vector<LinkSpec> links;        ///< any order; exactly one root
  std::vector<FrameSpec> frames;      ///< besides those of the links
  std::vector<ContactSpec> contacts;  ///< all that can be switched on
  std::optional<MirrorSpec> mirror;   ///< what walking mirrors
  // Closed loops (structures/mechanism.h). Functions of a Model are those of its tree and do not see them.
  std::vector<LoopSpec> loops;           ///< joints beyond those of the tree
  std::vector<HomeSpec> home;            ///< joints that are not listed are at zero
  std::vector<std::string> independent;  ///< joints whose coordinates tell those of all others; empty: to be found
  int independent_line = 0;              ///< of the file; 0: none
};

/// Number of velocities and of positions of a joint type.
VERNE_API int velocity_count(JointType type);
/// Number of positions of a joint type.
VERNE_API int position_count(JointType type);
/// Whether entry k of the velocity of a joint type is a length per time, not an angle.
VERNE_API bool is_linear(JointType type, int k);
/// "revolute" and so on, as in model files.
VERNE_API const char* to_string(JointType type);
/// The type of that name; nothing when there is none.
VERNE_API std::optional<JointType> joint_type_from(const std::string& word);
/// "revolute" and so on, as in model files.
VERNE_API const char* to_string(LoopType type);
/// The type of that name; nothing when there is none.
VERNE_API std::optional<LoopType> loop_type_from(const std::string& word);
/// "point", "line" or "rigid", as in model files.
VERNE_API const char* to_string(ContactType type);
/// The type of that name; nothing when there is none.
VERNE_API std::optional<ContactType> contact_type_from(const std::string& word);

}  // namespace verne
