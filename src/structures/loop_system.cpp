#include "structures/loop_system.h"

#include <algorithm>

namespace verne {

namespace {

template <class S, class Block>
Vec3<S> three(const Block& values) {
  return {values[0], values[1], values[2]};
}

int slot_of(const Model& model, const std::string& link, std::vector<int>& sites) {
  const auto links = model.links();
  const auto found = std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.name == link; });
  if (found == links.end()) return -1;
  const int site = static_cast<int>(found - links.begin());
  const auto known = std::find(sites.begin(), sites.end(), site);
  if (known == sites.end()) return sites.push_back(site), static_cast<int>(sites.size()) - 1;
  return static_cast<int>(known - sites.begin());
}

template <class S>
FrameMotion<S> world_motion() {
  const Vec3<S> zero = Vec3<S>::zero();
  return {zero, Mat3<S>::identity(), zero, zero, zero, zero};
}

}  // namespace

LoopLayout::LoopLayout(const Model& model) {
  for (const LoopSpec& spec : model.loops()) {
    const int a = slot_of(model, spec.a.link, sites), b = slot_of(model, spec.b.link, sites);
    loops.push_back(
        {loop_equations(spec.type), loop_directions(spec.type), equations, {a, spec.a.X_LF}, {b, spec.b.X_LF}});
    equations += static_cast<int>(loops.back().equations.size());
  }
}

int LoopLayout::loop_of(int equation) const {
  const auto after = std::find_if(loops.begin(), loops.end(), [&](const Loop& loop) { return loop.first > equation; });
  return static_cast<int>(after - loops.begin()) - 1;
}

const LoopEquation& LoopLayout::equation(int index) const {
  const Loop& loop = loops[static_cast<std::size_t>(loop_of(index))];
  return loop.equations[static_cast<std::size_t>(index - loop.first)];
}

template <class S>
LoopSystem<S>::LoopSystem(const Model& model, const LoopLayout& layout)
    : terms(model, layout.sites),
      phi(layout.equations),
      J(layout.equations, model.nv()),
      drift(layout.equations),
      states(layout.loops.size()),
      a(layout.loops.size()),
      b(layout.loops.size()),
      layout_(layout),
      v_(model.nv()) {}

template <class S>
void LoopSystem<S>::evaluate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v) {
  v_ = v;
  control_terms(model, data, q, v, terms);
  for (std::size_t k = 0; k < layout_.loops.size(); ++k) {
    const LoopLayout::Loop& loop = layout_.loops[k];
    a[k] = motion_of(loop.a, v_), b[k] = motion_of(loop.b, v_);
    states[k] = loop_state(a[k], b[k]);
    const LoopState<S> acceleration = loop_acceleration(states[k], a[k], b[k]);
    const auto rows = static_cast<Eigen::Index>(loop.equations.size());
    for (Eigen::Index i = 0; i < rows; ++i) {
      const LoopEquation& equation = loop.equations[static_cast<std::size_t>(i)];
      phi[loop.first + i] = value_of(equation, states[k]);
      drift[loop.first + i] = value_of(equation, acceleration);
    }
    for (Eigen::Index j = 0; j < J.cols(); ++j) {
      const Twist of_a = step_of(loop.a, a[k].p, j), of_b = step_of(loop.b, a[k].p, j);
      if (!of_a.moves && !of_b.moves) {
        J.col(j).segment(loop.first, rows).setZero();
        continue;
      }
      const LoopState<S> rate = loop_rate(states[k], transpose_times(a[k].R, of_a.v - of_b.v),
                                          transpose_times(a[k].R, of_a.omega - of_b.omega));
      for (Eigen::Index i = 0; i < rows; ++i) {
        J(loop.first + i, j) = value_of(loop.equations[static_cast<std::size_t>(i)], rate);
      }
    }
  }
}

template <class S>
FrameMotion<S> LoopSystem<S>::motion_of(const LoopLayout::End& end, const Vector<S>& v) const {
  if (end.slot < 0) return frame_on(world_motion<S>(), end.X_LF);
  const Eigen::Matrix<S, 6, 1> rate = terms.jacobian(end.slot) * v;
  FrameMotion<S> link{three<S>(terms.poses.col(end.slot)),
                      {},
                      three<S>(rate),
                      three<S>(rate.template tail<3>()),
                      three<S>(terms.drifts.col(end.slot)),
                      three<S>(terms.drifts.col(end.slot).template tail<3>())};
  for (int i = 0; i < 9; ++i) link.R.m[i] = terms.poses(3 + i, end.slot);
  return frame_on(link, end.X_LF);
}

/// What a unit rate along coordinate k makes of an end's link, at a point of the world.
template <class S>
typename LoopSystem<S>::Twist LoopSystem<S>::step_of(const LoopLayout::End& end, const Vec3<S>& point,
                                                     Eigen::Index k) const {
  if (end.slot < 0) return {Vec3<S>::zero(), Vec3<S>::zero(), false};
  const auto column = terms.jacobian(end.slot).col(k);
  if ((column.array() == S(0)).all()) return {Vec3<S>::zero(), Vec3<S>::zero(), false};
  const Vec3<S> omega = three<S>(column.template tail<3>());
  return {three<S>(column) + cross(omega, point - three<S>(terms.poses.col(end.slot))), omega, true};
}

template class LoopSystem<double>;
template class LoopSystem<std::complex<double>>;

}  // namespace verne
