#include "shapes/hull.h"

#include <cstdio>
#include <cstdlib>

extern "C" {
#include <libqhull_r/libqhull_r.h>
#include <libqhull_r/poly_r.h>
#include <libqhull_r/qset_r.h>
}

#include <array>
#include <map>

namespace verne {

namespace {

/// A run of the library and its memory.
class HullRun {
 public:
  explicit HullRun(std::vector<double>& points) {
    nowhere_ = std::fopen("/dev/null", "w");  // it would tell all who can hear of flat meshes
    qh_zero(&qh_, nowhere_);
    char command[] = "qhull Qt Pp";
    failed_ =
        qh_new_qhull(&qh_, 3, static_cast<int>(points.size() / 3), points.data(), 0, command, nowhere_, nowhere_) != 0;
  }
  ~HullRun() {
    int current = 0, total = 0;
    qh_freeqhull(&qh_, !qh_ALL);
    qh_memfreeshort(&qh_, &current, &total);
    if (nowhere_) std::fclose(nowhere_);
  }
  HullRun(const HullRun&) = delete;
  HullRun& operator=(const HullRun&) = delete;

  bool failed() const { return failed_; }
  /// Points of each triangle, against the clock as one looks from outside.
  std::vector<std::array<int, 3>> triangles() {
    std::vector<std::array<int, 3>> all;
    for (facetT* facet = qh_.facet_list; facet && facet->next; facet = facet->next) {
      std::array<int, 3> corners{};
      std::size_t count = 0;
      for (void** at = &facet->vertices->e[0].p; *at && count < 3; ++at) {
        corners[count++] = qh_pointid(&qh_, static_cast<vertexT*>(*at)->point);
      }
      if (count < 3) continue;
      if (facet->toporient != static_cast<unsigned>(qh_ORIENTclock)) std::swap(corners[1], corners[2]);
      all.push_back(corners);
    }
    return all;
  }

 private:
  qhT qh_;
  std::FILE* nowhere_ = nullptr;
  bool failed_ = false;
};

}  // namespace

std::optional<Mesh> convex_hull(const Mesh& mesh) {
  std::vector<double> points(mesh.positions.begin(), mesh.positions.end());
  if (points.size() < 12) return std::nullopt;
  HullRun run(points);
  if (run.failed()) return std::nullopt;
  Mesh hull;
  std::map<int, std::uint32_t> place;
  for (const std::array<int, 3>& corners : run.triangles()) {
    for (const int point : corners) {
      const auto [entry, added] = place.emplace(point, static_cast<std::uint32_t>(place.size()));
      if (added)
        hull.positions.insert(hull.positions.end(), &mesh.positions[3 * std::size_t(point)],
                              &mesh.positions[3 * std::size_t(point)] + 3);
      hull.triangles.push_back(entry->second);
    }
  }
  if (hull.triangles.empty()) return std::nullopt;
  hull.parts.push_back({std::nullopt, hull.triangle_count()});
  return hull;
}

}  // namespace verne
