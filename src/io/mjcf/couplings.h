/// Joints that equalities of MuJoCo's format couple or hold.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "io/mjcf/contents.h"

namespace verne {

/// MuJoCo's equalities are symmetric and may be many; ours are followers, each of one leader. Joints are known by the
/// index of their link.
class MjcfCouplings {
 public:
  explicit MjcfCouplings(ModelSpec& spec) : spec_(spec) {}

  /// q of `joint` = offset + ratio · q of `other`. False when that contradicts what was said before.
  bool couple(std::size_t joint, std::size_t other, double offset, double ratio);
  /// Holds a joint in a position. False when that contradicts what was said before.
  bool hold(std::size_t joint, double q);
  /// Makes joints that are held fixed ones.
  void finish();

 private:
  /// q = offset + ratio · q of the root, which follows none.
  struct Chain {
    std::size_t root;
    double offset, ratio;
  };
  Chain chain_of(std::size_t joint) const;

  ModelSpec& spec_;
  std::map<std::size_t, std::size_t> leaders_;
  std::map<std::size_t, double> held_;  ///< positions of roots
};

}  // namespace verne
