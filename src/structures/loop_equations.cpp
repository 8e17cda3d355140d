#include "structures/loop_equations.h"

namespace verne {

namespace {

constexpr LoopTerm kNone{kApart, 0, 0};
constexpr LoopEquation kDx{"d_x", true, {{kApart, 0, 1}, kNone}};
constexpr LoopEquation kDy{"d_y", true, {{kApart, 1, 1}, kNone}};
constexpr LoopEquation kDz{"d_z", true, {{kApart, 2, 1}, kNone}};
constexpr LoopEquation kZx{"z_x", false, {{kZ, 0, 1}, kNone}};
constexpr LoopEquation kZy{"z_y", false, {{kZ, 1, 1}, kNone}};
constexpr LoopEquation kYx{"y_x", false, {{kY, 0, 1}, kNone}};
// ½ vee(R − Rᵀ): axis times the sine of the angle.
constexpr LoopEquation kTurnX{"turn_x", false, {{kY, 2, 0.5}, {kZ, 1, -0.5}}};
constexpr LoopEquation kTurnY{"turn_y", false, {{kZ, 0, 0.5}, {kX, 2, -0.5}}};
constexpr LoopEquation kTurnZ{"turn_z", false, {{kX, 1, 0.5}, {kY, 0, -0.5}}};

constexpr std::array kRevolute{kDx, kDy, kDz, kZx, kZy};
constexpr std::array kPrismatic{kDx, kDy, kZx, kZy, kTurnZ};
constexpr std::array kCylindrical{kDx, kDy, kZx, kZy};
constexpr std::array kPlanar{kDz, kZx, kZy};
constexpr std::array kUniversal{kDx, kDy, kDz, kYx};
constexpr std::array kRigid{kDx, kDy, kDz, kTurnX, kTurnY, kTurnZ};

constexpr std::array kAllAxes{kX, kY, kZ};

}  // namespace

std::span<const LoopEquation> loop_equations(LoopType type) {
  switch (type) {
    case LoopType::revolute:
      return kRevolute;
    case LoopType::prismatic:
      return kPrismatic;
    case LoopType::cylindrical:
      return kCylindrical;
    case LoopType::planar:
      return kPlanar;
    case LoopType::point_on_line:
      return std::span(kCylindrical).first(2);
    case LoopType::universal:
      return kUniversal;
    case LoopType::spherical:
      return std::span(kRigid).first(3);
    case LoopType::rigid:
      return kRigid;
  }
  return {};
}

std::span<const LoopPart> loop_directions(LoopType type) {
  switch (type) {
    case LoopType::revolute:
    case LoopType::cylindrical:
    case LoopType::planar:
      return std::span(kAllAxes).last(1);
    case LoopType::prismatic:
    case LoopType::rigid:
      return kAllAxes;
    case LoopType::point_on_line:
    case LoopType::universal:
    case LoopType::spherical:
      return {};
  }
  return {};
}

}  // namespace verne
