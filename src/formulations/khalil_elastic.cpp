/// [K10], section 6. Symbols: khalil_recursion.h. Friction and rotor inertia of elastic joints, which the paper leaves
/// out, count as in (44) and (36).
#include "formulations/khalil_elastic.h"

#include "formulations/factors.h"
#include "formulations/instances.h"
#include "formulations/khalil_recursion.h"

namespace verne::formulations {

namespace {

/// (69), (70)
template <class S>
S spring_force(const KhalilSpring& spring, const S& q) {
  return (S(spring.rest_position) - q) * S(spring.stiffness);
}

template <class S>
void check(const KhalilElasticTree& robot, const KhalilState<S>& state, std::size_t given, const char* function) {
  check_sizes(robot.tree, state, given, function);
  if (robot.springs.size() == static_cast<std::size_t>(robot.tree.variables)) return;
  throw std::invalid_argument(std::string(function) + ": one spring, or none, for each variable");
}

}  // namespace

template <class S>
KhalilElasticInverse<S> khalil_elastic_by_matrices(const KhalilElasticTree& robot, const KhalilState<S>& state,
                                                   std::span<const S> qdd) {
  check(robot, state, qdd.size(), "khalil_elastic_by_matrices");
  using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  const KhalilMatrices<S> m = khalil_matrices(robot.tree, state);
  std::vector<int> rigid, elastic;
  for (int k = 0; k < robot.tree.variables; ++k) {
    (robot.springs[static_cast<std::size_t>(k)] ? elastic : rigid).push_back(k);
  }
  KhalilElasticInverse<S> out;
  out.qdd.assign(qdd.begin(), qdd.end());
  Eigen::Map<Vector> all(out.qdd.data(), robot.tree.variables);
  if (!elastic.empty()) {
    Vector Gamma_f(static_cast<Eigen::Index>(elastic.size()));
    for (std::size_t k = 0; k < elastic.size(); ++k) {
      const auto variable = static_cast<std::size_t>(elastic[k]);
      Gamma_f[static_cast<Eigen::Index>(k)] = spring_force(*robot.springs[variable], state.q[variable]);
    }
    // The second row of (68), (71): A_12ᵀ q̈_r + A_22 q̈_f + H_f = Γ_f
    const Vector right = Gamma_f - m.H(elastic) - m.A(elastic, rigid) * all(rigid);
    const Factors<S> A_22(m.A(elastic, elastic));
    if (!A_22.full_rank()) throw InputError("the inertia matrix of the elastic joints is singular");
    all(elastic) = A_22.solve(right);
  }
  const Vector Gamma = m.A * all + m.H;  // (67)
  out.torque.assign(Gamma.data(), Gamma.data() + Gamma.size());
  return out;
}

template <class S>
KhalilElasticInverse<S> khalil_elastic(const KhalilElasticTree& robot, const KhalilState<S>& state,
                                       std::span<const S> qdd) {
  check(robot, state, qdd.size(), "khalil_elastic");
  const MdhTree& tree = robot.tree;
  std::vector<typename KhalilRecursion<S>::Given> given;
  for (std::size_t k = 0; k < qdd.size(); ++k) {
    const auto& spring = robot.springs[k];
    given.push_back({!spring, spring ? spring_force(*spring, state.q[k]) : qdd[k]});
  }
  const std::vector<S> forces = [&] {
    std::vector<S> out;
    for (const auto& g : given) out.push_back(g.value);
    return out;
  }();
  const KhalilRecursion<S> recursion(tree, state, Vec3<S>::zero(), std::move(given));
  KhalilDirect<S> motion = recursion.second_forward({cast<S>(-tree.gravity), Vec3<S>::zero()});
  KhalilElasticInverse<S> out{forces, std::move(motion.qdd), std::move(motion.wrench)};
  for (std::size_t j = 1; j < tree.links.size(); ++j) {
    const MdhLink& link = tree.links[j];
    if (link.variable < 0 || robot.springs[static_cast<std::size_t>(link.variable)]) continue;
    const auto k = static_cast<std::size_t>(link.variable);
    out.torque[k] = (link.sigma == 0 ? out.wrench[j].bottom.z : out.wrench[j].top.z) +
                    out.qdd[k] * S(link.rotor_inertia) + friction(link, state.qd[k]);  // (82), with friction as (31)
  }
  return out;
}

#define VERNE_INSTANTIATE(S)                                                                                      \
  template KhalilElasticInverse<S> khalil_elastic_by_matrices<S>(const KhalilElasticTree&, const KhalilState<S>&, \
                                                                 std::span<const S>);                             \
  template KhalilElasticInverse<S> khalil_elastic<S>(const KhalilElasticTree&, const KhalilState<S>&,             \
                                                     std::span<const S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
