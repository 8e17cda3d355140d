#include "io/mjcf/compiler.h"

#include <cctype>
#include <cmath>

#include "io/number.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr double kNoTurn = 1e-10;  // of a sine

}  // namespace

Mat3<double> shortest_turn_of_z(const Vec3<double>& to) {
  const Vec3<double> z = normalized(to), axis = cross(Vec3<double>{0, 0, 1}, z);
  const double sine = norm(axis);
  if (sine < kNoTurn) return z.z > 0 ? Mat3<double>::identity() : rotation_x(M_PI);
  return rotation_about(axis * (1 / sine), std::atan2(sine, z.z));
}

void MjcfCompiler::read(const MjcfElement& c) {
  degrees = c.word("angle", degrees ? "degree" : "radian") != "radian";
  auto_limits = c.word("autolimits", auto_limits ? "true" : "false") == "true";
  balance = c.word("balanceinertia", balance ? "true" : "false") == "true";
  from_geoms = c.word("inertiafromgeom", from_geoms);
  mesh_folder = c.word("meshdir", c.word("assetdir", mesh_folder));
  texture_folder = c.word("texturedir", c.word("assetdir", texture_folder));
  exact_meshes = c.word("exactmeshinertia", exact_meshes ? "true" : "false") == "true";
  strip_paths = c.word("strippath", strip_paths ? "true" : "false") == "true";
  bound_mass = c.number("boundmass", bound_mass);
  bound_inertia = c.number("boundinertia", bound_inertia);
  total_mass = c.number("settotalmass", total_mass);
  if (const auto range = c.numbers("inertiagrouprange", 2)) {
    groups[0] = (*range)[0], groups[1] = (*range)[1];
  }
  euler = c.word("eulerseq", euler);
  if (euler.size() != 3 || euler.find_first_not_of("xyzXYZ") != std::string::npos) {
    c.error("eulerseq: expected three of x, y, z, X, Y, Z, found " + in_quotes(euler));
    euler = "xyz";
  }
  if (c.word("coordinate", "local") != "local") c.error("coordinate: only local coordinates are understood");
}

double MjcfCompiler::angle(double value) const {
  return degrees ? value * M_PI / 180 : value;
}

/// `quat` gives way to any of the others, and what a default class says of these to what the element says.
Mat3<double> MjcfCompiler::orientation(const MjcfElement& element) const {
  for (const bool own : {true, false}) {
    for (const char* form : kMjcfOrientations) {
      if (own ? element.xml().Attribute(form) != nullptr : element.has(form)) return turned_by(form, element);
    }
  }
  const auto q = element.numbers("quat", 4);
  if (!q) return Mat3<double>::identity();
  const std::vector<double>& w = *q;
  if (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3] > 0) {
    return rotation_from_quaternion(w[1], w[2], w[3], w[0]);
  }
  element.error("quat: the quaternion is zero");
  return Mat3<double>::identity();
}

Mat3<double> MjcfCompiler::turned_by(const std::string& form, const MjcfElement& element) const {
  const std::size_t count = form == "axisangle" ? 4 : form == "xyaxes" ? 6 : 3;
  const auto numbers = element.numbers(form.c_str(), count);
  if (!numbers) return Mat3<double>::identity();
  const std::vector<double>& v = *numbers;
  if (form == "euler") return euler_rotation(v);
  const Vec3<double> axis{v[0], v[1], v[2]};
  if (norm(axis) == 0) {
    element.error(form + ": the axis is zero");
  } else if (form == "axisangle") {
    return rotation_about(normalized(axis), angle(v[3]));
  } else if (form == "zaxis") {
    return shortest_turn_of_z(axis);
  } else {
    const Vec3<double> x = normalized(axis), given{v[3], v[4], v[5]}, across = given - x * dot(x, given);
    if (norm(across) > 0) {
      const Vec3<double> y = normalized(across), z = cross(x, y);
      return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
    }
    element.error("xyaxes: the axes are parallel");
  }
  return Mat3<double>::identity();
}

/// Small letters turn about axes that turn along, capitals about fixed ones.
Mat3<double> MjcfCompiler::euler_rotation(const std::vector<double>& angles) const {
  Mat3<double> R = Mat3<double>::identity();
  for (int k = 0; k < 3; ++k) {
    const char letter = euler[k];
    const double turn = angle(angles[k]);
    const char axis = static_cast<char>(std::tolower(letter));
    const Mat3<double> step = axis == 'x' ? rotation_x(turn) : axis == 'y' ? rotation_y(turn) : rotation_z(turn);
    R = letter == axis ? R * step : step * R;
  }
  return R;
}

Transform<double> MjcfCompiler::pose(const MjcfElement& element) const {
  return {orientation(element), element.vector("pos", {0, 0, 0})};
}

}  // namespace verne
