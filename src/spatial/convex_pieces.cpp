#include "spatial/convex_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr std::uint32_t kLeaf = 4;  // pieces
constexpr double kFar = std::numeric_limits<double>::infinity();
/// Boxes are a little larger than what is in them, by rounding.
constexpr double kRounding = 1e-12;

double size_of(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

Transform<double> moved(const Vec3<double>& p) {
  Transform<double> X = Transform<double>::identity();
  X.p = p;
  return X;
}

/// Where a ray from p meets a triangle, it is crossed. Edges count for one of both triangles at them but for rounding.
bool crosses(const std::vector<Vec3<double>>& triangle, const Vec3<double>& p, const Vec3<double>& along) {
  const Vec3<double> ab = triangle[1] - triangle[0], ac = triangle[2] - triangle[0], h = cross(along, ac);
  const double volume = dot(ab, h);
  if (volume == 0) return false;
  const Vec3<double> from = p - triangle[0], s = cross(from, ab);
  const double u = dot(from, h) / volume, v = dot(along, s) / volume;
  return u >= 0 && v >= 0 && u + v <= 1 && dot(ac, s) / volume > 0;
}

}  // namespace

ConvexPieces::ConvexPieces(std::vector<ConvexPiece> pieces, std::size_t first_of_shell, DrawnSurface drawn)
    : pieces_(std::move(pieces)),
      order_(pieces_.size()),
      nodes_(1),
      first_of_shell_(first_of_shell),
      drawn_(std::move(drawn)) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::vector<Box> boxes;
  for (std::size_t k = 0; k < pieces_.size(); ++k) boxes.push_back(box_of(k));
  nodes_[0].count = static_cast<std::uint32_t>(pieces_.size());
  for (std::size_t node = 0; node < nodes_.size(); ++node) split(node, boxes);
  center_ = (nodes_[0].box.low + nodes_[0].box.high) * 0.5;
  radius_ = size_of(nodes_[0].box.high - center_);
}

ConvexPieces::Box ConvexPieces::box_of(std::size_t piece) const {
  const ConvexPiece& one = pieces_[piece];
  Box box;
  for (int i = 0; i < 3; ++i) {
    Vec3<double> axis{0, 0, 0};
    axis[i] = 1;
    box.high[i] = support(one.body, moved(one.at), axis);
    box.low[i] = -support(one.body, moved(one.at), -axis);
    const double rounding = kRounding * (1 + std::abs(box.high[i]) + std::abs(box.low[i]));
    box.high[i] += rounding, box.low[i] -= rounding;
  }
  return box;
}

/// In the middle of the longest edge of the box of all middles, or by number where they are all on one side.
void ConvexPieces::split(std::size_t node, std::vector<Box>& boxes) {
  const std::uint32_t first = nodes_[node].first, count = nodes_[node].count;
  const auto begin = order_.begin() + first, end = begin + count;
  Box all = boxes[*begin], middles{(all.low + all.high) * 0.5, (all.low + all.high) * 0.5};
  for (auto at = begin; at != end; ++at) {
    const Box& box = boxes[*at];
    for (int i = 0; i < 3; ++i) {
      all.low[i] = std::min(all.low[i], box.low[i]), all.high[i] = std::max(all.high[i], box.high[i]);
      const double middle = (box.low[i] + box.high[i]) / 2;
      middles.low[i] = std::min(middles.low[i], middle), middles.high[i] = std::max(middles.high[i], middle);
    }
  }
  nodes_[node].box = all;
  if (count <= kLeaf) return;
  const Vec3<double> edges = middles.high - middles.low;
  const int axis = edges.x >= edges.y && edges.x >= edges.z ? 0 : edges.y >= edges.z ? 1 : 2;
  const auto middle_of = [&](std::uint32_t k) { return boxes[k].low[axis] + boxes[k].high[axis]; };
  const double half = middles.low[axis] + middles.high[axis];
  auto cut = std::stable_partition(begin, end, [&](std::uint32_t k) { return middle_of(k) < half; });
  if (cut == begin || cut == end) cut = begin + count / 2;
  const auto left = static_cast<std::uint32_t>(cut - begin);
  nodes_[node].first = static_cast<std::uint32_t>(nodes_.size()), nodes_[node].count = 0;
  nodes_.push_back({{}, first, left});
  nodes_.push_back({{}, first + left, count - left});
}

/// Not more than the distance of the body from the box.
double ConvexPieces::from_box(const Box& box, const ConvexBody& body, const Transform<double>& X_PB,
                              const Vec3<double>& center, double radius, double enough) const {
  Vec3<double> beyond{0, 0, 0};
  for (int i = 0; i < 3; ++i) beyond[i] = std::max({0.0, box.low[i] - center[i], center[i] - box.high[i]});
  const double by_ball = size_of(beyond) - radius;
  if (by_ball > enough) return by_ball;
  ConvexBody solid;
  solid.core = ConvexBody::Core::box, solid.half = (box.high - box.low) * 0.5;
  return separation(body, X_PB, solid, moved((box.low + box.high) * 0.5), enough).distance;
}

