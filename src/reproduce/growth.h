/// How the cost of an algorithm grows with the number of joints.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "formulations/counted.h"
#include "reproduce/row.h"
#include "verne/model/model.h"

namespace verne::reproduce {

/// Counts one evaluation on a model.
using CountOn = std::function<formulations::OperationCount(const Model& model)>;

/// Multiplications and additions on general arms of so many joints and more.
struct Growth {
  std::string name;
  int first = 3;
  std::vector<long> multiplications, additions;

  /// What each further joint adds; by how much that varies at most.
  long slope(const std::vector<long>& counts) const { return counts.back() - counts[counts.size() - 2]; }
  long bend(const std::vector<long>& counts) const;
};
Growth growth_of(const std::string& name, const CountOn& count);

/// What the inverse and direct models of the documents cost.
formulations::OperationCount khalil_inverse_count(const Model& model);
formulations::OperationCount khalil_direct_count(const Model& model);
formulations::OperationCount nasser_count(const Model& model);

/// Operations over joints.
std::string growth_chart(const std::vector<Growth>& all);

}  // namespace verne::reproduce
