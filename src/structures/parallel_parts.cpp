#include "structures/parallel_parts.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/decompositions.h"
#include "dynamics/dispatch.h"
#include "structures/elimination.h"
#include "structures/slider_finder.h"

namespace verne {

namespace {

/// A leg is computed beside others in their order of elimination where its pivots are at least this part of theirs.
constexpr double kSimilarPivot = 0.1;

/// The rows of A that pivoting takes first, as many as its rank, in ascending order.
std::vector<int> leading_rows(const Eigen::MatrixXd& A) {
  std::vector<int> rows = independent_columns(A.transpose(), kRankTolerance);
  std::sort(rows.begin(), rows.end());
  return rows;
}

struct PivotOrder {
  std::vector<int> rows, columns;
};
/// In which a matrix of full column rank is eliminated with the largest pivots; fewer where it has less.
PivotOrder pivot_order(Eigen::MatrixXd A) {
  PivotOrder order;
  const double least = kRankTolerance * (A.size() ? A.cwiseAbs().maxCoeff() : 0.0);
  for (Eigen::Index step = 0; step < A.cols(); ++step) {
    Eigen::Index row = 0, column = 0;
    if (!(A.cwiseAbs().maxCoeff(&row, &column) > least)) break;
    order.rows.push_back(static_cast<int>(row)), order.columns.push_back(static_cast<int>(column));
    const Eigen::RowVectorXd pivot_row = A.row(row) / A(row, column);
    A -= (A.col(column) * pivot_row).eval();
    A.row(row).setZero(), A.col(column).setZero();
  }
  return order;
}

/// Those of elimination without exchanges.
Eigen::VectorXd pivots_of(Eigen::MatrixXd A) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::Index left = n - k - 1;
    A.col(k).tail(left) /= A(k, k);
    A.bottomRightCorner(left, left) -= (A.col(k).tail(left) * A.row(k).tail(left)).eval();
  }
  return A.diagonal();
}

}  // namespace

ParallelRobot::Parts::Parts(const Mechanism& mechanism)
    : closed(mechanism),
      c(mechanism.contents()),
      model(c.model),
      kernels(closing_kernels(single_kernels<double>().name)),
      lanes(lane_kernels(single_kernels<double>().name).lanes),
      torques(static_cast<std::size_t>(model.nv())),
      found(torques) {}

bool ParallelRobot::Parts::recognise() {
  if (model.coupled() || c.independent != c.actuated || !split_into_branches()) return false;
  LoopSystem<double> system(model, c.layout);
  system.evaluate(model, closed.parts().data, c.reference, closed.parts().zero_v);
  J_ = system.J;
  if (!put_into_packs() || !choose_constraints()) return false;
  for (Pack& pack : packs_) list_lanes(pack), list_loops(pack);
  list_platform_rows();
  order_platform_rows();
  put_plan();
  double quality = 0;
  const double* const zero = closed.parts().zero_v.data();
  kernels.legs_inverse(plan, {c.reference.data(), zero, zero}, nullptr, found.data(), &quality, scratch.block(0));
  return quality >= 1;
}

/// The platform is the one branch that is in every loop.
bool ParallelRobot::Parts::split_into_branches() {
  const Tree& tree = model.tree();
  std::vector<int> roots;
  for (int body = 0; body < tree.body_count; body = tree.bodies[body].subtree_end) roots.push_back(body);
  const auto root_of = [&](const LoopLayout::End& end) {
    const int body = body_of(end);
    return body < 0 ? -1 : *std::prev(std::upper_bound(roots.begin(), roots.end(), body));
  };
  std::set<int> common;
  for (const LoopLayout::Loop& loop : c.layout.loops) {
    const std::set<int> ends{root_of(loop.a), root_of(loop.b)};
    if (ends.size() != 2 || ends.contains(-1)) return false;
    if (&loop == &c.layout.loops.front()) {
      common = ends;
    } else {
      std::erase_if(common, [&](int k) { return !ends.contains(k); });
    }
  }
  if (common.size() != 1) return false;
  for (const int root : roots) {
    auto branch = std::make_unique<BranchTree>(tree, root);
    if (root == *common.begin()) {
      platform = std::move(branch);
      continue;
    }
    Leg& leg = legs.emplace_back();
    leg.branch = std::move(branch);
    for (std::size_t k = 0; k < c.layout.loops.size(); ++k) {
      const LoopLayout::Loop& loop = c.layout.loops[k];
      if (root_of(loop.a) != root && root_of(loop.b) != root) continue;
      leg.loops.push_back(static_cast<int>(k));
      for (std::size_t i = 0; i < loop.equations.size(); ++i) leg.equations.push_back(loop.first + static_cast<int>(i));
    }
  }
  return true;
}

