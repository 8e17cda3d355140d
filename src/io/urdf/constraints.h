/// What URDF files say beyond trees: joints that close loops, and gears between joints. The elements are those of URDF+
/// (Chignoli, Slotine, Wensing, Kim 2024) and its predecessors, and of Drake and Isaac Sim:
///
///   <loop name= type=><predecessor link=><origin/></predecessor><successor link=><origin/></successor><axis/></loop>
///   <coupling name=><predecessor link=/><successor link=/><ratio value=/></coupling>
///   <constraint name= type="position|rolling|...">   as one of these
///   <loop_constraint>, <joint_constraint>            with parent, child, parent_origin, child_origin, gear_ratio
///   <loop_joint type=><link1 link= xyz= rpy=/><link2 .../><axis/></loop_joint>
///
/// A coupling says, of the joints from the nearest common ancestor of its two links down to each of them,
///   sum of successor coordinates = ratio * sum of predecessor coordinates.
#pragma once

#include <tinyxml2.h>

#include <map>
#include <string>
#include <vector>

#include "io/xml/element.h"
#include "verne/model/spec.h"

namespace verne {

/// xyz, and rpy or quat_xyzw.
extern const XmlNames kUrdfPose;
Transform<double> urdf_pose(const XmlElement& element);
/// That of its <origin>, or none.
Transform<double> urdf_origin(const XmlElement& owner);

/// `independent="true|false"` of joints, by name.
using UrdfChoice = std::map<std::string, bool>;

/// Loops and couplings of one file.
class UrdfConstraints {
 public:
  UrdfConstraints(Diagnostics& diagnostics, XmlLeftovers& leftovers)
      : diagnostics_(diagnostics), leftovers_(leftovers) {}

  static const std::vector<std::string>& elements();
  void read(const tinyxml2::XMLElement& robot);
  /// Adds them to the links and joints of the file. Joints that a coupling tells from others follow these: of those it
  /// names, one that is not independent. What a joint that follows several others does is shared by massless links.
  void add_to(ModelSpec& spec, const UrdfChoice& independent);

 private:
  struct Coupling {
    std::string place, predecessor, successor;
    double ratio = 1;
    int line = 0;
  };

  void read_element(const tinyxml2::XMLElement& element);
  LoopEnd read_end(const XmlElement& in, bool first) const;
  void read_loop(const XmlElement& in, const std::string& name, const std::string& type);
  void read_coupling(const XmlElement& in);
  void add_loops(ModelSpec& spec, const UrdfChoice& independent);
  void add_couplings(ModelSpec& spec, const UrdfChoice& independent);

  Diagnostics& diagnostics_;
  XmlLeftovers& leftovers_;
  std::vector<LoopSpec> loops_;
  std::vector<Coupling> couplings_;
};

}  // namespace verne
