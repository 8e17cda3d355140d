#include "motion/values/ground_loads.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace verne {

namespace {

constexpr int kPose = 12, kTwist = 6;

Vec3<double> force_of(const GroundLoads::Wrench& w) {
  return Vec3<double>::load(w.data());
}
Vec3<double> moment_of(const GroundLoads::Wrench& w) {
  return Vec3<double>::load(w.data() + 3);
}
GroundLoads::Wrench wrench_of(const Vec3<double>& force, const Vec3<double>& moment) {
  GroundLoads::Wrench w;
  w << force.x, force.y, force.z, moment.x, moment.y, moment.z;
  return w;
}

}  // namespace

GroundLoads::GroundLoads(const Model& model, const Ground& ground, std::vector<std::vector<int>> dofs, int count)
    : joints_(model.nv()) {
  for (int i = 0; i < ground.supports(); ++i) {
    Support s;
    s.site = ground.support(i).site;
    s.dofs = std::move(dofs[i]);
    s.position_of_dof.assign(joints_ + ground.contacts().components(), -1);
    for (int r = 0; r < kPose; ++r) s.pose_rows.push_back({kPose * s.site + r, r});
    for (int k = 0; k < static_cast<int>(s.dofs.size()); ++k) {
      s.position_of_dof[s.dofs[k]] = k;
      for (int r = 0; r < kTwist; ++r) s.jacobian_rows.push_back({kTwist * s.dofs[k] + r, kTwist * k + r});
    }
    s.pose.resize(kPose, count);
    s.axes.resize(kTwist * static_cast<Eigen::Index>(s.dofs.size()), count);
    s.point.resize(count);
    std::vector<int> both;
    std::set_union(dofs_.begin(), dofs_.end(), s.dofs.begin(), s.dofs.end(), std::back_inserter(both));
    dofs_ = std::move(both);
    pulls_.push_back({Wrench::Zero(), std::vector<Wrench>(s.dofs.size())});
    supports_.push_back(std::move(s));
  }
}

void GroundLoads::place(const Ground& ground, const std::vector<Place>& places) {
  for (int i = 0; i < supports(); ++i) {
    supports_[i].share.clear();
    supports_[i].reference.clear();
    for (const Place& place : places) {
      supports_[i].share.push_back(ground.share(i, place));
      supports_[i].reference.push_back(ground.reference(i, place));
    }
  }
}

void GroundLoads::evaluate(const Model& model, Batch& batch, const Eigen::Ref<const Eigen::MatrixXd>& root) {
  root_ = root;
  for (Support& s : supports_) {
    gather(batch.poses, s.pose_rows, s.pose);
    jacobian(model, batch, s.site, false);
    gather(batch.jacobian, s.jacobian_rows, s.axes);
    for (int n = 0; n < batch.count(); ++n) {
      const double* const pose = s.pose.col(n).data();
      const Vec3<double> p = Vec3<double>::load(pose);
      Mat3<double> R;
      std::copy_n(pose + 3, 9, R.m);
      s.point[n] = p + R * s.reference[n];
      for (double* twist = s.axes.col(n).data(); twist != s.axes.col(n).data() + s.axes.rows(); twist += kTwist) {
        (Vec3<double>::load(twist) + cross(p, Vec3<double>::load(twist + 3))).store(twist);  // at the world's origin
      }
    }
  }
}

auto GroundLoads::axis(int node, const Support& support, int k) const -> Axis {
  const double* const twist = support.axes.col(node).data() + static_cast<std::ptrdiff_t>(kTwist) * k;
  return {Vec3<double>::load(twist), Vec3<double>::load(twist + 3)};
}

Vec3<double> GroundLoads::force(int node) const {
  return Vec3<double>::load(root_.col(node).data());
}

Vec3<double> GroundLoads::lever(int node) const {
  if (supports_.size() < 2) return {0, 0, 0};
  return supports_[0].point[node] - supports_[1].point[node];
}

double GroundLoads::lever_factor(int node, int support) const {
  if (supports_.size() < 2) return 0;
  return support == 0 ? supports_[1].share[node] : -supports_[0].share[node];
}