int ParallelRobot::Parts::body_of(const LoopLayout::End& end) const {
  return end.slot < 0 ? -1 : model.tree().sites[c.layout.sites[static_cast<std::size_t>(end.slot)]].body;
}

bool ParallelRobot::Parts::leg_is_a(const Leg& leg, int loop) const {
  return leg.branch->has_body(body_of(loop_of(loop).a));
}

/// J of a leg's equations along the velocities of a branch, at the reference.
Eigen::MatrixXd ParallelRobot::Parts::rows_along(const Leg& leg, const BranchTree& branch) const {
  return J_(leg.equations, Eigen::seqN(branch.first_v(), branch.tree().nv));
}

/// Whether a leg may be computed beside those of a pack.
bool ParallelRobot::Parts::joins(const Leg& leg, const Pack& pack) const {
  const Leg& first = legs[static_cast<std::size_t>(pack.legs.front())];
  if (static_cast<int>(pack.legs.size()) == lanes || leg.loops.size() != first.loops.size() ||
      !leg.branch->is_like(*first.branch)) {
    return false;
  }
  for (std::size_t k = 0; k < leg.loops.size(); ++k) {
    const LoopLayout::Loop &one = loop_of(leg.loops[k]), &other = loop_of(first.loops[k]);
    const bool a = leg_is_a(leg, leg.loops[k]);
    if (one.equations.data() != other.equations.data() || a != leg_is_a(first, first.loops[k]) ||
        body_of(a ? one.a : one.b) - leg.branch->first_body() !=
            body_of(a ? other.a : other.b) - first.branch->first_body() ||
        body_of(a ? one.b : one.a) != body_of(a ? other.b : other.a)) {
      return false;
    }
  }
  const auto pivots = [&](const Leg& of) {
    return pivots_of(rows_along(of, *of.branch)(first.solved, pack.columns)).cwiseAbs().eval();
  };
  return (pivots(leg).array() >= kSimilarPivot * pivots(first).array()).all();
}

bool ParallelRobot::Parts::put_into_packs() {
  for (std::size_t l = 0; l < legs.size(); ++l) {
    Leg& leg = legs[l];
    const auto found_pack =
        std::find_if(packs_.begin(), packs_.end(), [&](const Pack& pack) { return joins(leg, pack); });
    if (found_pack == packs_.end()) {
      const Eigen::VectorXd row_scale = c.row_scale(leg.equations),
                            scale = c.column_scale.segment(leg.branch->first_v(), leg.branch->tree().nv);
      const PivotOrder order = pivot_order(row_scale.asDiagonal() * rows_along(leg, *leg.branch) * scale.asDiagonal());
      if (static_cast<int>(order.rows.size()) != leg.branch->tree().nv) return false;
      leg.solved = order.rows, leg.pack = static_cast<int>(packs_.size());
      packs_.emplace_back().columns = order.columns;
    } else {
      leg.pack = static_cast<int>(found_pack - packs_.begin());
      leg.solved = legs[static_cast<std::size_t>(found_pack->legs.front())].solved;
    }
    Pack& pack = packs_[static_cast<std::size_t>(leg.pack)];
    leg.lane = static_cast<int>(pack.legs.size());
    pack.legs.push_back(static_cast<int>(l));
    for (int i = 0; i < static_cast<int>(leg.equations.size()); ++i) {
      if (std::find(leg.solved.begin(), leg.solved.end(), i) == leg.solved.end()) leg.spare.push_back(i);
    }
    leg.G = -solution(rows_along(leg, *leg.branch)(leg.solved, Eigen::all),
                      rows_along(leg, *platform)(leg.solved, Eigen::all));
  }
  return true;
}

