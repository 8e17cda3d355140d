#include "verne/structures/mechanism.h"

#include "structures/mechanism_contents.h"
#include "structures/structure_finder.h"

namespace verne {

Mechanism::Mechanism(const Model& model) {
  const auto contents = std::make_shared<Contents>(model);
  StructureFinder(*contents).find();
  contents_ = contents;
}

const Model& Mechanism::model() const {
  return contents_->model;
}
int Mechanism::mobility() const {
  return static_cast<int>(contents_->independent.size());
}
int Mechanism::nq() const {
  return static_cast<int>(contents_->independent_q.size());
}
std::span<const int> Mechanism::independent() const {
  return contents_->independent;
}
std::span<const int> Mechanism::independent_positions() const {
  return contents_->independent_q;
}
std::span<const int> Mechanism::dependent() const {
  return contents_->dependent;
}
std::span<const int> Mechanism::actuated() const {
  return contents_->actuated;
}
int Mechanism::equations() const {
  return contents_->layout.equations;
}
int Mechanism::rank() const {
  return static_cast<int>(contents_->rows.size());
}
std::span<const int> Mechanism::independent_equations() const {
  return contents_->rows;
}
std::string Mechanism::equation_name(int equation) const {
  const LoopLayout& layout = contents_->layout;
  const int loop = layout.loop_of(equation);
  return model().loops()[static_cast<std::size_t>(loop)].name + ": " + layout.equation(equation).name;
}
const Values& Mechanism::home() const {
  return contents_->home;
}
Values Mechanism::independent_home() const {
  Values q;
  q.resize(nq());
  for (int k = 0; k < nq(); ++k) q[k] = home()[contents_->independent_q[static_cast<std::size_t>(k)]];
  return q;
}
double Mechanism::length() const {
  return contents_->length;
}
bool Mechanism::loop_determined(int loop, int k) const {
  return contents_->loop_determined.at(static_cast<std::size_t>(loop)).at(static_cast<std::size_t>(k));
}
bool Mechanism::joint_determined(int joint, int k) const {
  return contents_->joint_determined.at(static_cast<std::size_t>(joint)).at(static_cast<std::size_t>(k));
}
bool Mechanism::all_determined() const {
  return contents_->redundant_rows.empty();
}

}  // namespace verne
