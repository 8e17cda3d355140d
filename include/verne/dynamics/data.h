/// Scratch memory for the algorithms, external loads, and the argument types that all of them share.
///
/// Shared memory, in all functions of one state: an output vector may be an input vector of the same size, as in
/// inverse_dynamics(model, data, q, v, a, a). Nothing else may overlap: anything partial, a matrix and an input, or two
/// outputs is std::invalid_argument. Batches have the same rule for whole arrays (batch.h).
#pragma once

#include <Eigen/Core>
#include <complex>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <vector>

#include "verne/base/export.h"
#include "verne/dynamics/load_site.h"
#include "verne/model/model.h"

namespace verne {

/// A vector of any length.
template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
/// A matrix of any size.
template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
/// Columns of six: wrenches, motions, Jacobians.
template <class S>
using Matrix6X = Eigen::Matrix<S, 6, Eigen::Dynamic>;
/// A vector in three dimensions.
template <class S>
using Vector3 = Eigen::Matrix<S, 3, 1>;

// The scalar of a call is that of its Data: all other arguments stand in a non-deduced context.
/// A vector that is read.
template <class S>
using VectorIn = const Eigen::Ref<const Vector<std::type_identity_t<S>>>&;
/// A vector that is written to.
template <class S>
using VectorOut = Eigen::Ref<Vector<std::type_identity_t<S>>>;
/// A matrix that is written to.
template <class S>
using MatrixOut = Eigen::Ref<Matrix<std::type_identity_t<S>>>;
/// Columns of six that are written to.
template <class S>
using Matrix6XOut = Eigen::Ref<Matrix6X<std::type_identity_t<S>>>;

/// Scratch memory for one thread. Holds no results: every call sets all that it reads. S is double, or
/// std::complex<double> for derivatives by complex step.
template <class S = double>
class VERNE_API Data {
 public:
  /// Room for the algorithms on this model, and on models of the same size.
  explicit Data(const Model& model);
  /// The memory, for kernels.
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

/// In what a point is fixed.
enum class At { link, world };

/// A load on a link or a named frame: `{.frame = model.site("tool"), .force = {0, 0, -5}}`.
template <class S = double>
struct Load {
  int frame = 0;                           ///< index of a link or a named frame (Model::site)
  Vector3<S> force = Vector3<S>::Zero();   ///< world axes
  Vector3<S> moment = Vector3<S>::Zero();  ///< world axes
  Vector3<S> point = Vector3<S>::Zero();   ///< where it acts: in coordinates of the frame, or of the world
  At at = At::link;                        ///< in what the point is fixed
};

/// Loads of one state. Where they act is given once, their values may change between calls.
template <class S = double>
class Loads {
 public:
  Loads() = default;
  /// From a list, as {{.frame = site, .force = {0, 0, -5}}}.
  Loads(std::initializer_list<Load<S>> loads) {
    for (const Load<S>& load : loads) add(load);
  }
  /// Adds a load.
  void add(const Load<S>& load) {
    sites_.push_back({load.frame, load.at == At::world});
    for (const Vector3<S>* part : {&load.force, &load.moment, &load.point}) {
      values_.insert(values_.end(), part->data(), part->data() + 3);
    }
  }
  /// Adds all loads of another list.
  void append(const Loads& more) {
    sites_.insert(sites_.end(), more.sites_.begin(), more.sites_.end());
    values_.insert(values_.end(), more.values_.begin(), more.values_.end());
  }
  /// Takes all loads away and keeps the memory.
  void clear() {
    sites_.clear();
    values_.clear();
  }
  /// Number of loads.
  int size() const { return static_cast<int>(sites_.size()); }
  /// Where the loads act, one entry each.
  const LoadSite* sites() const { return sites_.data(); }
  /// Nine values a load: force, moment, point; they may be changed between calls.
  const S* values() const { return values_.data(); }
  /// The same to write.
  S* values() { return values_.data(); }

 private:
  std::vector<LoadSite> sites_;
  std::vector<S> values_;
};

// Null where there are no loads, or no wrenches are wanted.
/// Loads to take into account; null: none.
template <class S>
using LoadsIn = const Loads<std::type_identity_t<S>>*;
/// Where joint wrenches are written, 6 x joints; null: they are not wanted.
template <class S>
using WrenchesOut = Matrix6X<std::type_identity_t<S>>*;

extern template class Data<double>;
extern template class Data<std::complex<double>>;

}  // namespace verne
