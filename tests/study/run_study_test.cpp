#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <random>

#include "cli/program.h"
#include "study/made_up_work.h"
#include "study/neighbours.h"
#include "verne/study/again.h"

namespace verne {
namespace {

using test::Folder, test::made_up_study, test::MadeUpWork, test::read_file;

MadeUpWork& work_of(Study& study) {
  return dynamic_cast<MadeUpWork&>(*study.work);
}

/// What must not depend on how a study came to its end: table and curves, and which solutions are kept.
std::string traces_of(const std::string& folder) {
  std::string text = read_file(folder + "/table.csv") + read_file(folder + "/curves.csv");
  std::vector<std::string> kept;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder + "/points")) {
    if (entry.is_regular_file()) kept.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(kept.begin(), kept.end());
  for (const std::string& file : kept) text += file + ": " + read_file(folder + "/" + file) + "\n";
  return text;
}

StudyOutcome run_with(const Study& study, const std::string& folder, int workers, int stop_at = 1 << 30) {
  StudyOptions options;
  options.workers = workers;
  options.progress = [&](const StudyProgress& progress) { return progress.done < stop_at; };
  return run_study(study, folder, options);
}

TEST(RunStudy, TheTableHasEveryPointOnce) {
  const Folder folder;
  const Study study = made_up_study(100);
  const StudyOutcome outcome = run_with(study, folder.file("out"), 2);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.unsolved, 14);
  EXPECT_EQ(outcome.not_computed, 0);
  std::istringstream table(read_file(folder.file("out/table.csv")));
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line, "point,x,status,success,cost,triple,binding,started_from,reason");
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(std::getline(table, line));
    EXPECT_TRUE(line.starts_with(std::to_string(k) + ","));
  }
  EXPECT_FALSE(std::getline(table, line));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.file("out/points")), {}), 3);
}

TEST(RunStudy, TheBytesAreTheSameWhateverTheProcessesAndInterruptions) {
  for (const bool motions : {false, true}) {
    const Folder folder;
    const Study study = made_up_study(120, motions);
    run_with(study, folder.file("one"), 1);
    const std::string expected = traces_of(folder.file("one"));
    run_with(study, folder.file("three"), 3);
    EXPECT_TRUE(traces_of(folder.file("three")) == expected);
    for (const int stop : {1, 20, 21, 77, 119}) {
      const StudyOutcome part = run_with(study, folder.file("parts"), 2, stop);
      EXPECT_FALSE(part.complete);
    }
    EXPECT_TRUE(run_with(study, folder.file("parts"), 2).complete);
    EXPECT_TRUE(traces_of(folder.file("parts")) == expected);
  }
}

