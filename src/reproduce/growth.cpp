#include "reproduce/growth.h"

#include <cmath>

#include "formulations/khalil.h"
#include "formulations/nasser.h"
#include "report/svg_chart.h"
#include "reproduce/general_models.h"

namespace verne::reproduce {

namespace fm = formulations;
using fm::Counted;

namespace {

constexpr int kMostJoints = 20;

/// Numbers that are not known beforehand.
std::vector<Counted> unknown(int count, double phase) {
  std::vector<Counted> out;
  for (int k = 0; k < count; ++k) out.push_back(Counted::variable(std::sin(phase + k)));
  return out;
}

template <class Description>
const Description& expressed(const fm::Expressed<Description>& made) {
  if (!made) throw InputError(made.reason);
  return *made;
}

}  // namespace

long Growth::bend(const std::vector<long>& counts) const {
  long most = 0;
  for (std::size_t k = 2; k < counts.size(); ++k) {
    most = std::max(most, std::abs(counts[k] - 2 * counts[k - 1] + counts[k - 2]));
  }
  return most;
}

Growth growth_of(const std::string& name, const CountOn& count) {
  Growth growth;
  growth.name = name;
  for (int n = growth.first; n <= kMostJoints; ++n) {
    const fm::OperationCount operations = count(general_arm(n));
    growth.multiplications.push_back(operations.multiplications);
    growth.additions.push_back(operations.additions);
  }
  return growth;
}

fm::OperationCount khalil_inverse_count(const Model& model) {
  const auto made = fm::mdh_tree_of(model);
  const fm::MdhTree& tree = expressed(made);
  const auto q = unknown(model.nv(), 1), qd = unknown(model.nv(), 2), qdd = unknown(model.nv(), 3);
  return Counted::count([&] { fm::khalil_inverse<Counted>(tree, {q, qd}, qdd); });
}

fm::OperationCount khalil_direct_count(const Model& model) {
  const auto made = fm::mdh_tree_of(model);
  const fm::MdhTree& tree = expressed(made);
  const auto q = unknown(model.nv(), 1), qd = unknown(model.nv(), 2), tau = unknown(model.nv(), 3);
  return Counted::count([&] { fm::khalil_direct<Counted>(tree, {q, qd}, tau); });
}

fm::OperationCount nasser_count(const Model& model) {
  const auto made = fm::dh_tree_of(model);
  const fm::DhTree& tree = expressed(made);
  const auto q = unknown(model.nv(), 1), qd = unknown(model.nv(), 2), tau = unknown(model.nv(), 3);
  return Counted::count([&] { fm::nasser_dynamics<Counted>(tree, {q, qd, tau}); });
}

std::string growth_chart(const std::vector<Growth>& all) {
  ChartSpec spec;
  spec.x_label = "joints", spec.y_label = "operations";
  for (const Growth& growth : all) {
    for (const bool multiplications : {true, false}) {
      ChartLine line;
      line.name = growth.name + (multiplications ? ", multiplications" : ", additions");
      line.style = static_cast<int>(spec.lines.size()), line.joints = true;
      const std::vector<long>& counts = multiplications ? growth.multiplications : growth.additions;
      for (std::size_t k = 0; k < counts.size(); ++k) {
        line.x.push_back(growth.first + static_cast<double>(k)), line.y.push_back(static_cast<double>(counts[k]));
      }
      spec.lines.push_back(std::move(line));
    }
  }
  spec.height_mm = 95;
  return svg_chart(spec);
}

}  // namespace verne::reproduce