/// Of the equations that are left, as many as the platform has more freedoms than there are motors.
bool ParallelRobot::Parts::choose_constraints() {
  const int n = platform->tree().nv, missing = n - static_cast<int>(c.independent.size());
  std::vector<Constraint> all;
  for (std::size_t l = 0; l < legs.size(); ++l) {
    for (const int spare : legs[l].spare) all.push_back({static_cast<int>(l), spare});
  }
  if (missing <= 0) return missing == 0;
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(all.size()), n);
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const Constraint& at = all[static_cast<std::size_t>(k)];
    const Leg& leg = legs[static_cast<std::size_t>(at.leg)];
    rows.row(k) = rows_along(leg, *platform).row(at.equation) + rows_along(leg, *leg.branch).row(at.equation) * leg.G;
  }
  const std::vector<int> chosen = leading_rows(rows);
  if (static_cast<int>(chosen.size()) != missing) return false;
  for (const int k : chosen) constraints_.push_back(all[static_cast<std::size_t>(k)]);
  return true;
}

/// What differs from leg to leg. Lanes without a leg repeat the first.
void ParallelRobot::Parts::list_lanes(Pack& pack) {
  const auto width = static_cast<std::size_t>(lanes), n = pack.columns.size();
  pack.root.resize(12 * width), pack.pivot_scales.resize(n * width);
  for (std::size_t lane = 0; lane < width; ++lane) {
    const bool used = lane < pack.legs.size();
    const Leg& leg = legs[static_cast<std::size_t>(pack.legs[used ? lane : 0])];
    const TreeBody& root = leg.branch->tree().bodies[0];
    pack.used.push_back(used ? 1 : 0);
    pack.first_q.push_back(leg.branch->first_q()), pack.first_v.push_back(leg.branch->first_v());
    for (std::size_t i = 0; i < 9; ++i) pack.root[i * width + lane] = root.R[i];
    for (std::size_t i = 0; i < 3; ++i) pack.root[(9 + i) * width + lane] = root.p[i];
    const Eigen::VectorXd pivots = pivots_of(rows_along(leg, *leg.branch)(leg.solved, pack.columns));
    for (std::size_t k = 0; k < n; ++k) {
      pack.pivot_scales[k * width + lane] = 1 / pivots[static_cast<Eigen::Index>(k)];
    }
  }
}

void ParallelRobot::Parts::list_loops(Pack& pack) {
  const Leg& first = legs[static_cast<std::size_t>(pack.legs.front())];
  int positions = 0;
  pack.position.assign(first.equations.size(), -1);
  for (const int equation : first.solved) pack.position[static_cast<std::size_t>(equation)] = positions++;
  for (const Constraint& constraint : constraints_) {
    int& position = pack.position[static_cast<std::size_t>(constraint.equation)];
    if (&packs_[static_cast<std::size_t>(legs[static_cast<std::size_t>(constraint.leg)].pack)] == &pack && position < 0)
      position = positions++;
  }
  std::size_t equation = 0;
  for (std::size_t k = 0; k < first.loops.size(); ++k) {
    LegLoop loop{end_of(pack, k, true),
                 end_of(pack, k, false),
                 leg_is_a(first, first.loops[k]),
                 false,
                 static_cast<int>(pack.rows.size()),
                 0};
    for (const LoopEquation& law : loop_of(first.loops[k]).equations) {
      const int position = pack.position[equation++];
      if (position < 0) continue;
      pack.rows.push_back(closing_row(law, position));
      loop.has_directions |= has_directions(law);
    }
    loop.row_count = static_cast<int>(pack.rows.size()) - loop.first_row;
    pack.loops.push_back(loop);
  }
}

