#include "verne/model/spec.h"

#include <array>

namespace verne {

namespace {

struct JointTypeRow {
  JointType type;
  const char* name;
  int positions, velocities;
};

constexpr std::array kJointTypes{
    JointTypeRow{JointType::fixed, "fixed", 0, 0},
    JointTypeRow{JointType::revolute, "revolute", 1, 1},
    JointTypeRow{JointType::prismatic, "prismatic", 1, 1},
    JointTypeRow{JointType::helical, "helical", 1, 1},
    JointTypeRow{JointType::cylindrical, "cylindrical", 2, 2},
    JointTypeRow{JointType::universal, "universal", 2, 2},
    JointTypeRow{JointType::planar, "planar", 3, 3},
    JointTypeRow{JointType::spherical, "spherical", 4, 3},
    JointTypeRow{JointType::free, "free", 7, 6},
};

const JointTypeRow& row(JointType type) {
  return kJointTypes[static_cast<std::size_t>(type)];
}

}  // namespace

int velocity_count(JointType type) {
  return row(type).velocities;
}

int position_count(JointType type) {
  return row(type).positions;
}

const char* to_string(JointType type) {
  return row(type).name;
}

std::optional<JointType> joint_type_from(const std::string& word) {
  for (const JointTypeRow& candidate : kJointTypes) {
    if (word == candidate.name) return candidate.type;
  }
  return std::nullopt;
}

}  // namespace verne
