#include "motion/terms/corridor.h"

#include <algorithm>

namespace verne {

namespace {

constexpr LimitKind kClearance{.name = "clearance", .known_from = 1, .of_posture = true, .of_zone = true};
constexpr int kFrameInputs = 12;  // an origin and three ends of axes, three coordinates each

std::vector<int> frame_channels(int link, ChannelLayout& channels) {
  std::vector<int> all;
  for (const Vec3<double>& p : {Vec3<double>{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
    const int first = channels.point(link, p);
    for (int i = 0; i < 3; ++i) all.push_back(first + i);
  }
  return all;
}

std::vector<int> inputs_of(const SeparatingPlane& plane, ChannelLayout& channels) {
  std::vector<int> inputs = frame_channels(plane.link, channels);
  if (plane.other < 0) return inputs;
  for (const int channel : frame_channels(plane.other, channels)) inputs.push_back(channel);
  return inputs;
}

int rows_of(const SeparatingPlane& plane) {
  return static_cast<int>(plane.corners.size() * std::max<std::size_t>(1, plane.others.size()));
}

/// Of sign · n · x by the inputs: x = o (1 − Σ c) + Σ c_i e_i.
void put_slopes(const Vec3<double>& corner, const Vec3<double>& n, double sign, double* slopes) {
  const double weights[4] = {1 - corner.x - corner.y - corner.z, corner.x, corner.y, corner.z};
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 3; ++i) slopes[3 * k + i] = sign * weights[k] * n[i];
  }
}

}  // namespace

OneSide::OneSide(const SeparatingPlane& plane, ChannelLayout& channels)
    : LimitTerm({kClearance, plane.of, "m"}, inputs_of(plane, channels), rows_of(plane)), least_(plane.least) {
  const std::size_t width = inputs().size();
  slopes_.assign(width * static_cast<std::size_t>(rows()), 0.0);
  double* row = slopes_.data();
  for (const Vec3<double>& corner : plane.corners) {
    if (plane.other < 0) {
      put_slopes(corner, plane.normal, 1, row);
      row += width;
    }
    for (const Vec3<double>& other : plane.others) {
      put_slopes(corner, plane.normal, 1, row);
      put_slopes(other, plane.normal, -1, row + kFrameInputs);
      row += width;
    }
  }
}

void OneSide::value(const double* u, double* rows) const {
  const std::size_t width = inputs().size();
  for (std::size_t r = 0; r < slopes_.size() / width; ++r) {
    rows[r] = 0;
    for (std::size_t k = 0; k < width; ++k) rows[r] += slopes_[r * width + k] * u[k];
  }
}

void OneSide::jacobian(const double*, double* J) const {
  std::ranges::copy(slopes_, J);
}

double OneSide::measured(const double* u) const {
  std::vector<double> all(static_cast<std::size_t>(rows()));
  value(u, all.data());
  return *std::ranges::min_element(all);
}

std::vector<std::unique_ptr<LimitTerm>> corridor_terms(const CorridorPlace& place, ChannelLayout& channels) {
  std::vector<std::unique_ptr<LimitTerm>> terms;
  for (const SeparatingPlane& plane : place.planes) terms.push_back(std::make_unique<OneSide>(plane, channels));
  return terms;
}

}  // namespace verne
