/// How a model becomes bodies, joints and sites of MuJoCo's format.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "io/losses.h"
#include "verne/model/model.h"

namespace verne {

/// One of MuJoCo's joints; a joint of ours becomes up to three, one after the other in the same body.
struct MjcfJoint {
  const char* type;  ///< "hinge", "slide", "ball" or "free"
  Vec3<double> axis;
  std::string name;
  int dof;  ///< first of our joint's; -1: the slide of a helical joint, which follows its hinge
};

struct MjcfSite {
  std::string name;
  Transform<double> X_LS;
};

/// A loop, as sites that coincide: two pairs for a revolute one.
struct MjcfClosure {
  std::string name;
  const char* type;  ///< "connect" or "weld"
  std::string site_a, site_b;
};

/// A body has the frame of its link, but where a quaternion turns it, that of the joint: MuJoCo's quaternions are in
/// the axes of bodies.
class MjcfLayout {
 public:
  /// Throws InputError with what MuJoCo's format does not have; adds what it cannot say to `losses`.
  MjcfLayout(const Model& model, Losses& losses);

  const std::vector<int>& children(int link) const { return children_[index(link)]; }
  const std::vector<MjcfJoint>& joints(int link) const { return joints_[index(link)]; }
  const std::vector<MjcfSite>& sites(int link) const { return sites_[index(link)]; }
  const std::vector<MjcfSite>& world_sites() const { return world_sites_; }
  const std::vector<MjcfClosure>& closures() const { return closures_; }
  const std::string& body_name(int link) const { return body_names_[index(link)]; }
  /// The root stands for <worldbody>.
  bool is_world(int link) const { return link == 0 && root_is_world_; }
  /// Whether the frame of the body is that of the joint, not of the link.
  bool has_joint_frame(int link) const;
  Transform<double> X_BL(int link) const;
  /// Pose of the joint's frame in the world with all joints at zero.
  Transform<double> X_WJ(int link) const;
  /// MuJoCo refuses bodies that move and weigh nothing. The joint of such a link goes into the body of the only one
  /// that it carries. `turns`: whether this joint or one that joined it rotates, which no ball of the same body may
  /// follow.
  bool joins_child(int link, bool turns) const;
  /// Free joints stand in the world alone: where one does not, what hangs on links that are fixed to the world is
  /// written beside these.
  bool beside(int link) const { return flat_ && fixed_to_world(link); }

 private:
  static std::size_t index(int link) { return static_cast<std::size_t>(link); }
  const LinkSpec& link(int i) const { return model_.spec().links[index(i)]; }
  bool fixed_to_world(int link) const;
  void refuse_free_joints_on_moving_links();
  void place_bodies();
  void split_joints();
  void place_sites();
  void close_loops();
  void add_closure(const LoopSpec& loop, const std::string& name, const char* type, const Transform<double>& X_FS);
  std::string add_site(const LoopEnd& end, const std::string& name);

  const Model& model_;
  Losses& losses_;
  std::vector<std::vector<int>> children_;
  std::vector<std::vector<MjcfJoint>> joints_;
  std::vector<std::vector<MjcfSite>> sites_;
  std::vector<MjcfSite> world_sites_;
  std::vector<MjcfClosure> closures_;
  std::vector<std::string> body_names_;
  std::set<std::string> site_names_;
  bool root_is_world_ = false, flat_ = false;
};

}  // namespace verne
