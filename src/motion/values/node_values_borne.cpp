// What contacts and second hands bear, where that is a variable: docs/theory/gait.md, sections 6 and 8.
#include "motion/values/node_values.h"

namespace verne {

void NodeValues::add_contacts() {
  const ContactCurve& borne = channels_.ground().contacts();
  const std::vector<int> dofs = channels_.dofs(channels_.root_wrench());
  if (borne.contacts() > 0) contacts_.emplace(channels_, dofs, batch_.count());
  if (borne.grips() > 0) grips_.emplace(channels_, dofs, batch_.count());
  for (int i = 0; i < joints_; ++i) {
    const int slot = slot_[kStateOrders * nv_ + i];
    if (slot >= 0 && !derived_[slot].dofs.empty() && derived_[slot].dofs.back() >= joints_) touched_.push_back(i);
  }
  left_over_multipliers_.resize(6, batch_.count());
}

void NodeValues::bear_contacts() {
  const auto components = y_.middleRows(joints_, nv_ - joints_);
  if (contacts_) contacts_->evaluate(model_, batch_, components);
  if (grips_) grips_->evaluate(model_, batch_, components);
  for (int n = 0; n < batch_.count(); ++n) {
    for (const int dof : touched_) {
      if (contacts_) y_(kStateOrders * nv_ + dof, n) -= contacts_->torque(n, dof);
      if (grips_) y_(kStateOrders * nv_ + dof, n) -= grips_->torque(n, dof);
    }
    if (contacts_) y_.col(n).segment<6>(channels_.root_wrench()) -= contacts_->wrench(n);
  }
}

void NodeValues::differentiate_contacts() {
  for (int n = 0; n < batch_.count(); ++n) {
    const auto of = [&](int channel) { return gradients_.col(n).data() + derived_[slot_[channel]].first; };
    for (const int dof : touched_) {
      if (contacts_) contacts_->take_torque_gradient(n, dof, of(kStateOrders * nv_ + dof));
      if (grips_) grips_->take_torque_gradient(n, dof, of(kStateOrders * nv_ + dof));
    }
    if (!contacts_) continue;
    std::array<double*, 6> rows;
    for (int r = 0; r < 6; ++r) rows[r] = of(channels_.root_wrench() + r);
    contacts_->take_wrench_gradient(n, rows);
  }
}

}  // namespace verne
