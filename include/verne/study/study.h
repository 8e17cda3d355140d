/// Studies: one computation at many points of its parameters, in processes of their own (docs/study.md).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verne/base/export.h"
#include "verne/study/sample.h"

namespace verne {

/// What one point may take; beyond that it is ended and tried again.
struct PointLimits {
  double seconds = 3600;  ///< on the clock
  double memory = 4e9;    ///< bytes, beyond what the program itself has
  int tries = 2;          ///< before a point that crashed or went beyond a limit is given up
};

/// A study as its file says it.
struct StudySpec {
  std::string name, file;                  ///< for people; where it was read from
  std::vector<ParameterRange> parameters;  ///< that are varied
  SampleSpec sample;                       ///< at which points
  int keep = 10;                           ///< how many of the best solutions are kept whole
  bool continuation = true;                ///< points start from the motion of a neighbour
  PointLimits limits;                      ///< of each point
  /// Everything that results depend on, by what it is called: by these a study is known again.
  std::vector<std::pair<std::string, std::string>> identity;
};

/// What a point is computed from.
struct PointInput {
  int point = 0;                      ///< counted from 0
  std::span<const double> values;     ///< of the parameters
  std::string_view start{};           ///< the `motion` that another point ended with; empty: none
  bool motion_wanted = false;         ///< another point will start from this one's motion
  double keep_below = kInfiniteCost;  ///< the solution is wanted where the cost is not above this
  static const double kInfiniteCost;  ///< larger than any cost
};

/// A quantity over the time of motions, which all points have.
struct StudyCurve {
  std::string name, unit;  ///< as `effort.elbow`; of its values
};
/// Values of a curve: at 0, 1, … 100 % of the duration.
inline constexpr int kCurveValues = 101;

/// What became of a point. It depends on the input alone.
struct PointResult {
  std::string status = "failed";  ///< one word, as "solved"
  bool success = false;           ///< whether results may be used
  std::string reason;             ///< in words, where there is no success
  std::string binding;            ///< limits that bind, with `; ` between them
  double cost = 0;                ///< by which solutions are called better than others
  std::vector<double> results;    ///< one for each column
  std::vector<float> curves;      ///< kCurveValues for each curve, one after the other; empty: not known
  bool used_start = false;        ///< it comes from the motion that was given to start from
  std::string motion;             ///< in a form that the work alone knows
  std::string solution;           ///< a file of its own; empty: none
};

/// What is computed at each point. It is called in child processes, which have copies of it.
class VERNE_API StudyWork {
 public:
  virtual ~StudyWork();
  /// Names of the results.
  virtual const std::vector<std::string>& columns() const = 0;
  /// How many of these a point that succeeds has for sure; further ones may be NaN, where they are not known.
  virtual std::size_t certain_columns() const { return columns().size(); }
  /// Curves of each point: none, unless the work has some.
  virtual const std::vector<StudyCurve>& curves() const;
  /// The results of one point. An InputError is a result, too: the point is invalid.
  virtual PointResult compute(const PointInput& input) = 0;
  /// Whether points have motions, which others can start from.
  virtual bool has_motions() const { return false; }
  /// Whether points have solutions, which are shown.
  virtual bool has_solutions() const { return has_motions(); }
};

/// A study that can be run.
struct Study {
  StudySpec spec;                   ///< what was asked for
  SamplePoints points;              ///< where
  std::shared_ptr<StudyWork> work;  ///< what
};

/// A file that a study is made from: its path and its contents.
using StudyFiles = std::vector<std::pair<std::string, std::string>>;

/// Reads a study file and all that it names. Throws InputError with every problem. `files`, where given, are used in
/// place of those on the disk, and receive all that were read.
VERNE_API Study load_study(const std::string& path, StudyFiles* files = nullptr);

/// How far a study is.
struct StudyProgress {
  int done = 0, points = 0;  ///< points that have a result, and all of them
  int failed = 0;            ///< of those that are done: without success
  double seconds = 0;        ///< since this run began
  double remaining = -1;     ///< s that the rest will take; below 0: not known yet
};

/// One row of the table.
struct StudyRow {
  bool done = false;      ///< there is a result
  PointResult result;     ///< without motion and solution
  int started_from = -1;  ///< the point whose motion it started from; −1: from nothing
  int tries = 0;          ///< how often it was begun
  double seconds = 0;     ///< that the last try took
};

class Crew;

/// How a study is run.
struct StudyOptions {
  int workers = 1;                                       ///< processes on this machine
  std::function<bool(const StudyProgress&)> progress{};  ///< at each result; false ends the run
  std::function<void(const std::string&)> say{};         ///< something that people should know
  Crew* crew = nullptr;                                  ///< who computes, in place of processes here
  std::string program{"verne"};                          ///< named in the pages that are written
  bool pages = true;                                     ///< study.html, and reports of motions that are kept
};

/// What a run led to.
struct StudyOutcome {
  std::vector<StudyRow> rows;  ///< one for each point
  SamplePoints points;         ///< those of the study, or where its search went
  bool complete = false;       ///< every point has a result
  int unsolved = 0;            ///< points with a result that is no success
  std::optional<int> best;     ///< of a search: the point with the best result
  int not_computed = 0;        ///< of these: crashed, beyond a limit, or not to be computed at all
};

/// Computes what has not been computed yet, and writes the results into `folder`, which it makes or continues. Throws
/// InputError where the folder holds another study, and EnvironmentError; all that was computed before stays.
VERNE_API StudyOutcome run_study(const Study& study, const std::string& folder, const StudyOptions& options = {});

/// The study file of a folder that holds a study. Throws InputError where there is none.
VERNE_API std::string study_file_of(const std::string& folder);

}  // namespace verne
