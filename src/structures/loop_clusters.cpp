#include "structures/loop_clusters.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "model/tree.h"
#include "structures/elimination.h"

namespace verne {

namespace {

int body_of(const Mechanism::Contents& c, const LoopLayout::End& end) {
  if (end.slot < 0) return -1;
  return c.model.tree().sites[c.layout.sites[static_cast<std::size_t>(end.slot)]].body;
}

/// Bodies from one to the root.
std::vector<int> way_to_root(const Tree& tree, int body) {
  std::vector<int> way;
  for (; body >= 0; body = tree.bodies[body].parent) way.push_back(body);
  return way;
}

}  // namespace

LoopClusterFinder::LoopClusterFinder(const Mechanism::Contents& c, const ClosingPlan& plan) {
  unite_bodies(c);
  list_clusters(c, plan);
  list_spares(c);
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  plan_.body_count = c.model.tree().body_count, plan_.nv = plan.nv, plan_.count = count(clusters_);
  plan_.loop_count = plan.loop_count, plan_.site_count = count(c.layout.sites);
  plan_.local = clusters_.size() > 1;
  plan_.clusters = clusters_.data(), plan_.bodies = bodies_.data(), plan_.free = free_.data();
  plan_.steps = steps_.data(), plan_.loops = loops_.data(), plan_.spares = spares_.data();
  plan_.cluster_of = cluster_of_.data(), plan_.step_of = step_of_.data();
  plan_.G_row = G_row_.data(), plan_.first_D = first_D_.data();
  plan_.sites = c.layout.sites.data();
  plan_.moment_weight = 1 / (c.length * c.length);
}

int LoopClusterFinder::root_of(int body) const {
  while (joined_[static_cast<std::size_t>(body)] != body) body = joined_[static_cast<std::size_t>(body)];
  return body;
}

/// A loop ties together what moves one of its ends and not the other.
void LoopClusterFinder::unite_bodies(const Mechanism::Contents& c) {
  const Tree& tree = c.model.tree();
  joined_.resize(static_cast<std::size_t>(tree.body_count));
  std::iota(joined_.begin(), joined_.end(), 0);
  for (const LoopLayout::Loop& loop : c.layout.loops) {
    std::vector<int> a = way_to_root(tree, body_of(c, loop.a)), b = way_to_root(tree, body_of(c, loop.b));
    while (!a.empty() && !b.empty() && a.back() == b.back()) a.pop_back(), b.pop_back();
    a.insert(a.end(), b.begin(), b.end());
    body_of_loop_.push_back(a.empty() ? -1 : a.front());
    for (const int body : a) {
      const int one = root_of(a.front()), other = root_of(body);
      joined_[static_cast<std::size_t>(std::max(one, other))] = std::min(one, other);
    }
  }
}

/// Clusters come in the order of their first bodies, which is after that of their parents.
void LoopClusterFinder::list_clusters(const Mechanism::Contents& c, const ClosingPlan& plan) {
  const Tree& tree = c.model.tree();
  const auto size = [](const auto& list) { return static_cast<int>(list.size()); };
  std::map<int, std::vector<int>> members;
  for (int body = 0; body < tree.body_count; ++body) members[root_of(body)].push_back(body);
  cluster_of_.resize(static_cast<std::size_t>(tree.body_count));
  step_of_.assign(static_cast<std::size_t>(plan.nv), -1);
  G_row_.assign(static_cast<std::size_t>(plan.nv), 0);
  std::vector<int> free_of(static_cast<std::size_t>(plan.nv), -1);
  for (int k = 0; k < plan.rank; ++k) step_of_[static_cast<std::size_t>(plan.steps[k].velocity)] = k;
  for (int f = 0; f < plan.free_count; ++f) free_of[static_cast<std::size_t>(plan.independent[f])] = f;
  for (const auto& [root, bodies] : members) {
    LoopCluster cluster{
        tree.bodies[root].parent, size(bodies_), size(bodies), size(free_), 0, size(steps_), 0, size(loops_), 0, 0, 0};
    std::vector<int> velocities;
    for (const int body : bodies) {
      cluster_of_[static_cast<std::size_t>(body)] = size(clusters_);
      bodies_.push_back(body);
      for (int k = 0; k < tree.bodies[body].nv; ++k) velocities.push_back(tree.bodies[body].v + k);
    }
    for (const int k : velocities) {
      if (free_of[static_cast<std::size_t>(k)] >= 0) free_.push_back(free_of[static_cast<std::size_t>(k)]);
      if (step_of_[static_cast<std::size_t>(k)] >= 0) steps_.push_back(step_of_[static_cast<std::size_t>(k)]);
    }
    cluster.free_count = size(free_) - cluster.first_free, cluster.step_count = size(steps_) - cluster.first_step;
    std::sort(free_.begin() + cluster.first_free, free_.end());
    std::sort(steps_.begin() + cluster.first_step, steps_.end());
    for (const int k : velocities) {
      G_row_[static_cast<std::size_t>(k)] = plan_.G_size;
      plan_.G_size += cluster.free_count;
    }
    first_D_.push_back(plan_.D_size);
    plan_.D_size += cluster.free_count * cluster.free_count;
    for (int l = 0; l < size(body_of_loop_); ++l) {
      const int body = body_of_loop_[static_cast<std::size_t>(l)];
      if (body >= 0 && root_of(body) == root) loops_.push_back(l);
    }
    cluster.loop_count = size(loops_) - cluster.first_loop;
    clusters_.push_back(cluster);
  }
}

void LoopClusterFinder::list_spares(const Mechanism::Contents& c) {
  for (LoopCluster& cluster : clusters_) {
    cluster.first_spare = static_cast<int>(spares_.size());
    for (const int equation : c.redundant_rows) {
      const int loop = c.layout.loop_of(equation);
      const int* const own = loops_.data() + cluster.first_loop;
      if (std::find(own, own + cluster.loop_count, loop) == own + cluster.loop_count) continue;
      const ClosingRow row = closing_row(c.layout.equation(equation), 0);
      spares_.push_back(
          {{row.part[0], row.part[1]}, {row.axis[0], row.axis[1]}, {row.coefficient[0], row.coefficient[1]}, loop});
    }
    cluster.spare_count = static_cast<int>(spares_.size()) - cluster.first_spare;
    plan_.most_spares = std::max(plan_.most_spares, cluster.spare_count);
  }
}

}  // namespace verne
