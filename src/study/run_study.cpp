#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <limits>
#include <queue>

#include "study/journal.h"
#include "study/kept_solutions.h"
#include "study/local_crew.h"
#include "study/messages.h"
#include "study/neighbours.h"
#include "study/pages.h"
#include "study/records.h"
#include "study/study_header.h"
#include "study/tables.h"
#include "verne/base/error.h"
#include "verne/io/file.h"

namespace verne {

const double PointInput::kInfiniteCost = std::numeric_limits<double>::infinity();
StudyWork::~StudyWork() = default;
const std::vector<StudyCurve>& StudyWork::curves() const {
  static const std::vector<StudyCurve> none;
  return none;
}

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr char kTimeLimit[] = "time_limit";
/// How long a worker is kept busy with points that it was given at once: long against a message, short against a study.
constexpr double kBusySeconds = 0.02;
constexpr int kMostAtOnce = 256;
/// Between pages: soon at first, for who watches from the beginning.
constexpr auto kFirstPage = std::chrono::milliseconds(300), kPageTime = std::chrono::milliseconds(10000);

/// Points that were never computed, as their process ended or their input made no sense.
bool was_not_computed(const StudyRow& row) {
  const std::string& status = row.result.status;
  return status == "crashed" || status == "memory_limit" || status == kTimeLimit || status == "invalid";
}

/// Files that a run which was killed had begun, under the names of NewFile.
void remove_unfinished(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> unfinished;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.path().filename().string().find(".tmp-") != std::string::npos) unfinished.push_back(entry.path());
  }
  for (const fs::path& file : unfinished) fs::remove(file, error);
}

class Run {
 public:
  Run(const Study& study, const std::string& folder, const StudyOptions& options)
      : study_(study),
        options_(options),
        folder_(folder),
        journal_((fs::path(folder) / kJournalName).string(), study_header(study, folder)),
        kept_(folder, study.spec.keep),
        motions_(static_cast<std::size_t>(study.points.count())),
        tries_(motions_.size(), 0) {
    outcome_.rows.resize(motions_.size());
    require_same_study(journal_.header(), study, (fs::path(folder) / kJournalName).string());
    remove_unfinished(folder);
    find_children();
    restore();
    if (!options.crew) local_ = std::make_unique<LocalCrew>(*study.work, study.spec.limits, options.workers);
    crew_ = options.crew ? options.crew : local_.get();
    given_.resize(static_cast<std::size_t>(crew_->workers()), 0);
    looked_at_.resize(given_.size(), false);
    for (int worker = 0; worker < crew_->workers(); ++worker) look_at(worker);
  }

  StudyOutcome run() {
    outcome_.complete = compute();
    outcome_.points = study_.points;
    journal_.flush();
    kept_.finish();
    for (const StudyRow& row : outcome_.rows) {
      if (!row.done || row.result.success) continue;
      ++outcome_.unsolved;
      outcome_.not_computed += was_not_computed(row);
    }
    outcome_.best = best_point(study_, outcome_.rows);
    write_tables(study_, outcome_, folder_);
    write_kept_reports(kept_, folder_, options_);
    write_study_page(study_, outcome_, kept_, folder_, options_, false, -1);
    return std::move(outcome_);
  }

 private:
  void find_children() {
    const bool many = study_.points.count() > kMostWithNeighbours;
    children_.resize(motions_.size());
    parents_.assign(motions_.size(), -1);
    if (!continues_motions() || motions_.size() < 2) return;
    if (many) return say("more than 20000 points: each starts from nothing");
    parents_ = parents_of(study_.points);
    for (std::size_t k = 0; k < parents_.size(); ++k) {
      if (parents_[k] >= 0) children_[static_cast<std::size_t>(parents_[k])].push_back(static_cast<int>(k));
    }
  }

  /// What earlier runs found. Points that the clock ended are computed again, and what the same clock cut off later.
  void restore() {
    if (journal_.dropped() > 0) say("the journal was cut off: its last record is dropped, and computed again");
    for (const std::string& record : journal_.records()) {
      auto [point, row] = unpack_record(record);
      if (point < 0 || point >= study_.points.count()) throw InputError("a journal of other points");
      if (row.result.status == kTimeLimit && !searches()) continue;
      if (!at(point).done) ++done_;
      enter(point, std::move(row));
      go_on_searching();
    }
    journal_.forget_records();
    for (int k = 0; k < study_.points.count(); ++k) {
      if (!at(k).done && is_ready(k)) ready_.push(k);
    }
    for (std::size_t k = 0; k < motions_.size(); ++k) forget_motion(static_cast<int>(k));
    before_ = done_;
  }

