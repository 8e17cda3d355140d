/// Standard streams that are closed, full or terminals with colours, and signals while the program waits for input.
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <set>
#include <thread>

#include "cli/program.h"

namespace verne::test {
namespace {

const std::string kModel = shipped("two_link");

Outcome with_streams(const std::string& arguments, const std::string& streams) {
  // `timeout`: a program that waits for ever fails the test instead of holding it up.
  return shell("timeout -k 1 60 '" + program() + "' " + arguments + " " + streams);
}

TEST(CliStreams, ClosedStandardError) {
  EXPECT_EQ(with_streams("info nope.yaml", "2>&-").exit_code, 2);
  EXPECT_EQ(with_streams("info --nonsense", "2>&-").exit_code, 2);
  EXPECT_EQ(with_streams("info '" + kModel + "'", "2>&-").exit_code, 0);
}

TEST(CliStreams, ClosedStandardInput) {
  for (const std::string& command :
       {"eval '" + kModel + "' --want tau", std::string("info -"), std::string("check -")}) {
    const Outcome outcome = with_streams(command, "<&-");
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_EQ(outcome.err, "stdin: error: cannot be read: Bad file descriptor\n") << command;
  }
  EXPECT_EQ(with_streams("info '" + kModel + "'", "<&- 2>&-").exit_code, 0);
}

TEST(CliStreams, ClosedStandardOutput) {
  const Folder folder;
  EXPECT_EQ(with_streams("info '" + kModel + "'", ">&-").exit_code, 3);
  // Nothing that is opened later takes the place of a stream: the file holds the model only.
  EXPECT_EQ(with_streams("convert '" + kModel + "' -o '" + folder.file("m.yaml") + "'", "<&- >&- 2>&-").exit_code, 0);
  EXPECT_EQ(verne({"info", folder.file("m.yaml")}).exit_code, 0);
}

TEST(CliStreams, FullStandardOutput) {
  for (const char* arguments : {"--help", "--version", "predict --help"}) {
    EXPECT_EQ(with_streams(arguments, ">/dev/full").exit_code, 3) << arguments;
  }
}

std::multiset<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::size_t columns_in(const std::string& line) {
  return std::size_t(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Whatever is said fits the terminal, with all its words whole; where there is room, it is what pipes get.
TEST(CliTerminal, LinesAreBrokenBetweenWords) {
  const Folder folder;
  std::vector<std::vector<std::string>> commands{
      {"info", kModel},
      {"info", shipped("humanoid")},
      {"info", shipped("delta")},
      {"info", shipped("arm7"), "--base-parameters"},
      {"info", "no such model, whose name is so long that it does not fit on one line of the terminal.yaml"},
      {"codegen", kModel, "-o", folder.file("code")},
      {"--help"}};
  for (const char* command :
       {"info", "convert", "eval", "bench", "codegen", "check", "predict", "simulate", "report"}) {
    commands.push_back({command, "--help"});
  }
  for (std::vector<std::string>& command : commands) {
    command.insert(command.begin(), program());
    const Outcome piped = run_command(command);
    for (const unsigned short columns : {30, 80, 2000}) {
      command.insert(command.begin(), {"env", "-u", "COLUMNS", "TERM=dumb"});
      std::string shown = on_terminal(command, columns).out;
      command.erase(command.begin(), command.begin() + 4);
      std::erase(shown, '\r');
      if (columns == 2000) {
        EXPECT_EQ(shown, piped.out + piped.err);
        continue;
      }
      const auto words = words_of(shown);
      for (const std::string& word : words_of(piped.out + piped.err)) EXPECT_TRUE(words.contains(word)) << word;
      std::istringstream lines(shown);
      for (std::string line; std::getline(lines, line);) {
        // One word may be longer, where nothing stands beside it but an indent.
        EXPECT_TRUE(columns_in(line) <= columns || words_of(line).size() < 4) << line;
        EXPECT_TRUE(columns_in(line) <= columns || columns < 80) << line;
      }
    }
  }
}

/// A pipe with a name, into which the test writes nothing.
class CliWaiting : public testing::Test {
 protected:
  CliWaiting() { EXPECT_EQ(::mkfifo(fifo_.c_str(), 0600), 0); }

  /// Starts a command, waits until it has opened the pipe, and sends it a signal: once, or again and again. At the
  /// latest after a while the pipe ends, so that a program which ignores signals ends, too, with another exit code.
  int exit_code_after(int signal, bool again, const std::vector<std::string>& command) {
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    const pid_t process = start(command, null, null, null);
    const int writer = ::open(fifo_.c_str(), O_WRONLY | O_CLOEXEC);
    const auto wait_a_little = [] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); };
    wait_a_little();  // for it to wait
    int status = 0;
    bool ended = false;
    for (int k = 0; k < 100 && !ended; ++k) {
      if (k == 0 || again) ::kill(process, signal);
      wait_a_little();
      ended = ::waitpid(process, &status, WNOHANG) == process;
    }
    ::close(writer);
    if (!ended) ::waitpid(process, &status, 0);
    ::close(null);
    return exit_code_of(status);
  }

  Folder folder_;
  std::string fifo_ = folder_.file("fifo");
};

TEST_F(CliWaiting, OneSignalEndsWaitingForInput) {
  EXPECT_EQ(exit_code_after(SIGINT, false, {program(), "info", fifo_}), 130);
  EXPECT_EQ(exit_code_after(SIGTERM, false, {program(), "check", fifo_}), 143);
  const std::string out = folder_.file("out");
  EXPECT_EQ(exit_code_after(SIGINT, false, {program(), "eval", kModel, "--want", "tau", "-i", fifo_, "-o", out}), 130);
  EXPECT_EQ(folder_.count(), 1);  // nothing but the pipe
}

TEST_F(CliWaiting, OneSignalEndsWaitingForStandardInput) {
  for (const char* command : {"info -", "check -"}) {
    const std::string script = "exec '" + program() + "' " + command + " <'" + fifo_ + "'";
    EXPECT_EQ(exit_code_after(SIGINT, false, {"sh", "-c", script}), 130) << command;
  }
}

TEST_F(CliWaiting, ASecondSignalEndsWhatCannotBeAskedToStop) {
  // Solutions are read by the library, which knows nothing of signals.
  EXPECT_EQ(exit_code_after(SIGINT, true, {program(), "plot", fifo_, "-o", folder_.file("out")}), 130);
  EXPECT_EQ(folder_.count(), 1);
}

const std::string kRed = "\033[31m", kYellow = "\033[33m", kEnd = "\033[0m";

/// `verne info` of a file that is not there, with these words before the command.
std::vector<std::string> failing(std::vector<std::string> words = {}) {
  words.insert(words.begin(), program());
  words.insert(words.end(), {"info", "nowhere.yaml"});
  return words;
}

TEST(CliColour, OnTerminalsOnly) {
  EXPECT_TRUE(contains(on_terminal(failing(), 80).out, kRed + "error" + kEnd + ": "));
  EXPECT_FALSE(contains(run_command(failing()).err, "\033"));
}

TEST(CliColour, NotWhereNobodyWantsIt) {
  for (const char* wish : {"NO_COLOR=1", "TERM=dumb"}) {
    std::vector<std::string> command{"env", wish};
    for (const std::string& word : failing()) command.push_back(word);
    EXPECT_FALSE(contains(on_terminal(command, 80).out, "\033")) << wish;
  }
  EXPECT_FALSE(contains(on_terminal(failing({"--color", "never"}), 80).out, "\033"));
}

TEST(CliColour, AsAskedForBeforeOrAfterTheCommand) {
  EXPECT_TRUE(contains(run_command(failing({"--color", "always"})).err, kRed + "error" + kEnd));
  const Outcome after = verne({"info", "nowhere.yaml", "--color=always"});
  EXPECT_EQ(after.exit_code, 2);
  EXPECT_TRUE(contains(after.err, kRed + "error" + kEnd)) << after.err;
  const Outcome wrong = verne({"info", shipped("two_link"), "--color", "sometimes"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.err, "--color")) << wrong.err;
}

/// A warning is yellow; what a file calls its links steers nothing.
TEST(CliColour, Warnings) {
  const std::string model =
      "format: verne-model/1\nname: m\nconvention: tree\nlinks:\n  - {name: \"a\\e[31m\", joint: {type: revolute, "
      "name: j}, "
      "mass: 1, inertia: [0.001, 0.01, 0.05]}\n";
  const Folder folder;
  const Outcome check = verne({"--color", "always", "check", folder.write("m.yaml", model)});
  EXPECT_TRUE(contains(check.err, kYellow + "warning" + kEnd + ": ")) << check.err;
  EXPECT_FALSE(contains(check.err, kRed)) << check.err;
}

}  // namespace
}  // namespace verne::test