Vec3<double> GroundLoads::lever_slope(int node, int dof) const {
  Vec3<double> slope{0, 0, 0};
  for (std::size_t i = 0; i < supports_.size() && supports_.size() == 2; ++i) {
    const Support& s = supports_[i];
    const int k = s.position_of_dof[dof];
    if (k < 0) continue;
    const Axis a = axis(node, s, k);
    slope = slope + (a.linear + cross(a.angular, s.point[node])) * (i == 0 ? 1.0 : -1.0);
  }
  return slope;
}

auto GroundLoads::wrench(int node, int support) const -> Wrench {
  Wrench w = root_.col(node);
  (moment_of(w) + cross(lever(node), force(node)) * lever_factor(node, support)).store(w.data() + 3);
  return w;
}

double GroundLoads::torque(int node, int dof) const {
  double sum = 0;
  for (int i = 0; i < supports(); ++i) {
    const Support& s = supports_[i];
    const int k = s.position_of_dof[dof];
    if (k < 0) continue;
    const Axis a = axis(node, s, k);
    const Wrench w = wrench(node, i);
    sum += s.share[node] * (dot(a.linear, force_of(w)) + dot(a.angular, moment_of(w)));
  }
  return sum;
}

void GroundLoads::add_wrench_gradient(int node, int support, int row, double weight, const RootGradient& root,
                                      double* out) const {
  const auto size = static_cast<int>(root.dofs.size()), entries = root.orders * size;
  for (int e = 0; e < entries; ++e) out[e] += weight * root.rows[row][e];
  const double factor = weight * lever_factor(node, support);
  if (row < 3 || factor == 0) return;
  // M + κ D × F
  const int u = (row - 3 + 1) % 3, v = (row - 3 + 2) % 3;
  const Vec3<double> D = lever(node), F = force(node);
  for (int e = 0; e < entries; ++e) out[e] += factor * (D[u] * root.rows[v][e] - D[v] * root.rows[u][e]);
  for (int k = 0; k < size; ++k) {
    const Vec3<double> slope = lever_slope(node, root.dofs[k]);
    out[k] += factor * (slope[u] * F[v] - slope[v] * F[u]);
  }
}

void GroundLoads::add_torque_gradient(int node, int dof, double weight, const RootGradient& root, double* out) const {
  const auto size = static_cast<int>(root.dofs.size()), entries = root.orders * size;
  for (int i = 0; i < supports(); ++i) {
    const Support& s = supports_[i];
    const int k = s.position_of_dof[dof];
    if (k < 0 || s.share[node] == 0) continue;
    const double scale = weight * s.share[node], factor = lever_factor(node, i);
    const Axis a = axis(node, s, k);
    const Vec3<double> by_force = a.linear + cross(a.angular, lever(node)) * factor;
    for (int r = 0; r < 3; ++r) {
      const double f = scale * by_force[r], m = scale * a.angular[r];
      for (int e = 0; e < entries; ++e) out[e] += f * root.rows[r][e] + m * root.rows[3 + r][e];
    }
    const Wrench w = wrench(node, i);
    const Vec3<double> by_lever = cross(force(node), a.angular) * (scale * factor);
    for (int l = 0; l < size; ++l) {
      out[l] += dot(by_lever, lever_slope(node, root.dofs[l]));
      const int before = s.position_of_dof[root.dofs[l]];
      if (before < 0 || before >= k) continue;
      const Axis b = axis(node, s, before);  // carries the axis along
      out[l] += scale * (dot(cross(b.angular, a.linear) + cross(b.linear, a.angular), force_of(w)) +
                         dot(cross(b.angular, a.angular), moment_of(w)));
    }
  }
}

void GroundLoads::find_pulls(int node, const Multipliers& multipliers) {
  for (int i = 0; i < supports(); ++i) {
    const Support& s = supports_[i];
    Pull& pull = pulls_[i];
    Axis sum{{0, 0, 0}, {0, 0, 0}};  // over what is farther from the world than a freedom
    for (int k = static_cast<int>(s.dofs.size()) - 1; k >= 0; --k) {
      const Axis a = axis(node, s, k);
      pull.slopes[k] = -s.share[node] * wrench_of(cross(a.angular, sum.linear) + cross(a.linear, sum.angular),
                                                  cross(a.angular, sum.angular));
      const double lambda = multipliers.torques[s.dofs[k]];
      sum = {sum.linear + a.linear * lambda, sum.angular + a.angular * lambda};
    }
    pull.value =
        Eigen::Map<const Wrench>(multipliers.wrenches + 6 * i) - s.share[node] * wrench_of(sum.linear, sum.angular);
  }
}

