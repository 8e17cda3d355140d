#include "structures/branch_tree.h"

#include <algorithm>

namespace verne {

namespace {

template <std::size_t N>
bool same_numbers(const double (&a)[N], const double (&b)[N]) {
  return std::equal(a, a + N, b);
}

bool same_body(const TreeBody& a, const TreeBody& b) {
  const bool placed_alike = a.parent < 0 || (same_numbers(a.R, b.R) && same_numbers(a.p, b.p));
  return a.kind == b.kind && a.parent == b.parent && a.pitch == b.pitch && a.mass == b.mass &&
         same_numbers(a.mc, b.mc) && same_numbers(a.I, b.I) && placed_alike;
}

}  // namespace

BranchTree::BranchTree(const Tree& whole, int root)
    : tree_(whole), first_body_(root), first_q_(whole.bodies[root].q), first_v_(whole.bodies[root].v) {
  const int end = whole.bodies[root].subtree_end, v = first_v_;
  bodies_.assign(whole.bodies + root, whole.bodies + end);
  for (TreeBody& b : bodies_) {
    b.parent = std::max(-1, b.parent - root), b.subtree_end -= root, b.q -= first_q_, b.v -= v;
    b.first_site = b.end_site = 0;
  }
  tree_.body_count = end - root;
  tree_.nq = tree_.model_nq = (end < whole.body_count ? whole.bodies[end].q : whole.nq) - first_q_;
  tree_.nv = tree_.model_nv = (end < whole.body_count ? whole.bodies[end].v : whole.nv) - v;
  tree_.site_count = tree_.link_count = tree_.joint_count = tree_.has_merged = 0;
  for (int k = v; k < v + tree_.nv; ++k) {
    v_parent_.push_back(std::max(-1, whole.v_parent[k] - v));
    v_position_.push_back(whole.v_position[k] - first_q_);
  }
  tree_.bodies = bodies_.data(), tree_.v_parent = v_parent_.data(), tree_.v_position = v_position_.data();
  tree_.sites = nullptr, tree_.sites_by_body = nullptr, tree_.joints = nullptr, tree_.attached_link = nullptr;
  tree_.q_coupling = tree_.v_coupling = nullptr;
  for (const double** values : {&tree_.rotor_inertia, &tree_.coulomb, &tree_.viscous, &tree_.friction_width,
                                &tree_.stiffness, &tree_.rest, &tree_.ligament, &tree_.slack_lower, &tree_.slack_upper})
    *values += v;
}

bool BranchTree::is_like(const BranchTree& other) const {
  const Tree &a = tree_, &b = other.tree_;
  if (!std::equal(bodies_.begin(), bodies_.end(), other.bodies_.begin(), other.bodies_.end(), same_body)) return false;
  const auto agree = [&](const double* const Tree::*values) {
    return std::equal(a.*values, a.*values + a.nv, b.*values);
  };
  return agree(&Tree::rotor_inertia) && agree(&Tree::coulomb) && agree(&Tree::viscous) &&
         agree(&Tree::friction_width) && agree(&Tree::stiffness) && agree(&Tree::rest) && agree(&Tree::ligament) &&
         agree(&Tree::slack_lower) && agree(&Tree::slack_upper);
}

}  // namespace verne