  bool is_ready(int point) const {
    const int parent = parents_[static_cast<std::size_t>(point)];
    return parent < 0 || outcome_.rows[static_cast<std::size_t>(parent)].done;
  }

  /// Until all points have results; false when it was told to end before.
  bool compute() {
    while (done_ < study_.points.count()) {
      hand_out();
      journal_.flush_in_time();
      show_page();
      if (!report()) return false;
      const auto answer = crew_->next(0.1);
      if (answer) receive(*answer);
    }
    report();
    return true;
  }

  /// To workers that have less to do than they should; only these are looked at, since there may be thousands.
  void hand_out() {
    while (!ready_.empty() && !hungry_.empty()) {
      const int worker = hungry_.front();
      if (crew_->alive(worker) && given_[static_cast<std::size_t>(worker)] < at_once_) {
        give_next(worker);
      } else {
        looked_at_[static_cast<std::size_t>(worker)] = false;
        hungry_.pop_front();
      }
    }
    if (!ready_.empty() && outstanding_ == 0) {
      throw EnvironmentError("all ranks have gone silent; the same command continues");
    }
  }

  /// When points are handed out next.
  void look_at(int worker) {
    if (looked_at_[static_cast<std::size_t>(worker)]) return;
    looked_at_[static_cast<std::size_t>(worker)] = true;
    hungry_.push_back(worker);
  }

  void give_next(int worker) {
    const int point = ready_.top();
    ready_.pop();
    const int parent = parents_[static_cast<std::size_t>(point)];
    const std::string none, &start = parent < 0 ? none : motions_[static_cast<std::size_t>(parent)];
    const auto values = study_.points.point(point);
    const bool motion_wanted = is_start_of_others(point);
    crew_->give(worker, point,
                packed(PointOrder{point, {values.begin(), values.end()}, start, motion_wanted, kept_.threshold()}));
    ++given_[static_cast<std::size_t>(worker)];
    ++tries_[static_cast<std::size_t>(point)];
    ++outstanding_;
  }

  void receive(const CrewAnswer& answer) {
    --given_[static_cast<std::size_t>(answer.worker)];
    --outstanding_;
    look_at(answer.worker);
    const int point = answer.point;
    if (!answer.computed && tries_[static_cast<std::size_t>(point)] < study_.spec.limits.tries) {
      ready_.push(point);
      return;
    }
    StudyRow row;
    row.result = answer.result;
    row.started_from = row.result.used_start ? parents_[static_cast<std::size_t>(point)] : -1;
    row.tries = tries_[static_cast<std::size_t>(point)];
    row.seconds = answer.seconds;
    make_sound(row.result);
    if (!row.result.solution.empty()) kept_.offer(point, row.result.solution);
    row.result.solution.clear();
    if (!is_start_of_others(point)) row.result.motion.clear();
    journal_.append(packed(point, row));
    ++done_;
    learn_speed(answer.seconds);
    enter(point, std::move(row));
    if (go_on_searching()) ready_.push(study_.points.count() - 1);
    for (const int child : children_[static_cast<std::size_t>(point)]) ready_.push(child);
    const int parent = parents_[static_cast<std::size_t>(point)];
    if (parent >= 0) forget_motion(parent);
  }

  /// What does not fit the table is a mistake of the work, which costs the point alone.
  void make_sound(PointResult& result) const {
    const std::size_t columns = study_.work->columns().size();
    const auto finite = [](double x) { return std::isfinite(x); };
    const auto certain = static_cast<std::ptrdiff_t>(study_.work->certain_columns());
    const bool sound = result.results.size() == columns && finite(result.cost) &&
                       std::all_of(result.results.begin(), result.results.begin() + certain, finite);
    if (result.success && !sound) {
      result.success = false;
      result.status = "not_finite";
      result.reason = "a result is not a finite number";
    }
    result.results.resize(columns, std::numeric_limits<double>::quiet_NaN());
    const std::size_t values = kCurveValues * study_.work->curves().size();
    if (!result.success || result.curves.size() != values) result.curves.clear();
  }