Separation ConvexPieces::from_piece(std::size_t piece, const ConvexBody& body, const Transform<double>& X_PB,
                                    double enough) const {
  return separation(body, X_PB, pieces_[piece].body, moved(pieces_[piece].at), enough);
}

NearestPiece ConvexPieces::nearest(const ConvexBody& body, const Transform<double>& X_PB, const Vec3<double>& center,
                                   double radius, double enough) const {
  NearestPiece best = nearest_piece(body, X_PB, center, radius, enough);
  if (inside(center)) best.apart = {std::min(best.apart.distance, -radius), {0, 0, 0}};
  return best;
}

NearestPiece ConvexPieces::nearest_piece(const ConvexBody& body, const Transform<double>& X_PB,
                                         const Vec3<double>& center, double radius, double enough) const {
  NearestPiece best{0, {kFar, {0, 0, 0}}};
  double passed_over = kFar;  // boxes and pieces that are beyond `enough` are at least that far away
  std::vector<std::pair<double, std::size_t>> open{{-kFar, 0}};
  while (!open.empty()) {
    const auto [least, at] = open.back();
    open.pop_back();
    if (least > enough || least >= best.apart.distance) {
      passed_over = std::min(passed_over, least);
      continue;
    }
    const Node& node = nodes_[at];
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
      const Separation apart = from_piece(order_[k], body, X_PB, std::min(enough, best.apart.distance));
      if (apart.distance < best.apart.distance) best = {order_[k], apart};
    }
    if (node.count > 0) continue;
    double of_child[2];
    for (std::size_t c = 0; c < 2; ++c) {
      of_child[c] =
          from_box(nodes_[node.first + c].box, body, X_PB, center, radius, std::min(enough, best.apart.distance));
    }
    const std::size_t near = of_child[0] <= of_child[1] ? 0 : 1, far = 1 - near;
    open.emplace_back(of_child[far], node.first + far);
    open.emplace_back(of_child[near], node.first + near);
  }
  best.apart.distance = std::min(best.apart.distance, passed_over);
  return best;
}

void ConvexPieces::near(const ConvexBody& body, const Transform<double>& X_PB, const Vec3<double>& center,
                        double radius, double within, std::vector<NearestPiece>& found) const {
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    if (from_box(node.box, body, X_PB, center, radius, within) > within) continue;
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
      const Separation apart = from_piece(order_[k], body, X_PB, within);
      if (apart.distance < within) found.push_back({order_[k], apart});
    }
    if (node.count == 0) open.push_back(node.first), open.push_back(node.first + 1);
  }
}

double ConvexPieces::deepest(const ConvexBody& body, const Transform<double>& X_PB, const Vec3<double>& center,
                             double radius) const {
  double depth = 0;
  std::vector<NearestPiece> touching;
  near(body, X_PB, center, radius, 0, touching);
  for (const NearestPiece& one : touching) {
    const ConvexPiece& piece = pieces_[one.piece];
    depth = std::max(depth, overlap(body, X_PB, piece.body, moved(piece.at)));
  }
  if (!inside(center)) return depth;
  const ConvexBody point;  // as far as the surface, and then all of it
  return std::max(depth, nearest_piece(point, moved(center), center, 0, kFar).apart.distance + radius);
}

bool ConvexPieces::crossings_are_odd(const Vec3<double>& p, const Vec3<double>& along) const {
  bool odd = false;
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    double enters = 0, leaves = kFar;
    for (int i = 0; i < 3; ++i) {
      const double a = (node.box.low[i] - p[i]) / along[i], b = (node.box.high[i] - p[i]) / along[i];
      enters = std::max(enters, std::min(a, b)), leaves = std::min(leaves, std::max(a, b));
    }
    if (enters > leaves) continue;
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
      if (order_[k] >= first_of_shell_ && crosses(pieces_[order_[k]].body.points, p, along)) odd = !odd;
    }
    if (node.count == 0) open.push_back(node.first), open.push_back(node.first + 1);
  }
  return odd;
}

/// A ray that passes an edge may be counted wrongly: of three rays two are right.
bool ConvexPieces::inside(const Vec3<double>& p) const {
  if (first_of_shell_ >= pieces_.size()) return false;
  const Box& all = nodes_[0].box;
  for (int i = 0; i < 3; ++i) {
    if (p[i] < all.low[i] || p[i] > all.high[i]) return false;
  }
  const bool first = crossings_are_odd(p, {0.3713906763541037, 0.5570860145311556, 0.7427813527082074});
  const bool second = crossings_are_odd(p, {-0.6123724356957945, 0.3535533905932738, -0.7071067811865476});
  return first == second ? first : crossings_are_odd(p, {0.2182178902359924, -0.8728715609439696, 0.4364357804719848});
}

}  // namespace verne