LegEnd ParallelRobot::Parts::end_of(Pack& pack, std::size_t loop, bool of_leg) {
  const auto width = static_cast<std::size_t>(lanes);
  std::vector<double>& pose = pack.poses.emplace_back(12 * width);
  std::vector<LegReach>& reaches = pack.reaches.emplace_back();
  int body = 0;
  for (std::size_t lane = width; lane-- > 0;) {  // the first leg comes last
    const Leg& leg = legs[static_cast<std::size_t>(pack.legs[lane < pack.legs.size() ? lane : 0])];
    const int index = leg.loops[loop];
    const LoopLayout::End& end = leg_is_a(leg, index) == of_leg ? loop_of(index).a : loop_of(index).b;
    const ClosingEnd at = end_on_body(model, c.layout.sites[static_cast<std::size_t>(end.slot)], end.X_LF);
    for (std::size_t i = 0; i < 9; ++i) pose[i * width + lane] = at.R[i];
    for (std::size_t i = 0; i < 3; ++i) pose[(9 + i) * width + lane] = at.p[i];
    body = at.slot - (of_leg ? leg.branch : platform)->first_body();
  }
  const Leg& first = legs[static_cast<std::size_t>(pack.legs.front())];
  const Tree& tree = (of_leg ? first.branch : platform)->tree();
  for (int v = tree.bodies[body].v + tree.bodies[body].nv - 1; v >= 0; v = tree.v_parent[v]) {
    const auto column = std::find(pack.columns.begin(), pack.columns.end(), v) - pack.columns.begin();
    reaches.push_back({v, of_leg ? static_cast<int>(column) : v});
  }
  const bool at_origin = std::all_of(pose.end() - 3 * lanes, pose.end(), [](double x) { return x == 0; });
  return {body, pose.data(), at_origin, reaches.data(), static_cast<int>(reaches.size())};
}

void ParallelRobot::Parts::list_platform_rows() {
  for (const int motor : c.independent) {
    const auto has = [&](const BranchTree& branch) {
      return motor >= branch.first_v() && motor < branch.first_v() + branch.tree().nv;
    };
    if (has(*platform)) {
      platform_rows_.push_back({-1, 0, motor - platform->first_v(), false});
      continue;
    }
    const auto leg = std::find_if(legs.begin(), legs.end(), [&](const Leg& l) { return has(*l.branch); });
    const std::vector<int>& columns = packs_[static_cast<std::size_t>(leg->pack)].columns;
    const auto column = std::find(columns.begin(), columns.end(), motor - leg->branch->first_v()) - columns.begin();
    platform_rows_.push_back({leg->pack, leg->lane, static_cast<int>(column), false});
  }
  for (const Constraint& constraint : constraints_) {
    const Leg& leg = legs[static_cast<std::size_t>(constraint.leg)];
    const Pack& pack = packs_[static_cast<std::size_t>(leg.pack)];
    platform_rows_.push_back({leg.pack, leg.lane, pack.position[static_cast<std::size_t>(constraint.equation)], true});
  }
}

Eigen::MatrixXd ParallelRobot::Parts::K_at_reference() const {
  const Eigen::Index n = platform->tree().nv, motors = static_cast<Eigen::Index>(c.independent.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const PlatformRow& row = platform_rows_[static_cast<std::size_t>(k)];
    if (row.pack < 0) {
      K(k, row.index) = 1;
      continue;
    }
    const Pack& pack = packs_[static_cast<std::size_t>(row.pack)];
    const Leg& leg = legs[static_cast<std::size_t>(pack.legs[static_cast<std::size_t>(row.lane)])];
    if (k < motors) {
      K.row(k) = leg.G.row(pack.columns[static_cast<std::size_t>(row.index)]);
    } else {
      const int equation = constraints_[static_cast<std::size_t>(k - motors)].equation;
      K.row(k) = rows_along(leg, *platform).row(equation) + rows_along(leg, *leg.branch).row(equation) * leg.G;
    }
  }
  return K;
}

/// By the largest pivots at the reference.
void ParallelRobot::Parts::order_platform_rows() {
  const Lu<double> lu(K_at_reference().transpose());
  places_.assign(lu.places().begin(), lu.places().end());
  usual_pivots_.clear();
  for (Eigen::Index k = 0; k < lu.places().size(); ++k) usual_pivots_.push_back(std::abs(lu.pivot(k)));
}

