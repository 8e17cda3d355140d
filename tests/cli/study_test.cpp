#include "verne/study/study.h"

#include "cli/program.h"

namespace verne::test {
namespace {

/// A folder with a study of the torques of a shipped arm.
struct StudyFolder {
  explicit StudyFolder(const std::string& more = "sample: {sobol: 64}\n") {
    std::filesystem::copy_file(shipped("two_link"), folder.file("two_link.yaml"));
    study = folder.write("torques.yaml",
                         "format: verne-study/1\n"
                         "eval: {model: two_link.yaml, state: {q: [0, bend], v: [1, 1/part]}, want: [tau]}\n"
                         "parameters: {bend: {between: [0, 1]}, part: {values: [1, 2, 3]}}\n" +
                             more);
    out = folder.file("out");
  }
  Folder folder;
  std::string study, out;
};

TEST(CliStudy, WritesTheTableAndContinues) {
  const StudyFolder files;
  const Outcome first = verne({"study", files.study, "-o", files.out, "--threads", "2"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("torques: 64 of 64 points\n"), std::string::npos) << first.out;
  EXPECT_EQ(first.err, "");
  const std::string table = read_file(files.out + "/table.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 65);
  const Outcome again = verne({"study", files.out});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(read_file(files.out + "/table.csv"), table);
  const Outcome one = verne({"study", files.study, "-o", files.folder.file("one"), "--threads", "1"});
  EXPECT_EQ(read_file(files.folder.file("one") + "/table.csv"), table);
}

TEST(CliStudy, AnotherStudyInTheFolderIsRefused) {
  const StudyFolder files;
  verne({"study", files.study, "-o", files.out});
  const std::string text = read_file(files.study);
  files.folder.write("torques.yaml", text + "limits: {tries: 3}\n");
  EXPECT_EQ(verne({"study", files.study, "-o", files.out}).exit_code, 0);
  files.folder.write("torques.yaml", text + "keep: {solutions: none}\n");
  const Outcome changed = verne({"study", files.study, "-o", files.out});
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_NE(changed.err.find("keep is new"), std::string::npos) << changed.err;
  files.folder.write("torques.yaml", text);
  files.folder.write("two_link.yaml", read_file(shipped("two_link")) + "# changed\n");
  const Outcome model = verne({"study", files.out});
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_NE(model.err.find("file two_link.yaml has changed"), std::string::npos) << model.err;
}

TEST(CliStudy, PointsThatMakeNoSenseAreNamed) {
  StudyFolder files("sample: {grid: 2}\n");
  std::string text = read_file(files.study);
  files.folder.write("torques.yaml", text.replace(text.find("[1, 2, 3]"), 9, "[1, 0, 3]"));
  const Outcome outcome = verne({"study", files.study, "-o", files.out});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("invalid"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("2 points could not be computed"), std::string::npos) << outcome.err;
  EXPECT_NE(read_file(files.out + "/table.csv").find("expected a finite number"), std::string::npos);
}

TEST(CliStudy, AnyPointHasItsMotion) {
  const Folder folder;
  std::filesystem::copy_file(shipped("two_link"), folder.file("two_link.yaml"));
  const std::string out = folder.file("out");
  const std::string study =
      folder.write("swing.yaml",
                   "format: verne-study/1\n"
                   "simulate: {model: two_link.yaml, time: 0.1, state: {v: [1, turn]}, samples: 5}\n"
                   "parameters: {turn: {between: [0, 1]}}\n"
                   "sample: {sobol: 4}\nkeep: {solutions: best 2}\n");
  ASSERT_EQ(verne({"study", study, "-o", out, "--no-report"}).exit_code, 0);
  const Outcome kept = verne({"study", out, "--point", "1", "--no-report"});
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_EQ(read_file(out + "/chosen/000001/solution.json"), read_file(out + "/points/000001/solution.json"));
  const Outcome other = verne({"study", out, "--point", "3", "-o", folder.file("other")});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_NE(read_file(folder.file("other/solution.json")).find("\"simulated\""), std::string::npos);
  EXPECT_EQ(verne({"study", out, "--point", "4"}).exit_code, 2);
  EXPECT_NE(verne({"study", study, "--point", "1"}).err.find("name the folder"), std::string::npos);
  const Outcome view = verne({"view", out, "--no-browser"});
  EXPECT_EQ(view.exit_code, 2);
  EXPECT_NE(view.err.find("has no study.html"), std::string::npos) << view.err;
}

TEST(CliStudy, InterruptedItWritesWhatThereIs) {
  StudyFolder files("sample: {sobol: 300000}\n");
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t process = start({program(), "study", files.study, "-o", files.out}, null, null, null);
  while (!std::filesystem::exists(files.out + "/journal") ||
         std::filesystem::file_size(files.out + "/journal") < 20000) {
    ::usleep(10000);
  }
  ::kill(process, SIGINT);
  int status = 0;
  ::waitpid(process, &status, 0);
  ::close(null);
  EXPECT_EQ(exit_code_of(status), 130);
  const std::string table = read_file(files.out + "/table.csv");
  EXPECT_GT(std::count(table.begin(), table.end(), '\n'), 10);
}

TEST(CliStudy, BadInputAndFolders) {
  const StudyFolder files;
  const Folder empty;
  EXPECT_EQ(verne({"study", empty.file("none.yaml")}).exit_code, 2);
  const Outcome none = verne({"study", std::filesystem::path(empty.file("x")).parent_path().string()});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("holds no study"), std::string::npos) << none.err;
  EXPECT_EQ(verne({"study", files.study, "-o", "/proc/nowhere"}).exit_code, 3);
  std::filesystem::create_directory(files.out);
  std::ofstream(files.out + "/journal") << "mine";
  const Outcome foreign = verne({"study", files.study, "-o", files.out});
  EXPECT_EQ(foreign.exit_code, 2);
  EXPECT_NE(foreign.err.find("is no journal of a study"), std::string::npos) << foreign.err;
}

TEST(CliStudy, RanksGiveTheBytesOfOneProcess) {
  const std::string ranks = std::filesystem::path(program()).parent_path() / "verne-mpi";
  if (!std::filesystem::exists(ranks) || shell("mpirun --version >/dev/null 2>&1").exit_code != 0) {
    const StudyFolder files;
    const Outcome script = verne({"study", files.study, "-o", files.out, "--slurm"});
    GTEST_SKIP() << "MPI is not available here; --slurm ends with " << script.exit_code;
  }
  const StudyFolder files;
  EXPECT_EQ(verne({"study", files.study, "-o", files.out, "--threads", "1"}).exit_code, 0);
  const std::string run = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -n 3 --oversubscribe " +
                          ranks + " " + files.study + " -o " + files.folder.file("ranks");
  const Outcome outcome = shell(run);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_file(files.folder.file("ranks") + "/table.csv"), read_file(files.out + "/table.csv"));
  const Outcome script = verne({"study", files.study, "-o", files.out, "--slurm", "--ranks", "9"});
  EXPECT_NE(script.out.find("#SBATCH --ntasks=9 "), std::string::npos) << script.out << script.err;
  EXPECT_NE(script.out.find("srun verne-mpi " + files.study), std::string::npos) << script.out;
}

}  // namespace
}  // namespace verne::test
