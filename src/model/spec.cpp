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

/// In the order of LoopType.
constexpr std::array kLoopTypes{"revolute",      "prismatic", "cylindrical", "planar",
                                "point_on_line", "universal", "spherical",   "rigid"};

/// In the order of ContactType.
constexpr std::array kContactTypes{"point", "line", "rigid"};

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

bool is_linear(JointType type, int k) {
  switch (type) {
    case JointType::prismatic:
      return true;
    case JointType::cylindrical:
      return k == 0;
    case JointType::planar:
      return k < 2;
    case JointType::free:
      return k < 3;
    default:
      return false;
  }
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

const char* to_string(LoopType type) {
  return kLoopTypes[static_cast<std::size_t>(type)];
}

std::optional<LoopType> loop_type_from(const std::string& word) {
  for (std::size_t i = 0; i < kLoopTypes.size(); ++i) {
    if (word == kLoopTypes[i]) return static_cast<LoopType>(i);
  }
  return std::nullopt;
}

const char* to_string(ContactType type) {
  return kContactTypes[static_cast<std::size_t>(type)];
}

std::optional<ContactType> contact_type_from(const std::string& word) {
  for (std::size_t i = 0; i < kContactTypes.size(); ++i) {
    if (word == kContactTypes[i]) return static_cast<ContactType>(i);
  }
  return std::nullopt;
}

}  // namespace verne
