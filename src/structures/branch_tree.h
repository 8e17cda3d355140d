/// One branch of a tree, with all that hangs on one root, as a tree of its own.
#pragma once

#include <vector>

#include "model/tree.h"

namespace verne {

/// Has no sites and no joints of the model; coupled joints are not known to it.
class BranchTree {
 public:
  BranchTree(const Tree& whole, int root);
  BranchTree(const BranchTree&) = delete;  // the tree points into it

  const Tree& tree() const { return tree_; }
  // In the whole tree:
  int first_body() const { return first_body_; }
  int first_q() const { return first_q_; }
  int first_v() const { return first_v_; }
  bool has_body(int body) const { return body >= first_body_ && body < first_body_ + tree_.body_count; }
  /// Whether the other is the same to the last bit but for where it stands.
  bool is_like(const BranchTree& other) const;

 private:
  Tree tree_;
  int first_body_, first_q_, first_v_;
  std::vector<TreeBody> bodies_;
  std::vector<int> v_parent_, v_position_;
};

}  // namespace verne
