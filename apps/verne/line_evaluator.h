/// Answers lines about states: whatever is wanted, with loads, contacts, weights and guesses of their own.
#pragma once

#include <compare>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verne/codegen/compile.h"
#include "verne/io/json_writer.h"
#include "verne/io/state_io.h"
#include "verne/quantities/evaluation.h"
#include "wants.h"

namespace verne::cli {

/// What one line is answered.
struct LineAnswer {
  std::string text;                     ///< a JSON object and a line end
  std::vector<std::string> not_finite;  ///< keys of results that are not all finite numbers
  bool connected = true;                ///< whether its loops were closed straight from its guess, or home
  std::exception_ptr failure;           ///< an InputError in place of all this
};

/// For one thread. Answers do not depend on which lines come together.
class LineEvaluator {
 public:
  /// With `compiled`, which has all that is wanted, its code computes it.
  LineEvaluator(const System& system, std::vector<Want> wants, std::optional<CompiledModel> compiled);

  /// At least as far as the first line that fails.
  void answer(std::span<const StateLine> lines, std::span<LineAnswer> answers);

 private:
  /// What lines have to have in common to be computed alike, and so together.
  struct Kind {
    std::vector<int> contacts;
    bool weighted = false, loaded = false;  ///< of loops and contacts alone
    auto operator<=>(const Kind&) const = default;
  };
  struct Group {
    System system;
    SystemData data;
    std::map<int, Evaluation> evaluations{};  ///< by how many states they have room for
  };

  void require_known(const StateLine& line) const;
  Group& group_of(const Kind& kind);
  Evaluation& evaluation_for(Group& group, std::size_t lines);
  void answer_group(Group& group, std::span<const StateLine> lines, const std::vector<std::size_t>& places,
                    std::span<LineAnswer> answers);
  /// Of these lines; places are among `lines` and `answers`.
  void answer_together(Group& group, std::span<const StateLine> lines, std::span<const std::size_t> places,
                       std::span<LineAnswer> answers);
  void set_states(Evaluation& evaluation, std::span<const StateLine> lines, std::span<const std::size_t> places) const;
  void append(Group& group, const Evaluation& evaluation, int state, LineAnswer& out);

  System system_;
  std::vector<Want> wants_;
  std::vector<std::string> array_wants_;  ///< those that arrays are known of
  std::optional<CompiledModel> compiled_;
  std::map<Kind, Group> groups_;
  JsonWriter json_;
};

}  // namespace verne::cli
