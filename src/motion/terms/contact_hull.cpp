#include "motion/terms/contact_hull.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace verne {

std::vector<ContactPoint> contact_hull(const std::vector<ContactPoint>& contacts, const Eigen::Vector3d& up,
                                       const AtZero& at) {
  const Eigen::Vector3d east = up.unitOrthogonal(), north = up.cross(east);
  struct Corner {
    double x, y;
    ContactPoint contact;
  };
  std::vector<Corner> corners;
  for (const ContactPoint& c : contacts) corners.push_back({east.dot(at.place(c)), north.dot(at.place(c)), c});
  std::sort(corners.begin(), corners.end(),
            [](const Corner& a, const Corner& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  if (corners.size() < 3) {
    std::vector<ContactPoint> line;
    for (const Corner& c : corners) line.push_back(c.contact);
    return line;
  }
  // Below from left to right, then above from right to left: only turns to the left are kept.
  std::vector<Corner> chain;
  const auto add = [&](const Corner& c, std::size_t least) {
    const auto turns_left = [&](const Corner& a, const Corner& b) {
      return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
    };
    while (chain.size() >= least && !turns_left(chain[chain.size() - 2], chain.back())) chain.pop_back();
    chain.push_back(c);
  };
  for (const Corner& c : corners) add(c, 2);
  const std::size_t below = chain.size() + 1;
  for (auto c = corners.rbegin() + 1; c != corners.rend(); ++c) add(*c, below);
  chain.pop_back();  // the first one again
  std::vector<ContactPoint> out;
  for (const Corner& c : chain) out.push_back(c.contact);
  return out;
}

}  // namespace verne
