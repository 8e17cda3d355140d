#include "verne/dynamics/data.h"

#include "base/cache_line.h"
#include "dynamics/check.h"
#include "dynamics/kernel_table.h"

namespace verne {

template <class S>
void Data<S>::Free::operator()(S* p) const {
  ::operator delete(p, kCacheLine);
}

template <class S>
Data<S>::Data(const Model& model)
    : scratch_(static_cast<S*>(::operator new(scratch_size(model.tree()) * sizeof(S), kCacheLine))),
      body_count_(model.tree().body_count),
      nv_(model.tree().nv) {}

template <class S>
void Data<S>::check(const Model& model, const char* function) const {
  const Tree& tree = model.tree();
  if (tree.body_count > body_count_ || tree.nv > nv_) [[unlikely]] {
    const auto sizes = [](int bodies, int velocities) {
      return std::to_string(bodies) + " bodies and " + std::to_string(velocities) + " velocities";
    };
    throw std::invalid_argument(std::string(function) + ": data was made for " + sizes(body_count_, nv_) +
                                ", the model has " + sizes(tree.body_count, tree.nv));
  }
}

template class Data<double>;
template class Data<std::complex<double>>;

}  // namespace verne
