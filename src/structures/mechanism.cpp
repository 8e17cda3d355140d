#include "verne/structures/mechanism.h"

#include "base/held.h"
#include "structures/mechanism_contents.h"
#include "structures/structure_finder.h"

namespace verne {

Mechanism::Mechanism(const Model& model) {
  const auto contents = std::make_shared<Contents>(model);
  StructureFinder(*contents).find();
  contents_ = contents;
}

const Model& Mechanism::model() const {
  return held(contents_, "Mechanism").model;
}
int Mechanism::mobility() const {
  return static_cast<int>(held(contents_, "Mechanism").independent.size());
}
int Mechanism::nq() const {
  return static_cast<int>(held(contents_, "Mechanism").independent_q.size());
}
std::span<const int> Mechanism::independent() const {
  return held(contents_, "Mechanism").independent;
}
std::span<const int> Mechanism::independent_positions() const {
  return held(contents_, "Mechanism").independent_q;
}
std::span<const int> Mechanism::dependent() const {
  return held(contents_, "Mechanism").dependent;
}
std::span<const int> Mechanism::actuated() const {
  return held(contents_, "Mechanism").actuated;
}
int Mechanism::equations() const {
  return held(contents_, "Mechanism").layout.equations;
}
int Mechanism::rank() const {
  return static_cast<int>(held(contents_, "Mechanism").rows.size());
}
std::span<const int> Mechanism::independent_equations() const {
  return held(contents_, "Mechanism").rows;
}
std::string Mechanism::equation_name(int equation) const {
  const LoopLayout& layout = held(contents_, "Mechanism").layout;
  const int loop = layout.loop_of(equation);
  return model().loops()[static_cast<std::size_t>(loop)].name + ": " + layout.equation(equation).name;
}
const Values& Mechanism::home() const {
  return held(contents_, "Mechanism").home;
}
Values Mechanism::independent_home() const {
  Values q;
  q.resize(nq());
  for (int k = 0; k < nq(); ++k) q[k] = home()[held(contents_, "Mechanism").independent_q[static_cast<std::size_t>(k)]];
  return q;
}
double Mechanism::length() const {
  return held(contents_, "Mechanism").length;
}
bool Mechanism::loop_determined(int loop, int k) const {
  return held(contents_, "Mechanism")
      .loop_determined.at(static_cast<std::size_t>(loop))
      .at(static_cast<std::size_t>(k));
}
bool Mechanism::joint_determined(int joint, int k) const {
  return held(contents_, "Mechanism")
      .joint_determined.at(static_cast<std::size_t>(joint))
      .at(static_cast<std::size_t>(k));
}
bool Mechanism::all_determined() const {
  return held(contents_, "Mechanism").redundant_rows.empty();
}
bool Mechanism::has_inertia() const {
  return held(contents_, "Mechanism").without_inertia.empty();
}
std::span<const Diagnostic> Mechanism::notes() const {
  return held(contents_, "Mechanism").notes;
}
std::span<const Diagnostic> Mechanism::warnings() const {
  return held(contents_, "Mechanism").warnings;
}

}  // namespace verne
