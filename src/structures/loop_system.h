/// All loops of a model at a state: how far they are open, and the Jacobian and drift of that.
#pragma once

#include <vector>

#include "structures/loop_equations.h"
#include "verne/base/export.h"
#include "verne/dynamics/control_terms.h"
#include "verne/dynamics/motion_derivatives.h"

namespace verne {

/// What a model says about its loops, as numbers.
struct VERNE_API LoopLayout {
  explicit LoopLayout(const Model& model);

  struct End {
    int slot = -1;  ///< among `sites`; −1 is the world
    Transform<double> X_LF;
  };
  struct Loop {
    std::span<const LoopEquation> equations;
    std::span<const LoopPart> directions;
    int first;  ///< equation
    End a, b;
  };
  std::vector<Loop> loops;
  std::vector<int> sites;  ///< links that loops hang on
  int equations = 0;

  int loop_of(int equation) const;
  const LoopEquation& equation(int index) const;
};

/// What the loops demand of one state. Sizes are set once; evaluate() does not allocate.
template <class S>
class LoopSystem {
 public:
  LoopSystem(const Model& model, const LoopLayout& layout);

  /// Everything below.
  void evaluate(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v);

  ControlTerms<S> terms;
  Vector<S> phi;    ///< how far each equation is from zero
  Matrix<S> J;      ///< φ̇ = J v
  Vector<S> drift;  ///< φ̈ = J a + drift
  std::vector<LoopState<S>> states;
  std::vector<FrameMotion<S>> a, b;  ///< the frames of each loop, with accelerations at a = 0

 private:
  FrameMotion<S> motion_of(const LoopLayout::End& end, const Vector<S>& v) const;
  struct Twist {
    Vec3<S> v, omega;
    bool moves;
  };
  Twist step_of(const LoopLayout::End& end, const Vec3<S>& point, Eigen::Index k) const;

  const LoopLayout& layout_;
  Vector<S> v_;
};

/// The wrenches of all loops (6 x loops) for multipliers λ (4), and the same as loads on the links of a tree.
template <class S>
void loop_wrenches(const LoopLayout& layout, const LoopSystem<S>& system, VectorIn<S> lambda, Matrix6XOut<S> wrenches) {
  for (std::size_t k = 0; k < layout.loops.size(); ++k) {
    const LoopWrench<S> wrench =
        loop_wrench(layout.loops[k].equations, system.states[k], lambda.data() + layout.loops[k].first);
    wrench.force.store(wrenches.col(static_cast<Eigen::Index>(k)).data());
    wrench.moment.store(wrenches.col(static_cast<Eigen::Index>(k)).data() + 3);
  }
}
/// On a at its origin, on b at that of b: what is fixed to the world needs none.
template <class S>
void add_loop_loads(const LoopLayout& layout, const LoopSystem<S>& system, const Matrix6X<S>& wrenches,
                    Loads<S>& loads) {
  const auto eigen = [](const Vec3<S>& v) { return Vector3<S>(v.x, v.y, v.z); };
  const auto add = [&](const LoopLayout::End& end, const Vec3<S>& force, const Vec3<S>& moment) {
    if (end.slot < 0) return;
    const Vec3<double>& p = end.X_LF.p;
    loads.add({layout.sites[static_cast<std::size_t>(end.slot)], eigen(force), eigen(moment),
               Vector3<S>(S(p.x), S(p.y), S(p.z)), At::link});
  };
  for (std::size_t k = 0; k < layout.loops.size(); ++k) {
    const auto column = wrenches.col(static_cast<Eigen::Index>(k));
    const Vec3<S> force = system.a[k].R * Vec3<S>::load(column.data()),
                  moment = system.a[k].R * Vec3<S>::load(column.data() + 3);
    add(layout.loops[k].a, force, moment);
    add(layout.loops[k].b, -force, -(moment + cross(system.a[k].p - system.b[k].p, force)));
  }
}

extern template class LoopSystem<double>;
extern template class LoopSystem<std::complex<double>>;

}  // namespace verne
