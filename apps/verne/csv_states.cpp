#include "csv_states.h"

#include <algorithm>
#include <utility>

#include "io/csv.h"
#include "io/number.h"
#include "model/position_names.h"
#include "time_table.h"
#include "verne/base/error.h"
#include "verne/base/text.h"

namespace verne::cli {

namespace {

/// Where a name is in a list, as it is or as motion.csv writes it.
std::ptrdiff_t place_of(const std::string& name, const std::vector<std::string>& names) {
  const auto at = std::ranges::find_if(names, [&](const std::string& n) { return n == name || escaped(n) == name; });
  return at == names.end() ? -1 : at - names.begin();
}

/// Place of an index of the tree among those that a state has; -1 where it is told by others.
std::ptrdiff_t place_among(std::span<const int> indices, std::ptrdiff_t index) {
  const auto at = std::ranges::find(indices, static_cast<int>(index));
  return at == indices.end() ? -1 : at - indices.begin();
}

}  // namespace

CsvStates::CsvStates(const std::string& header, const System& system, StateShape shape, std::string file, int line)
    : shape_(std::move(shape)), of_tree_(state_shape(system.model()).quaternions), file_(std::move(file)), line_(line) {
  CsvReader reader(header, file_);
  names_ = csv_header(reader, file_);
  std::vector<Diagnostic> problems;
  for (std::size_t k = 0; k < names_.size(); ++k) add(names_[k], k, system, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  if (columns_.empty()) {
    throw InputError(
        {{file_, line_, "there are no states: expected columns such as q." + position_names(system.model()).at(0)}});
  }
  const auto of_tree = std::ranges::count(columns_, &StateLine::guess, &Column::part);
  tree_positions_ = static_cast<std::size_t>(system.model().nq());
  has_guess_ = shape_.mechanism && of_tree == system.model().nq();
}

void CsvStates::add(const std::string& word, std::size_t place, const System& system,
                    std::vector<Diagnostic>& problems) {
  using Part = std::vector<double> StateLine::*;
  const std::size_t dot = word.find('.');
  const std::pair<const char*, Part> kParts[] = {
      {"q", &StateLine::q}, {"v", &StateLine::v}, {"a", &StateLine::a}, {"tau", &StateLine::tau}};
  const auto* const found =
      std::ranges::find_if(kParts, [&](const auto& part) { return word.substr(0, dot) == part.first; });
  if (dot == std::string::npos || found == std::end(kParts)) return;
  const Model& model = system.model();
  const bool positions = found->second == &StateLine::q;
  const std::vector<std::string> names =
      positions ? position_names(model) : std::vector<std::string>(model.dof_names().begin(), model.dof_names().end());
  const std::string name = word.substr(dot + 1);
  const std::ptrdiff_t index = place_of(name, names);
  if (index < 0) {
    problems.push_back(
        {file_, line_,
         "column " + in_quotes(word) + ": there is no coordinate " + in_quotes(name) + suggestion(name, names)});
    return;
  }
  if (model.loops().empty()) {
    columns_.push_back({place, found->second, static_cast<std::size_t>(index)});
    return;
  }
  const Mechanism& mechanism = system.mechanism();
  const auto own = place_among(positions                          ? mechanism.independent_positions()
                               : found->second == &StateLine::tau ? mechanism.actuated()
                                                                  : mechanism.independent(),
                               index);
  if (own >= 0) columns_.push_back({place, found->second, static_cast<std::size_t>(own)});
  if (positions) columns_.push_back({place, &StateLine::guess, static_cast<std::size_t>(index)});
}

StateLine CsvStates::state(const std::string& row, int line) const {
  const auto fail = [&](const std::string& text) { throw InputError({{file_, line, text}}); };
  CsvReader reader(row, file_);
  std::vector<std::string> cells;
  reader.next(cells);
  if (cells.size() != names_.size()) {
    fail("expected " + std::to_string(names_.size()) + " values, found " + std::to_string(cells.size()));
  }
  StateLine state;
  const auto velocities = static_cast<std::size_t>(shape_.velocities);
  state.q = shape_.q, state.v.resize(velocities), state.a.resize(velocities);
  state.tau.resize(static_cast<std::size_t>(shape_.torques));
  if (has_guess_) state.guess.resize(tree_positions_);
  for (const Column& column : columns_) {
    if (column.part == &StateLine::guess && !has_guess_) continue;
    const std::optional<double> value = finite_number(cells[column.place]);
    if (!value) {
      fail("column " + in_quotes(names_[column.place]) + ": expected a finite number, found " +
           in_quotes(cells[column.place]));
    }
    (state.*column.part)[column.entry] = *value;
  }
  const auto normalise = [&](const std::vector<StateShape::Quaternion>& quaternions, std::vector<double>& q) {
    for (const auto& [index, joint] : quaternions) {
      const auto problem = normalise_quaternion(q.data() + index);
      if (problem) fail("joint " + in_quotes(joint) + ": " + *problem);
    }
  };
  normalise(shape_.quaternions, state.q);
  if (!has_guess_) return state;
  normalise(of_tree_, state.guess);
  return state;
}

}  // namespace verne::cli