/// All of the distance is one equation or another, in any axes, and tells the leg's velocities.
bool ParallelRobot::Parts::ends_in_ball(const Pack& pack) const {
  const Tree& leg = legs[static_cast<std::size_t>(pack.legs.front())].branch->tree();
  for (int i = 0; i < leg.body_count; ++i) {
    if (leg.bodies[i].nv != 1 || leg.bodies[i].parent != i - 1) return false;
  }
  return platform->tree().body_count == 1 && pack.columns.size() == 3 && pack.rows.size() == 3 &&
         pack.loops.size() == 1 &&
         loop_of(legs[static_cast<std::size_t>(pack.legs.front())].loops.front()).equations.data() ==
             loop_equations(LoopType::spherical).data();
}

/// A leg that ends in a ball on its slider, whose force is all that motors give.
void ParallelRobot::Parts::find_slider(Pack& pack) const {
  const LegEnd& end = pack.loops.front().leg;
  const double* const p = end.pose + static_cast<std::ptrdiff_t>(9) * lanes;
  if (end.body != 2 || !std::all_of(p, p + 2 * lanes, [](double x) { return x == 0; })) return;
  pack.slider_rows.assign(static_cast<std::size_t>(lanes), -1);
  for (std::size_t k = 0; k < platform_rows_.size(); ++k) {
    const PlatformRow& row = platform_rows_[k];
    if (row.pack < 0 || &packs_[static_cast<std::size_t>(row.pack)] != &pack) continue;
    if (row.equation || pack.columns[static_cast<std::size_t>(row.index)] != 2) return;
    pack.slider_rows[static_cast<std::size_t>(row.lane)] = static_cast<int>(k);
  }
  const auto used = pack.slider_rows.begin() + static_cast<std::ptrdiff_t>(pack.legs.size());
  if (std::find(pack.slider_rows.begin(), used, -1) != used) return;
  pack.slider = slider_leg_of(legs[static_cast<std::size_t>(pack.legs.front())].branch->tree());
  if (!pack.slider) return;
  const auto width = static_cast<std::size_t>(lanes);
  pack.slider_axes.resize(12 * width);
  for (std::size_t lane = 0; lane < width; ++lane) {
    const int leg = pack.legs[lane < pack.legs.size() ? lane : 0];
    const std::array<double, 12> axes = slider_axes_of(legs[static_cast<std::size_t>(leg)].branch->tree());
    for (std::size_t i = 0; i < axes.size(); ++i) pack.slider_axes[i * width + lane] = axes[i];
  }
  pack.slider->axes = pack.slider_axes.data(), pack.slider->rows = pack.slider_rows.data();
}

void ParallelRobot::Parts::put_plan() {
  for (Pack& pack : packs_) {
    const bool ball = ends_in_ball(pack);
    if (ball) find_slider(pack);
    const Leg& first = legs[static_cast<std::size_t>(pack.legs.front())];
    pack_plans_.push_back({&first.branch->tree(), pack.root.data(), pack.used.data(), pack.first_q.data(),
                           pack.first_v.data(), static_cast<int>(pack.legs.size()), ball,
                           pack.slider ? &*pack.slider : nullptr, pack.loops.data(),
                           static_cast<int>(pack.loops.size()), pack.rows.data(), static_cast<int>(pack.rows.size()),
                           pack.columns.data(), pack.pivot_scales.data()});
  }
  const auto n = static_cast<int>(platform_rows_.size());
  bool in_lanes = pack_plans_.size() == 1 && n < lanes;
  for (int k = 0; k < n; ++k) {
    const PlatformRow& row = platform_rows_[static_cast<std::size_t>(k)];
    in_lanes &= row.pack == 0 && !row.equation && row.lane == k && row.index == platform_rows_.front().index;
  }
  plan = {&platform->tree(),
          platform->first_q(),
          platform->first_v(),
          pack_plans_.data(),
          static_cast<int>(pack_plans_.size()),
          static_cast<int>(legs.size()),
          lanes,
          platform_rows_.data(),
          static_cast<int>(c.independent.size()),
          places_.data(),
          usual_pivots_.data(),
          std::all_of(pack_plans_.begin(), pack_plans_.end(), [](const LegPack& pack) { return pack.ball; }),
          in_lanes};
  scratch = LaneArray(static_cast<int>(leg_lanes(plan) * lanes + platform_values(plan)), 1, 1);
}

}  // namespace verne
