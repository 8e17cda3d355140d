/// Scratch memory for the algorithms, external loads, and the argument types that all of them share.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <memory>
#include <type_traits>
#include <vector>

#include "verne/model/model.h"

namespace verne {

template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using Matrix6X = Eigen::Matrix<S, 6, Eigen::Dynamic>;

// The scalar of a call is that of its Data: all other arguments stand in a non-deduced context.
template <class S>
using VectorIn = const Eigen::Ref<const Vector<std::type_identity_t<S>>>&;
template <class S>
using VectorOut = Eigen::Ref<Vector<std::type_identity_t<S>>>;
template <class S>
using MatrixOut = Eigen::Ref<Matrix<std::type_identity_t<S>>>;
template <class S>
using Matrix6XOut = Eigen::Ref<Matrix6X<std::type_identity_t<S>>>;

/// Scratch memory for one thread. Holds no results: every call sets all that it reads. S is double, or
/// std::complex<double> for derivatives by complex step.
template <class S = double>
class Data {
 public:
  explicit Data(const Model& model);
  S* scratch() { return scratch_.get(); }
  /// Throws std::invalid_argument when the model has other sizes than the one that this was made for.
  void check(const Model& model, const char* function) const;

 private:
  struct Free {
    void operator()(S* p) const;
  };
  std::unique_ptr<S[], Free> scratch_;
  int body_count_, nv_;
};

/// Loads on links: force and moment in world axes, at a point fixed in the link or in the world.
template <class S = double>
class Loads {
 public:
  enum class At { link, world };

  /// `point` is in link coordinates (At::link) or world coordinates (At::world).
  void add(int link, const Eigen::Matrix<S, 3, 1>& force, const Eigen::Matrix<S, 3, 1>& moment,
           const Eigen::Matrix<S, 3, 1>& point, At at = At::link);
  int size() const { return static_cast<int>(sites_.size()); }
  const LoadSite* sites() const { return sites_.data(); }
  /// Nine values a load: force, moment, point; they may be changed between calls.
  const S* values() const { return values_.data(); }
  S* values() { return values_.data(); }

 private:
  std::vector<LoadSite> sites_;
  std::vector<S> values_;
};

// Null where there are no loads, or no wrenches are wanted.
template <class S>
using LoadsIn = const Loads<std::type_identity_t<S>>*;
template <class S>
using WrenchesOut = Matrix6X<std::type_identity_t<S>>*;

extern template class Data<double>;
extern template class Data<std::complex<double>>;
extern template class Loads<double>;
extern template class Loads<std::complex<double>>;

}  // namespace verne
