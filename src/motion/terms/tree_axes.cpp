#include "motion/terms/tree_axes.h"

#include <algorithm>
#include <utility>

#include "model/tree.h"

namespace verne {

namespace {

/// The tree alone, with a coordinate for each of its joints.
Model without_couplings(const Model& model) {
  if (!model.coupled()) return model;
  ModelSpec spec = model.spec();
  for (LinkSpec& link : spec.links) link.joint.mimic.reset();
  spec.loops.clear(), spec.independent.clear(), spec.home.clear();
  return build_model(std::move(spec));
}

}  // namespace

std::vector<TreeAxis> axes_of(const Model& model, int site) {
  const Tree& tree = model.tree();
  std::vector<TreeAxis> axes;
  for (int body = tree.sites[site].body; body >= 0; body = tree.bodies[body].parent) {
    for (int k = tree.bodies[body].nv - 1; k >= 0; --k) {
      const int column = tree.bodies[body].v + k;
      axes.push_back({column, tree.v_coupling[column].source, tree.v_coupling[column].ratio});
    }
  }
  std::reverse(axes.begin(), axes.end());
  return axes;
}

TreeAxes::TreeAxes(const Model& model, int count) : model_(model), uncoupled_(without_couplings(model)) {
  if (model.coupled()) states_.emplace(uncoupled_, count);
}

void TreeAxes::place(const Batch& batch) {
  if (!states_) return;
  const Tree& tree = model_.tree();
  for (int k = 0; k < tree.nq; ++k) {
    const TreeCoupling& coupling = tree.q_coupling[k];
    for (int n = 0; n < batch.count(); ++n) {
      states_->q(k, n) = coupling.ratio * batch.q(coupling.source, n) + coupling.offset;
    }
  }
}

const LaneArray& TreeAxes::jacobian(Batch& batch, int site) {
  Batch& at = states_ ? *states_ : batch;
  verne::jacobian(uncoupled_, at, site, false);
  return at.jacobian;
}

}  // namespace verne
