#include "structures/batch_assembly.h"

#include <algorithm>
#include <cmath>

#include "structures/closing.h"
#include "structures/loop_walk.h"
#include "structures/mechanism_batch_parts.h"

namespace verne {

namespace {

/// Openings from which one step of Newton's method leaves rounding alone, in units of what counts as closed: 1e-7 m.
constexpr double kNearlyClosed = 1e4;
/// Steps of Newton's method that may follow a prediction, and that end a walk.
constexpr int kMostCorrections = 8, kLastCorrections = 2;
/// Radians, or lengths: a longer correction leaves the branch.
constexpr double kLongestCorrection = 0.4;
/// Evaluations of a block, and steps that a state may take back: the rest is for single states.
constexpr int kMostRounds = 120, kMostRetreats = 12;

/// One block, in the memory of one thread.
class BlockAssembly {
 public:
  BlockAssembly(const BatchRunner& run, MechanismBatch& batch, const MechanismBatch::Parts::Room& at, double* scratch)
      : run_(run),
        batch_(batch),
        s_(batch.parts()),
        c_(s_.mechanism.contents()),
        plan_(s_.elimination.plan()),
        at_(at),
        scratch_(scratch),
        lanes_(batch.tree.lanes()),
        nq_(c_.model.nq()),
        nv_(c_.model.nv()),
        closed_(closed_tolerance(c_)),
        states_(static_cast<std::size_t>(lanes_)) {
    double* next = at.scratch;
    const auto take = [&](int rows) { return std::exchange(next, next + static_cast<std::ptrdiff_t>(rows) * lanes_); };
    goal_ = take(nq_), from_ = take(nq_), base_ = take(nq_), predicted_ = take(nq_);
    way_ = take(nv_), rate_ = take(nv_), x_ = take(nv_), bend_ = take(nv_);
    opening_ = take(1), keep_ = take(1);
    memory_ = next;
  }
  /// Values of a lane that this takes of the room's scratch.
  static long room(const Model& model) { return 4L * (model.nq() + model.nv()) + 2; }

  /// Of `here` states from the block's first one on. Lanes of `quality` below one are left to single states.
  void walk(int block, int here, const LaneArray& independent, const double* guess, double* quality) {
    trial_ = run_.values(batch_.tree.q, block);
    std::copy_n(guess, nq_ * lanes_, trial_);
    std::copy_n(guess, nq_ * lanes_, goal_);
    put_independent(independent, block);
    run_.kernels().difference(run_.tree(), trial_, goal_, way_);
    for (const int k : c_.dependent) std::fill_n(way_ + k * lanes_, lanes_, 0.0);
    std::copy_n(trial_, nq_ * lanes_, predicted_);
    std::copy_n(trial_, nq_ * lanes_, from_);
    states_.assign(static_cast<std::size_t>(lanes_), {});
    for (int l = here; l < lanes_; ++l) state(l).stage = Stage::arrived;
    for (int k = 0; k < kMostRounds && !all_stand(); ++k) round(quality);
    for (int l = 0; l < lanes_; ++l) quality[l] = state(l).stage == Stage::arrived ? 1 : 0;
  }

  /// Velocities and accelerations of the tree at what walk() found.
  void move(int block, const LaneArray& v, const LaneArray& a, double* quality) {
    double *const tree_v = run_.values(batch_.tree.v, block), *const tree_a = run_.values(batch_.tree.a, block);
    std::fill_n(tree_v, nv_ * lanes_, 0.0);
    std::fill_n(tree_a, nv_ * lanes_, 0.0);
    const double *const given_v = run_.values(v, block), *const given_a = run_.values(a, block);
    for (std::size_t k = 0; k < c_.independent.size(); ++k) {
      const auto row = static_cast<std::ptrdiff_t>(k) * lanes_;
      std::copy_n(given_v + row, lanes_, tree_v + c_.independent[k] * lanes_);
      std::copy_n(given_a + row, lanes_, tree_a + c_.independent[k] * lanes_);
    }
    put_terms(nullptr);
    s_.kernels.complete(plan_, at_.terms(), nullptr, nullptr, tree_v, opening_, memory_);
    put_terms(tree_v);
    s_.kernels.complete(plan_, at_.terms(), nullptr, tree_v, tree_a, keep_, memory_);
    for (int l = 0; l < lanes_; ++l) {
      if (!(opening_[l] >= 1) || !(keep_[l] >= 1)) quality[l] = 0;
    }
  }