  void enter(int point, StudyRow row) {
    motions_[static_cast<std::size_t>(point)] = row.result.success ? std::move(row.result.motion) : std::string();
    row.result.motion.clear();
    row.done = true;
    if (row.result.success) kept_.learn(point, row.result.cost);
    failed_ += !row.result.success;
    at(point) = std::move(row);
  }

  /// Once all who start from it are done.
  void forget_motion(int point) {
    if (searches()) return;
    const auto& children = children_[static_cast<std::size_t>(point)];
    const bool needed = std::any_of(children.begin(), children.end(), [&](int child) { return !at(child).done; });
    if (!needed) motions_[static_cast<std::size_t>(point)] = {};
  }

  bool searches() const { return study_.spec.sample.kind == SampleSpec::Kind::search; }
  bool continues_motions() const { return study_.spec.continuation && study_.work->has_motions(); }
  bool is_start_of_others(int point) const {
    return !children_[static_cast<std::size_t>(point)].empty() || (searches() && continues_motions());
  }
  /// As many as there may be.
  int most_points() const { return searches() ? study_.spec.sample.count : study_.points.count(); }

  /// Adds the next point of a search, once all others are done. It starts from the best motion so far.
  bool go_on_searching() {
    if (!searches() || done_ < study_.points.count()) return false;
    const auto next =
        next_of_search(study_.spec.parameters, study_.spec.sample, searched_results(study_, outcome_.rows));
    if (!next) return false;
    const std::optional<int> best = best_point(study_, outcome_.rows);
    append_point(study_.points, study_.spec.parameters, *next);
    parents_.push_back(best && continues_motions() ? *best : -1);
    outcome_.rows.emplace_back();
    motions_.emplace_back();
    tries_.push_back(0);
    children_.emplace_back();
    return true;
  }

  void learn_speed(double seconds) {
    constexpr double kWeight = 0.1;
    mean_seconds_ = mean_seconds_ < 0 ? seconds : (1 - kWeight) * mean_seconds_ + kWeight * seconds;
    at_once_ = std::clamp(static_cast<int>(kBusySeconds / std::max(mean_seconds_, 1e-9)), 1, kMostAtOnce);
  }

  bool report() {
    if (!options_.progress) return true;
    const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    return options_.progress({done_, most_points(), failed_, seconds, remaining()});
  }

  double remaining() const {
    if (done_ == before_) return -1;
    const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    return seconds / (done_ - before_) * (most_points() - done_);
  }

  /// Now and then, as long as that takes a small part of the time.
  void show_page() {
    constexpr int kPart = 20;
    const auto now = Clock::now();
    if (now < next_page_) return;
    journal_.flush();
    write_study_page(study_, outcome_, kept_, folder_, options_, true, remaining());
    page_pause_ = std::min<Clock::duration>(2 * page_pause_, kPageTime);
    next_page_ = Clock::now() + std::max<Clock::duration>(page_pause_, kPart * (Clock::now() - now));
  }

  void say(const std::string& what) const {
    if (options_.say) options_.say(what);
  }
  StudyRow& at(int point) { return outcome_.rows[static_cast<std::size_t>(point)]; }

  Study study_;  // whose points become more in a search
  const StudyOptions& options_;
  std::string folder_;
  Journal journal_;
  KeptSolutions kept_;
  StudyOutcome outcome_;
  std::vector<std::string> motions_;  ///< of points that others will start from
  std::vector<int> tries_, parents_;
  std::vector<std::vector<int>> children_;
  std::priority_queue<int, std::vector<int>, std::greater<>> ready_;
  std::unique_ptr<LocalCrew> local_;
  Crew* crew_ = nullptr;
  std::vector<int> given_;       ///< to each worker, and not answered
  std::deque<int> hungry_;       ///< workers that may have less to do than they should
  std::vector<bool> looked_at_;  ///< for each worker, whether it is among them
  int outstanding_ = 0;          ///< sum of given_
  int at_once_ = 1, done_ = 0, before_ = 0, failed_ = 0;
  double mean_seconds_ = -1;
  Clock::duration page_pause_ = kFirstPage;
  Clock::time_point begun_ = Clock::now(), next_page_ = begun_ + kFirstPage;
};

}  // namespace

StudyOutcome run_study(const Study& study, const std::string& folder, const StudyOptions& options) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw EnvironmentError(folder + ": " + error.message());
  return Run(study, folder, options).run();
}

}  // namespace verne