auto GroundLoads::root_multipliers(int node, const Multipliers& multipliers) -> Wrench {
  find_pulls(node, multipliers);
  Wrench all = Wrench::Zero();
  for (int i = 0; i < supports(); ++i) {
    const Wrench& u = pulls_[i].value;
    all += u + wrench_of(cross(moment_of(u), lever(node)) * lever_factor(node, i), {0, 0, 0});
  }
  return all;
}

void GroundLoads::add_curvature(int node, const Multipliers& multipliers, const RootGradient& root,
                                const DofPairs& pairs, double* curvature) {
  using C = NodeCurvature;
  const std::ptrdiff_t curved = pairs.curved();
  double* const first = curvature - pairs.first_curved();
  const auto add = [&](C::Array array, int i, int k, double value) {
    first[array * curved + pairs.index(i, k)] += value;
  };
  const Vec3<double> F = force(node), D = lever(node);
  find_pulls(node, multipliers);

  // Between the posture and the root's wrench
  const auto size = static_cast<int>(root.dofs.size());
  for (const int dof : dofs_) {
    Wrench slope = Wrench::Zero();
    const Vec3<double> lever_by = lever_slope(node, dof);
    for (int i = 0; i < supports(); ++i) {
      const double factor = lever_factor(node, i);
      Vec3<double> extra = cross(moment_of(pulls_[i].value), lever_by);
      if (const int k = supports_[i].position_of_dof[dof]; k >= 0) {
        slope += pulls_[i].slopes[k];
        extra = extra + cross(moment_of(pulls_[i].slopes[k]), D);
      }
      slope += wrench_of(extra * factor, {0, 0, 0});
    }
    for (int order = 0; order < root.orders; ++order) {
      for (int l = 0; l < size; ++l) {
        const int other = root.dofs[l];
        double h = 0;
        for (int r = 0; r < 6; ++r) h += slope[r] * root.rows[r][order * size + l];
        if (other >= joints_) {
          if (order == 0) add(C::contact, dof, other, h);
        } else if (order == 0) {
          add(C::qq, dof, other, dof == other ? 2 * h : h);
        } else {
          const auto sum = order == 1 ? C::qv_sum : C::qa_sum;
          const auto difference = order == 1 ? C::qv_difference : C::qa_difference;
          add(sum, dof, other, dof == other ? h : h / 2);
          if (dof != other) add(difference, dof, other, dof > other ? h / 2 : -h / 2);
        }
      }
    }
  }

  // Of the posture alone
  for (int i = 0; i < supports(); ++i) {
    const Support& s = supports_[i];
    const Pull& u = pulls_[i];
    const Wrench w = wrench(node, i);
    const double factor = lever_factor(node, i);
    for (int l = 0; l < static_cast<int>(s.dofs.size()); ++l) {
      const Vec3<double> turned = moment_of(u.slopes[l]), moved = force_of(u.slopes[l]);
      for (int k = 0; k <= l; ++k) {  // k carries what l changes
        const Axis b = axis(node, s, k);
        const double h = dot(cross(b.angular, moved) + cross(b.linear, turned), force_of(w)) +
                         dot(cross(b.angular, turned), moment_of(w));
        add(C::qq, s.dofs[l], s.dofs[k], h);
      }
      if (factor == 0) continue;
      for (const int dof : dofs_) {
        const double h = factor * dot(cross(turned, lever_slope(node, dof)), F);
        add(C::qq, s.dofs[l], dof, s.dofs[l] == dof ? 2 * h : h);
      }
    }
  }
  for (std::size_t c = 0; c < supports_.size() && supports_.size() == 2; ++c) {  // the reference points' own
    const Support& s = supports_[c];
    Vec3<double> m{0, 0, 0};
    for (int i = 0; i < supports(); ++i) {
      m = m + cross(F, moment_of(pulls_[i].value)) * (lever_factor(node, i) * (c == 0 ? 1.0 : -1.0));
    }
    for (int l = 0; l < static_cast<int>(s.dofs.size()); ++l) {
      const Axis a = axis(node, s, l);
      const Vec3<double> by = a.linear + cross(a.angular, s.point[node]);
      for (int k = 0; k <= l; ++k) {
        add(C::qq, s.dofs[l], s.dofs[k], dot(cross(axis(node, s, k).angular, by), m));
      }
    }
  }
}

}  // namespace verne