 private:
  enum class Stage {
    closing,    ///< what was predicted
    polishing,  ///< where the way ends
    arrived,
    lost  ///< to be closed as a single state
  };
  /// What a lane does in a round.
  enum class Move { stand, correct, advance, retreat };
  struct State {
    Stage stage = Stage::closing;
    Move move = Move::stand;
    double left = 1, step = 0, next_step = 1, size = 0;
    bool started = false, last = false;
    int corrections = 0, polished = 0, retreats = 0;
  };
  State& state(int lane) { return states_[static_cast<std::size_t>(lane)]; }
  bool all_stand() const {
    return std::ranges::all_of(states_,
                               [](const State& s) { return s.stage == Stage::arrived || s.stage == Stage::lost; });
  }

  void put_independent(const LaneArray& independent, int block) {
    const double* from = run_.values(independent, block);
    for (const int k : c_.independent_q) {
      std::copy_n(from, lanes_, goal_ + k * lanes_);
      from += lanes_;
    }
  }

  /// Of the trial: poses and Jacobians, or where v is not null all that drifts need.
  void put_terms(const double* v) {
    Inputs<double> in;
    in.q = trial_, in.v = v;
    const std::vector<int>& sites = c_.layout.sites;
    run_.kernels().control_terms(run_.tree(), in,
                                 {sites.data(), static_cast<int>(sites.size()), v ? at_.M : nullptr, nv_,
                                  v ? at_.torques : nullptr, at_.J, v ? at_.drifts : nullptr, at_.poses, false},
                                 scratch_);
  }

  void round(double* quality) {
    put_terms(nullptr);
    s_.kernels.openings(plan_, at_.terms(), opening_);
    run_.kernels().difference(run_.tree(), predicted_, trial_, bend_);
    std::fill_n(x_, nv_ * lanes_, 0.0);
    for (int l = 0; l < lanes_; ++l) {
      state(l).move = decided(l);
      keep_[l] = state(l).move == Move::correct ? 1 : 0;
      if (state(l).move != Move::advance) continue;
      for (const int k : c_.independent) x_[k * lanes_ + l] = way_[k * lanes_ + l];
    }
    s_.kernels.complete(plan_, at_.terms(), keep_, nullptr, x_, quality, memory_);
    for (int l = 0; l < lanes_; ++l) go_on(l, quality[l]);
    run_.kernels().integrate(run_.tree(), base_, x_, trial_);
    for (int l = 0; l < lanes_; ++l) keep_exact(l);
  }

  /// Largest entry of a motion, in units of the mechanism's length.
  double size_of(const double* motion, int lane) const {
    double size = 0;
    for (int k = 0; k < nv_; ++k) {
      const double entry = std::abs(motion[k * lanes_ + lane]) / c_.column_scale[k];
      if (!(entry <= size)) size = entry;
    }
    return size;
  }

  Move decided(int l) {
    State& s = state(l);
    const double opening = opening_[l];
    if (s.stage == Stage::arrived || s.stage == Stage::lost) return Move::stand;
    if (s.stage == Stage::polishing) {
      if (s.polished++ < kLastCorrections) return Move::correct;
      s.stage = opening <= closed_ ? Stage::arrived : Stage::lost;
      return Move::stand;
    }
    if (!(opening <= kNearlyClosed * closed_)) {
      return opening < kMirroredOpening && s.corrections++ < kMostCorrections ? Move::correct : Move::retreat;
    }
    if (s.started && !(size_of(bend_, l) <= kMostBend * s.size * s.step + kStanding)) return Move::retreat;
    s.started = true;
    copy_lane(trial_, from_, l);
    s.left -= s.step;
    if (!s.last) return Move::advance;
    s.stage = Stage::polishing, s.polished = 1;
    return Move::correct;
  }

