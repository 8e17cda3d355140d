/// The recursive direct model of [K10], section 3.3.2.
#include "formulations/instances.h"
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

#define VERNE_INSTANTIATE(S) \
  template KhalilDirect<S> khalil_direct<S>(const MdhTree&, const KhalilState<S>&, std::span<const S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
VERNE_INSTANTIATE(Counted)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
