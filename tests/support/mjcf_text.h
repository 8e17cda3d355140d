/// Parts of files of MuJoCo's format, as text and with frames, copies and attached models written out.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace verne::test {

/// What names in the attached model begin with.
inline constexpr char kMjcfPrefix[] = "p_";

std::string mjcf_numbers(std::initializer_list<double> numbers);
/// With a blank before it.
std::string mjcf_attribute(const char* name, const std::string& value);
std::string mjcf_attribute(const char* name, std::initializer_list<double> numbers);
std::string mjcf_attribute(const char* name, const Eigen::Vector3d& v);

/// What depends on <compiler>.
struct MjcfUnits {
  bool degrees = true;
  std::string euler = "xyz";

  double angle(double radians) const { return degrees ? radians * 180 / M_PI : radians; }
};

struct MjcfNode {
  std::string tag, name, attributes{}, own_class{}, child_class{};
  std::vector<MjcfNode> children{};
  std::string pose{};  ///< as it is written
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  // Joints: what frames and units change.
  std::optional<Eigen::Vector3d> at{}, axis{};
  bool angular = false;
  std::optional<double> ref{}, springref{};
  std::optional<std::pair<double, double>> range{};
  std::optional<std::pair<Eigen::Vector3d, Eigen::Vector3d>> ends{};
  // Copies.
  int count = 0;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero(), turn = Eigen::Vector3d::Zero();  ///< in radians
  std::string separator{};
};

Eigen::Matrix3d mjcf_euler_rotation(const MjcfUnits& units, const Eigen::Vector3d& radians);

std::string mjcf_text(const MjcfNode& node, const MjcfUnits& units);

/// An equality of two joints.
struct MjcfCoupling {
  std::string one, two, name;
  std::vector<double> polycoef;
  int given = 0;  ///< how many of the coefficients, which newer versions of MuJoCo allow
};
/// Of one of its copies, with so many coefficients.
std::string mjcf_text(const MjcfCoupling& coupling, const std::string& ending, int given);

/// Text without frames, copies and attached models.
class FlatMjcf {
 public:
  FlatMjcf(MjcfUnits units, MjcfUnits attached_units)
      : units_(std::move(units)), attached_units_(std::move(attached_units)) {}

  std::string text(const MjcfNode& world) { return flat(world, Eigen::Isometry3d::Identity(), {}); }
  /// Of the copies of a joint in the text so far.
  std::vector<std::string> endings(const std::string& joint) const {
    const auto found = endings_.find(joint);
    return found == endings_.end() ? std::vector<std::string>{} : found->second;
  }

 private:
  struct Place {
    bool attached = false, moved = false;  ///< moved by a frame
    std::string ending{}, child_class{};
  };

  std::string flat(const MjcfNode& node, const Eigen::Isometry3d& X, const Place& place);
  static std::string flat_pose(const MjcfNode& node, const Eigen::Isometry3d& X, const Place& place);
  std::string flat_children(const MjcfNode& node, const Eigen::Isometry3d& X, const Place& place);
  std::string flat_copies(const MjcfNode& node, const Eigen::Isometry3d& X, const Place& place);

  MjcfUnits units_, attached_units_;
  std::map<std::string, std::vector<std::string>> endings_;
};

}  // namespace verne::test