  /// Sets where the lane goes from, and what x is added there.
  void go_on(int l, double quality) {
    State& s = state(l);
    if (s.move != Move::stand && s.move != Move::retreat && !(quality >= 1)) s.move = Move::retreat;
    if (s.move == Move::correct && !(size_of(x_, l) <= kLongestCorrection)) s.move = Move::retreat;
    copy_lane(trial_, base_, l);
    if (s.move == Move::correct) return;
    if (s.move == Move::advance) {
      s.size = size_of(x_, l);
      for (int k = 0; k < nv_; ++k) rate_[k * lanes_ + l] = x_[k * lanes_ + l];
      s.step = std::min({s.next_step, s.left, kLongestWalk / std::max(s.size, kStanding)});
      if (!(s.size < 1e300)) s.stage = Stage::lost, s.move = Move::stand;
    } else if (s.move == Move::retreat) {
      s.step /= 2;
      if (!s.started || s.step == 0 || s.stage == Stage::polishing || ++s.retreats > kMostRetreats) {
        s.stage = Stage::lost, s.move = Move::stand;
      }
    }
    const double part = s.move == Move::stand ? 0 : s.step;
    for (int k = 0; k < nv_; ++k) x_[k * lanes_ + l] = part == 0 ? 0 : rate_[k * lanes_ + l] * part;
    if (s.move == Move::stand) return;
    copy_lane(from_, base_, l);
    s.last = s.step >= s.left, s.next_step = 2 * s.step, s.corrections = 0;
  }

  /// Independent coordinates of a trial where the way ends are those that were asked for; what stands is not touched.
  void keep_exact(int l) {
    const State& s = state(l);
    if (s.move == Move::stand) return copy_lane(base_, trial_, l);
    if (s.last) {
      for (const int k : c_.exact_q) trial_[k * lanes_ + l] = goal_[k * lanes_ + l];
    }
    if (s.move != Move::correct) copy_lane(trial_, predicted_, l);
  }

  void copy_lane(const double* from, double* to, int lane) const {
    for (int k = 0; k < nq_; ++k) to[k * lanes_ + lane] = from[k * lanes_ + lane];
  }

  const BatchRunner& run_;
  MechanismBatch& batch_;
  MechanismBatch::Parts& s_;
  const Mechanism::Contents& c_;
  const ClosingPlan& plan_;
  const MechanismBatch::Parts::Room& at_;
  double* scratch_;
  int lanes_, nq_, nv_;
  double closed_;
  std::vector<State> states_;
  double *goal_, *from_, *base_, *predicted_, *way_, *rate_, *x_, *bend_, *opening_, *keep_, *memory_;
  double* trial_ = nullptr;  ///< tree.q of the block
};

}  // namespace

void assemble(MechanismBatch& batch, const LaneArray& q, const LaneArray& v, const LaneArray& a, const LaneArray* guess,
              std::vector<char>& connected) {
  MechanismBatch::Parts& s = batch.parts();
  const Mechanism& mechanism = s.mechanism;
  const Mechanism::Contents& c = mechanism.contents();
  const BatchRunner run("assemble", c.model, batch.tree);
  run.check("q", q, mechanism.nq());
  run.check("v", v, mechanism.mobility());
  run.check("a", a, mechanism.mobility());
  if (guess) run.check("guess", *guess, c.model.nq());
  const int lanes = batch.tree.lanes(), count = batch.tree.count();
  connected.assign(static_cast<std::size_t>(count), 1);
  LaneArray home(c.model.nq(), lanes, lanes);
  for (int l = 0; l < lanes; ++l) home.set(l, c.home.eigen());
  // A quaternion that leads dependent velocities has no place of its own on the way.
  const bool alone = !c.partial_v.empty();
  if (!alone) {
    const ClosingPlan& plan = s.elimination.plan();
    s.make_room(run.workers(), c.layout.sites.size(), closing_scratch(plan) + BlockAssembly::room(c.model));
    run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
      const auto at = s.room(worker, c.layout.sites.size());
      BlockAssembly block(run, batch, at, scratch);
      double* const quality = run.values(s.quality, b);
      block.walk(b, std::min(lanes, count - b * lanes), q, run.values(guess ? *guess : home, guess ? b : 0), quality);
      block.move(b, v, a, quality);
    });
  }
  compute_singles(run, batch, alone, [&](int k, MechanismBatch::Parts::Single& m) {
    const Eigen::VectorXd from = guess ? guess->get(k) : Eigen::VectorXd(c.home.eigen());
    connected[static_cast<std::size_t>(k)] = assemble<double>(mechanism, m.closed(), q.get(k), from, m.q);
    closed_motion<double>(mechanism, m.closed(), m.q, v.get(k), a.get(k), m.v, m.a);
    batch.tree.q.set(k, m.q), batch.tree.v.set(k, m.v), batch.tree.a.set(k, m.a);
  });
}

}  // namespace verne
