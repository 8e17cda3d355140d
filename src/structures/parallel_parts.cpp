#include "structures/parallel_parts.h"

#include <Eigen/QR>
#include <algorithm>
#include <set>

#include "model/tree.h"

namespace verne {

namespace {

/// A pivot below this part of the largest one makes the general method judge whether the state is singular.
constexpr double kSuspiciousPivot = 1e-5;

template <class Block>
bool is_suspicious(const Eigen::PartialPivLU<Block>& lu) {
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  return pivots.size() > 0 && !(pivots.minCoeff() > kSuspiciousPivot * pivots.maxCoeff());
}

/// The rows of A that pivoting takes first, as many as its rank, in ascending order.
std::vector<int> leading_rows(const Eigen::MatrixXd& A) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A.cols(), A.rows());
  qr.setThreshold(kRankTolerance);
  qr.compute(A.transpose());
  std::vector<int> rows;
  for (Eigen::Index k = 0; k < qr.rank(); ++k) rows.push_back(qr.colsPermutation().indices()[k]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

ParallelRobot::Parts::Parts(const Mechanism& mechanism)
    : closed(mechanism),
      p(closed.parts()),
      c(mechanism.contents()),
      model(c.model),
      terms(model, c.layout.sites),
      kinematics(model),
      torques(Eigen::VectorXd::Zero(model.nv())),
      motion(torques),
      velocities(torques) {}

bool ParallelRobot::Parts::recognise() {
  if (model.coupled() || c.independent != c.actuated || !split_into_branches()) return false;
  control_terms<double>(model, p.data, c.reference, velocities, terms);
  for (Leg& leg : legs) {
    if (!choose_equations(leg)) return false;
  }
  return choose_constraints();
}

/// The platform is the one branch that is in every loop.
bool ParallelRobot::Parts::split_into_branches() {
  const Tree& tree = model.tree();
  std::vector<Branch> branches;
  std::vector<int> branch_of_v;
  for (int k = 0; k < model.nv(); ++k) {
    if (tree.v_parent[k] < 0) branches.push_back({k, 0});
    ++branches.back().count;
    branch_of_v.push_back(static_cast<int>(branches.size()) - 1);
  }
  const auto branch = [&](const LoopLayout::End& end) {
    const int body = end.slot < 0 ? -1 : tree.sites[c.layout.sites[static_cast<std::size_t>(end.slot)]].body;
    return body < 0 ? -1 : branch_of_v[static_cast<std::size_t>(tree.bodies[body].v)];
  };
  std::set<int> common;
  for (const LoopLayout::Loop& loop : c.layout.loops) {
    const std::set<int> ends{branch(loop.a), branch(loop.b)};
    if (ends.size() != 2 || ends.contains(-1)) return false;
    if (&loop == &c.layout.loops.front()) {
      common = ends;
    } else {
      std::erase_if(common, [&](int k) { return !ends.contains(k); });
    }
  }
  if (common.size() != 1) return false;
  const int base = *common.begin();
  platform = branches[static_cast<std::size_t>(base)];
  leg_of.assign(branch_of_v.size(), -1);
  for (int b = 0; b < static_cast<int>(branches.size()); ++b) {
    if (b == base) continue;
    Leg& leg = legs.emplace_back();
    static_cast<Branch&>(leg) = branches[static_cast<std::size_t>(b)];
    std::fill_n(leg_of.begin() + leg.first, leg.count, static_cast<int>(legs.size()) - 1);
    for (std::size_t k = 0; k < c.layout.loops.size(); ++k) {
      const LoopLayout::Loop& loop = c.layout.loops[k];
      if (branch(loop.a) == b || branch(loop.b) == b) leg.loops.push_back(static_cast<int>(k));
    }
  }
  return true;
}

bool ParallelRobot::Parts::choose_equations(Leg& leg) {
  int equations = 0;
  for (const int k : leg.loops) {
    equations += static_cast<int>(c.layout.loops[static_cast<std::size_t>(k)].equations.size());
  }
  if (std::max({equations, leg.count, platform.count}) > kMostOfALeg || equations < leg.count) return false;
  leg.by_platform.setZero(equations, platform.count), leg.by_leg.setZero(equations, leg.count);
  leg.drift.setZero(equations);
  put_rows(leg);
  leg.solved = leading_rows(leg.by_leg);
  for (int i = 0; i < equations; ++i) {
    if (std::find(leg.solved.begin(), leg.solved.end(), i) == leg.solved.end()) leg.spare.push_back(i);
  }
  return static_cast<int>(leg.solved.size()) == leg.count;
}

bool ParallelRobot::Parts::choose_constraints() {
  const int free = static_cast<int>(c.independent.size()), missing = platform.count - free;
  std::vector<Constraint> all;
  for (std::size_t l = 0; l < legs.size(); ++l) {
    solve_leg(legs[l]);
    for (const int spare : legs[l].spare) all.push_back({static_cast<int>(l), spare});
  }
  if (missing < 0) return false;
  if (missing > 0) {
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(all.size()), platform.count);
    for (Eigen::Index k = 0; k < rows.rows(); ++k) {
      const Constraint& at = all[static_cast<std::size_t>(k)];
      const Leg& leg = legs[static_cast<std::size_t>(at.leg)];
      rows.row(k) = leg.by_platform.row(at.spare) + leg.by_leg.row(at.spare) * leg.G;
    }
    const std::vector<int> chosen = leading_rows(rows);
    if (static_cast<int>(chosen.size()) != missing) return false;
    for (const int k : chosen) constraints.push_back(all[static_cast<std::size_t>(k)]);
  }
  K.setZero(platform.count, platform.count), offset.setZero(platform.count);
  try {
    evaluate(c.reference);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

const ParallelRobot::Parts::Branch& ParallelRobot::Parts::branch_of(const LoopLayout::End& end) const {
  const Tree& tree = model.tree();
  const int v = tree.bodies[tree.sites[c.layout.sites[static_cast<std::size_t>(end.slot)]].body].v;
  const int leg = leg_of[static_cast<std::size_t>(v)];
  return leg < 0 ? platform : legs[static_cast<std::size_t>(leg)];
}

FrameMotion<double> ParallelRobot::Parts::link_of(const LoopLayout::End& end) const {
  const double* const pose = terms.poses.col(end.slot).data();
  const Vec3<double> zero = Vec3<double>::zero();
  FrameMotion<double> link{Vec3<double>::load(pose), {}, zero, zero, zero, zero};
  std::copy_n(pose + 3, 9, link.R.m);
  return link;
}

/// With its velocity, and its acceleration where all of the tree's are zero.
FrameMotion<double> ParallelRobot::Parts::moving_link_of(const LoopLayout::End& end) const {
  FrameMotion<double> link = link_of(end);
  const double* const drift = terms.drifts.col(end.slot).data();
  link.a = Vec3<double>::load(drift), link.alpha = Vec3<double>::load(drift + 3);
  const Branch& branch = branch_of(end);
  const auto J = terms.jacobian(end.slot);
  for (int j = branch.first; j < branch.first + branch.count; ++j) {
    const double* const column = J.col(j).data();
    link.v += Vec3<double>::load(column) * velocities[j], link.omega += Vec3<double>::load(column + 3) * velocities[j];
  }
  return link;
}

/// Rows of a leg's loops along the platform's velocities and its own.
void ParallelRobot::Parts::put_rows(Leg& leg) {
  int row = 0;
  for (const int k : leg.loops) {
    const LoopLayout::Loop& loop = c.layout.loops[static_cast<std::size_t>(k)];
    const FrameMotion<double> a = frame_on(link_of(loop.a), loop.a.X_LF), b = frame_on(link_of(loop.b), loop.b.X_LF);
    const LoopState<double> s = loop_state(a, b);
    const auto count = static_cast<int>(loop.equations.size());
    for (const bool of_a : {true, false}) {
      const LoopLayout::End& end = of_a ? loop.a : loop.b;
      const Branch& branch = branch_of(end);
      Block& into = &branch == &platform ? leg.by_platform : leg.by_leg;
      const auto J = terms.jacobian(end.slot);
      // Of the point of this link that is at a's origin, which u is about.
      const Vec3<double> r = a.p - Vec3<double>::load(terms.poses.col(end.slot).data());
      for (int j = 0; j < branch.count; ++j) {
        const double* const column = J.col(branch.first + j).data();
        const Vec3<double> turn = Vec3<double>::load(column + 3) * (of_a ? 1.0 : -1.0);
        const Vec3<double> move = Vec3<double>::load(column) * (of_a ? 1.0 : -1.0) + cross(turn, r);
        const LoopState<double> rate = loop_rate(s, transpose_times(a.R, move), transpose_times(a.R, turn));
        for (int i = 0; i < count; ++i) into(row + i, j) = value_of(loop.equations[static_cast<std::size_t>(i)], rate);
      }
    }
    row += count;
  }
}

void ParallelRobot::Parts::put_drifts(Leg& leg) {
  int row = 0;
  for (const int k : leg.loops) {
    const LoopLayout::Loop& loop = c.layout.loops[static_cast<std::size_t>(k)];
    const FrameMotion<double> a = frame_on(moving_link_of(loop.a), loop.a.X_LF),
                              b = frame_on(moving_link_of(loop.b), loop.b.X_LF);
    const LoopState<double> acceleration = loop_acceleration(loop_state(a, b), a, b);
    for (const LoopEquation& equation : loop.equations) leg.drift[row++] = value_of(equation, acceleration);
  }
}

void ParallelRobot::Parts::solve_leg(Leg& leg) {
  const Block own = leg.by_leg(leg.solved, Eigen::all);
  const Eigen::PartialPivLU<Block> lu(own);
  leg.G = -lu.solve(Block(leg.by_platform(leg.solved, Eigen::all)));
  leg.offset = -lu.solve(Column(leg.drift(leg.solved)));
}

void ParallelRobot::Parts::evaluate(VectorIn<double> q, VectorIn<double> v) {
  velocities = v;
  control_terms<double>(model, p.data, q, v, terms);
  for (Leg& leg : legs) {
    put_rows(leg);
    put_drifts(leg);
    solve_leg(leg);
  }
  put_platform(q);
}

void ParallelRobot::Parts::evaluate(VectorIn<double> q) {
  forward_kinematics<double>(model, p.data, q, kinematics);
  const Eigen::Index n = model.nv();
  for (std::size_t k = 0; k < terms.sites.size(); ++k) {
    const auto slot = static_cast<Eigen::Index>(k);
    terms.poses.col(slot) = kinematics.poses.col(terms.sites[k]);
    jacobian<double>(model, p.data, q, terms.sites[k], terms.jacobians.middleCols(slot * n, n));
  }
  for (Leg& leg : legs) {
    leg.drift.setZero();
    put_rows(leg);
    solve_leg(leg);
  }
  put_platform(q);
}

void ParallelRobot::Parts::put_platform(VectorIn<double> q) {
  Eigen::Index row = 0;
  for (const int motor : c.independent) {
    const int at = leg_of[static_cast<std::size_t>(motor)];
    if (at < 0) {
      K.row(row).setZero(), offset[row] = 0;
      K(row++, motor - platform.first) = 1;
      continue;
    }
    const Leg& leg = legs[static_cast<std::size_t>(at)];
    K.row(row) = leg.G.row(motor - leg.first), offset[row++] = leg.offset[motor - leg.first];
  }
  for (const Constraint& constraint : constraints) {
    const Leg& leg = legs[static_cast<std::size_t>(constraint.leg)];
    K.row(row) = leg.by_platform.row(constraint.spare) + leg.by_leg.row(constraint.spare) * leg.G;
    offset[row++] = leg.drift[constraint.spare] + leg.by_leg.row(constraint.spare).dot(leg.offset);
  }
  K_lu.compute(K);
  bool suspicious = is_suspicious(K_lu);
  for (const Leg& leg : legs) suspicious |= !leg.G.allFinite();
  if (suspicious) p.evaluate(q, p.zero_v);  // throws where the state is singular, and says how
}

ParallelRobot::Parts::Column ParallelRobot::Parts::gathered(const Eigen::VectorXd& of_tree) const {
  Column forces = of_tree.segment(platform.first, platform.count);
  for (const Leg& leg : legs) forces.noalias() += leg.G.transpose() * of_tree.segment(leg.first, leg.count);
  return forces;
}

}  // namespace verne
