/// The recursive direct model of [K10], section 3.3.2.
#include <complex>

#include "formulations/khalil_recursion.h"

namespace verne::formulations {

template <class S>
KhalilDirect<S> khalil_direct(const MdhTree& tree, const KhalilState<S>& state, std::span<const S> torque) {
  check_sizes(tree, state, torque.size(), "khalil_direct");
  std::vector<typename KhalilRecursion<S>::Given> given;
  for (const S& value : torque) given.push_back({false, value});
  const KhalilRecursion<S> recursion(tree, state, Vec3<S>::zero(), std::move(given));
  return recursion.second_forward({cast<S>(-tree.gravity), Vec3<S>::zero()});
}

template KhalilDirect<double> khalil_direct<double>(const MdhTree&, const KhalilState<double>&,
                                                    std::span<const double>);
template KhalilDirect<std::complex<double>> khalil_direct<std::complex<double>>(
    const MdhTree&, const KhalilState<std::complex<double>>&, std::span<const std::complex<double>>);
template KhalilDirect<Counted> khalil_direct<Counted>(const MdhTree&, const KhalilState<Counted>&,
                                                      std::span<const Counted>);

}  // namespace verne::formulations
