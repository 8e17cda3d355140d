#include "shapes/drawn_mesh.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace verne {

namespace {

constexpr double kSteps = 65535;

std::vector<float> as_floats(const DrawnMesh& mesh) {
  std::vector<float> out(mesh.positions.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<float>(mesh.step[i % 3] * mesh.positions[i]);
  }
  return out;
}

std::size_t triangles_in(const std::vector<DrawnPart>& parts, std::vector<std::uint32_t> DrawnPart::*level) {
  std::size_t count = 0;
  for (const DrawnPart& part : parts) count += (part.*level).size() / 3;
  return count;
}

/// The most like it of at most so many triangles that keep it whole.
std::vector<std::uint32_t> simplified(const std::vector<std::uint32_t>& triangles, const std::vector<float>& positions,
                                      std::size_t most) {
  if (triangles.size() / 3 <= most || triangles.empty()) return triangles;
  constexpr float kAnyError = 1;
  std::vector<std::uint32_t> out(triangles.size());
  out.resize(meshopt_simplify(out.data(), triangles.data(), triangles.size(), positions.data(), positions.size() / 3,
                              3 * sizeof(float), 3 * most, kAnyError, 0, nullptr));
  if (out.size() / 3 <= most + most / 4) return out;
  // Many loose pieces, which cannot become fewer as long as each is kept.
  std::vector<std::uint32_t> sloppy(triangles.size());
  sloppy.resize(meshopt_simplifySloppy(sloppy.data(), triangles.data(), triangles.size(), positions.data(),
                                       positions.size() / 3, 3 * sizeof(float), 3 * most, kAnyError, nullptr));
  return sloppy.empty() ? out : sloppy;
}

/// Order of triangles that comes to vertices again soon.
void put_in_order(std::vector<std::uint32_t>& triangles, std::size_t vertices) {
  if (!triangles.empty()) {
    meshopt_optimizeVertexCache(triangles.data(), triangles.data(), triangles.size(), vertices);
  }
}

void leave_out_unused(DrawnMesh& mesh) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(mesh.vertex_count(), kNone);
  std::vector<std::uint16_t> kept;
  const auto settle = [&](std::vector<std::uint32_t>& triangles) {
    for (std::uint32_t& vertex : triangles) {
      if (place[vertex] == kNone) {
        place[vertex] = static_cast<std::uint32_t>(kept.size() / 3);
        kept.insert(kept.end(), &mesh.positions[3 * vertex], &mesh.positions[3 * vertex] + 3);
      }
      vertex = place[vertex];
    }
  };
  for (DrawnPart& part : mesh.parts) settle(part.fine);
  for (DrawnPart& part : mesh.parts) settle(part.coarse);
  mesh.positions = std::move(kept);
}

}  // namespace

std::size_t DrawnMesh::fine_count() const {
  return triangles_in(parts, &DrawnPart::fine);
}

std::size_t DrawnMesh::coarse_count() const {
  return triangles_in(parts, &DrawnPart::coarse);
}

double DrawnMesh::diagonal() const {
  return kSteps * std::hypot(step[0], step[1], step[2]);
}

DrawnMesh drawn_mesh(const Mesh& mesh) {
  DrawnMesh drawn;
  if (mesh.positions.empty()) return drawn;
  for (std::size_t k = 0; k < 3; ++k) {
    double low = mesh.positions[k], high = low;
    for (std::size_t i = k; i < mesh.positions.size(); i += 3) {
      low = std::min<double>(low, mesh.positions[i]), high = std::max<double>(high, mesh.positions[i]);
    }
    drawn.low[k] = low, drawn.step[k] = (high - low) / kSteps;
  }
  std::vector<std::uint16_t> rounded(mesh.positions.size());
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    const double step = drawn.step[i % 3];
    rounded[i] = step > 0 ? static_cast<std::uint16_t>(std::lround((mesh.positions[i] - drawn.low[i % 3]) / step)) : 0;
  }
  std::vector<std::uint32_t> place(mesh.vertex_count());
  const std::size_t count = meshopt_generateVertexRemap(place.data(), nullptr, mesh.vertex_count(), rounded.data(),
                                                        mesh.vertex_count(), 3 * sizeof(std::uint16_t));
  drawn.positions.resize(3 * count);
  for (std::size_t i = 0; i < rounded.size(); ++i) drawn.positions[3 * std::size_t{place[i / 3]} + i % 3] = rounded[i];
  std::size_t next = 0;
  for (const MeshPart& part : mesh.parts) {
    DrawnPart& own = drawn.parts.emplace_back();
    own.colour = part.colour;
    for (std::size_t t = 0; t < part.triangles; ++t, next += 3) {
      const std::uint32_t a = place[mesh.triangles[next]], b = place[mesh.triangles[next + 1]],
                          c = place[mesh.triangles[next + 2]];
      if (a != b && b != c && c != a) own.fine.insert(own.fine.end(), {a, b, c});
    }
    own.coarse = own.fine;
  }
  return drawn;
}

void simplify(DrawnMesh& mesh, std::size_t fine, std::size_t coarse) {
  const std::size_t all = std::max<std::size_t>(mesh.fine_count(), 1);
  const std::vector<float> positions = as_floats(mesh);
  for (DrawnPart& part : mesh.parts) {
    const std::size_t own = part.fine.size() / 3;
    part.fine = simplified(part.fine, positions, (own * fine + all - 1) / all);
    part.coarse = simplified(part.fine, positions, (own * coarse + all - 1) / all);
    put_in_order(part.fine, mesh.vertex_count());
    put_in_order(part.coarse, mesh.vertex_count());
  }
  leave_out_unused(mesh);
}

}  // namespace verne