TEST(RunStudy, CurvesAreThoseOfPointsWithASolution) {
  const Folder folder;
  const Study study = made_up_study(8);
  run_with(study, folder.file("out"), 1);
  std::istringstream lines(read_file(folder.file("out/curves.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("curve,unit,point,0,1,2,") && line.ends_with(",99,100")) << line;
  for (const int k : {0, 1, 2, 4, 5, 6, 7}) {  // 3 is infeasible
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(line.starts_with("line,m," + std::to_string(k) + ",0,")) << line;
    EXPECT_NEAR(std::stod(line.substr(line.rfind(',') + 1)), 12.5 * study.points.point(k)[0], 1e-5) << line;
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(RunStudy, APointIsComputedAgainFromWhereItStarted) {
  const Folder folder;
  const std::string out = folder.file("out");
  const Study study = made_up_study(60, true);
  const StudyOutcome outcome = run_with(study, out, 2);
  for (const int point : {0, 17, 59}) {
    const auto again = compute_again(study, out, point);
    ASSERT_TRUE(again);
    const PointResult& before = outcome.rows[static_cast<std::size_t>(point)].result;
    EXPECT_EQ(again->results, before.results) << "from a motion of another length";
    EXPECT_EQ(again->status, before.status);
    EXPECT_EQ(again->solution, before.success ? "solution " + std::to_string(point) : "");
  }
  EXPECT_FALSE(compute_again(study, out, 0, [] { return false; }));
  EXPECT_THROW(compute_again(study, out, 60), InputError);
  EXPECT_THROW(compute_again(made_up_study(61, true), out, 0), InputError);
  run_with(study, folder.file("part"), 1, 3);
  EXPECT_THROW(compute_again(study, folder.file("part"), 59), InputError);
  EXPECT_TRUE(holds_study(out));
  EXPECT_FALSE(is_being_computed(out));
  bool seen = false;
  StudyOptions options;
  options.progress = [&](const StudyProgress&) { return seen = is_being_computed(folder.file("seen")); };
  EXPECT_TRUE(run_study(study, folder.file("seen"), options).complete);
  EXPECT_TRUE(seen);
}

TEST(RunStudy, KilledAtAnyMomentItContinues) {
  const char* const wish = std::getenv("VERNE_STUDY_KILLS");
  const int kills = wish ? std::atoi(wish) : 6;
  const Folder folder;
  const Study study = made_up_study(300, true, 300);
  run_with(study, folder.file("whole"), 1);
  const std::string expected = traces_of(folder.file("whole"));
  std::mt19937 generator(1);
  const std::string out = folder.file("killed");
  int done = 0;
  for (int kill = 0; kill < kills; ++kill) {
    if (done > 250) std::filesystem::remove_all(out);
    const pid_t process = ::fork();
    if (process == 0) {
      run_with(study, out, 2);
      ::_exit(0);
    }
    ::usleep(std::uniform_int_distribution<unsigned>(0, 60000)(generator));
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    done = 0;
    if (kill % 4 == 3) {  // from time to time, how far it is
      run_with(study, out, 1, 1);
      const std::string table = read_file(out + "/table.csv");
      done = static_cast<int>(std::count(table.begin(), table.end(), '\n')) - 1;
    }
  }
  EXPECT_TRUE(run_with(study, out, 2).complete);
  EXPECT_TRUE(traces_of(out) == expected);
}

TEST(RunStudy, APointThatCrashesOrHangsCostsThatPointAlone) {
  const Folder folder;
  Study study = made_up_study(40);
  work_of(study).crashes = 5, work_of(study).throws = 9, work_of(study).returns_nan = 11;
  work_of(study).hangs = 20;
  study.spec.limits.seconds = 1;
  const StudyOutcome outcome = run_with(study, folder.file("out"), 2);
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.not_computed, 3);
  const auto status = [&](std::size_t k) { return outcome.rows[k].result.status; };
  EXPECT_EQ(status(5), "crashed");
  EXPECT_NE(outcome.rows[5].result.reason.find("Segmentation fault"), std::string::npos);
  EXPECT_EQ(outcome.rows[5].tries, 2);
  EXPECT_EQ(status(9), "invalid");
  EXPECT_EQ(outcome.rows[9].result.reason, "error: makes no sense");
  EXPECT_EQ(status(11), "not_finite");
  EXPECT_EQ(status(20), "time_limit");
  for (const std::size_t k : {4u, 6u, 8u, 12u, 19u, 21u, 39u}) EXPECT_EQ(status(k), "solved") << k;
}

TEST(RunStudy, APointThatEatsMemoryCostsThatPointAlone) {
  const Folder folder;
  Study study = made_up_study(10);
  work_of(study).eats = 5;
  study.spec.limits.memory = 3e8;
  const StudyOutcome outcome = run_with(study, folder.file("out"), 1);
  EXPECT_EQ(outcome.not_computed, 1);
  EXPECT_EQ(outcome.rows[5].result.status, "memory_limit");
}

TEST(RunStudy, PointsThatTheClockEndedAreComputedAgain) {
  const Folder folder;
  Study study = made_up_study(10);
  work_of(study).hangs = 4;
  study.spec.limits.seconds = 0.3, study.spec.limits.tries = 1;
  EXPECT_EQ(run_with(study, folder.file("out"), 1).rows[4].result.status, "time_limit");
  work_of(study).hangs = -1;
  study.spec.limits.seconds = 60;
  EXPECT_EQ(run_with(study, folder.file("out"), 1).rows[4].result.status, "solved");
}

TEST(RunStudy, AnotherStudyIsRefusedAndSaysWhatChanged) {
  const Folder folder;
  Study study = made_up_study(10);
  run_with(study, folder.file("out"), 1);
  study.spec.identity[0].second = "{between: [0, 4]}";
  study.spec.identity.emplace_back("file arm.yaml", "123");
  try {
    run_with(study, folder.file("out"), 1);
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("parameters: x was '{between: [0, 5]}', is '{between: [0, 4]}'"), std::string::npos) << text;
    EXPECT_NE(text.find("file arm.yaml is new"), std::string::npos) << text;
  }
}

TEST(RunStudy, AFullDiskEndsItAndIsNoLoss) {
  const Folder folder;
  const Study study = made_up_study(200);
  std::filesystem::create_directory(folder.file("out"));
  const pid_t process = ::fork();
  if (process == 0) {  // files may not grow beyond 2000 bytes
    const rlimit small{2000, 2000};
    ::setrlimit(RLIMIT_FSIZE, &small);
    ::signal(SIGXFSZ, SIG_IGN);
    try {
      run_with(study, folder.file("out"), 1);
      ::_exit(0);
    } catch (const EnvironmentError&) {
      ::_exit(3);
    }
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_TRUE(run_with(study, folder.file("out"), 1).complete);
  run_with(study, folder.file("whole"), 1);
  EXPECT_TRUE(traces_of(folder.file("out")) == traces_of(folder.file("whole")));
}

TEST(RunStudy, NeighboursMakeATree) {
  ParameterRange x{"x"}, y{"y"};
  x.lower = y.lower = 0, x.upper = y.upper = 1;
  const SamplePoints points = sample_points({x, y}, {SampleSpec::Kind::grid, 5});
  const std::vector<int> parents = parents_of(points);
  EXPECT_EQ(parents[12], -1);  // the middle
  for (int k = 0; k < points.count(); ++k) {
    if (k == 12) continue;
    int steps = 0;
    for (int at = k; at != 12; at = parents[static_cast<std::size_t>(at)]) ASSERT_LT(++steps, 5);
    const auto a = points.shares(k), b = points.shares(parents[static_cast<std::size_t>(k)]);
    EXPECT_NEAR(std::hypot(a[0] - b[0], a[1] - b[1]), 0.25, 1e-12) << k;
  }
}

}  // namespace
}  // namespace verne
