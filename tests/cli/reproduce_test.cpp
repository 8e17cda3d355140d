#include <csignal>
#include <thread>

#include "cli/program.h"
#include "support/paths.h"

namespace verne::test {
namespace {

namespace fs = std::filesystem;

nlohmann::json results_in(const Folder& folder) {
  return nlohmann::json::parse(read_file(folder.file("reproduction.json")));
}
const nlohmann::json& row_of(const nlohmann::json& results, const std::string& name) {
  for (const auto& row : results["rows"]) {
    if (row["name"] == name) return row;
  }
  ADD_FAILURE() << "no row " << name;
  return results;
}
double obtained(const nlohmann::json& results, const std::string& name, std::size_t finding) {
  return row_of(results, name)["findings"].at(finding)["obtained"];
}

TEST(CliReproduce, EverythingAgrees) {
  const Folder folder;
  const Outcome outcome = verne({"reproduce", "-o", folder.file("."), "--data", source_dir()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto results = results_in(folder);
  EXPECT_EQ(results["complete"], true);
  std::map<std::string, int> verdicts;
  for (const auto& row : results["rows"]) {
    ++verdicts[row["verdict"]];
    for (const auto& figure : row["figures"]) {
      EXPECT_TRUE(read_file(folder.file(figure["file"])).starts_with("<svg")) << figure;
    }
  }
  EXPECT_EQ(verdicts["disagrees"] + verdicts["not_available"], 0);
  // T of 4.2, switches read off figure 4.2, rows of chapter 5, the beam, Nasser's counts; with most compilers
  // figure 5.4, too.
  EXPECT_GE(verdicts["differs"], 5);
  EXPECT_LE(verdicts["differs"], 6);
  EXPECT_EQ(verdicts["agrees_after_erratum"], 4);
  // What the documents print, or what is known better.
  EXPECT_NEAR(obtained(results, "thesis-time-4.1", 0), 0.3918545, 4e-5);
  EXPECT_NEAR(obtained(results, "thesis-time-4.2", 0), 0.646259708, 5e-6);
  EXPECT_NEAR(obtained(results, "thesis-time-4.2", 1), 0.853062814, 2e-6);
  EXPECT_EQ(obtained(results, "thesis-size-5", 0), 330);
  EXPECT_NEAR(obtained(results, "khalil-flexible-cantilever", 0), 3.516, 4e-3);
  EXPECT_NEAR(obtained(results, "khalil-flexible-cantilever", 2), 61.70, 7e-2);
  EXPECT_NEAR(obtained(results, "khalil-flexible-spin-up", 0), -0.5737, 0.005);
  EXPECT_EQ(obtained(results, "nasser-cost", 0), 603);
  const std::string page = read_file(folder.file("reproduction.html"));
  EXPECT_TRUE(contains(page, "nothing disagrees"));
  EXPECT_FALSE(contains(page, "<script") || contains(page, "src=\"http") || contains(page, "<link rel=\"stylesheet"));
  EXPECT_EQ(page.find("</html>") + 8, page.size());
}

/// A wrong number in a model makes the rows fail that rest on it, and no others.
TEST(CliReproduce, AWrongNumberIsFound) {
  const Folder folder, out;
  for (const char* part : {"models", "tasks"})
    fs::copy(source_dir() + "/" + part, folder.file(part), fs::copy_options::recursive);
  std::string model = read_file(folder.file("models/two_link.yaml"));
  const std::size_t second = model.find("name: link2"), mass = model.find("mass: 0.5", second);
  ASSERT_NE(mass, std::string::npos);
  folder.write("models/two_link.yaml", model.replace(mass, 9, "mass: 0.6"));
  const Outcome outcome =
      verne({"reproduce", "--data", folder.file("."), "-o", out.file("."), "--only", "nasser-two-link", "--only",
             "thesis-table-4.1", "--only", "thesis-time-4.1", "--only", "nasser-shuttle"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "3 of 4 rows disagree")) << outcome.err;
  const auto results = results_in(out);
  for (const char* name : {"thesis-table-4.1", "thesis-time-4.1", "nasser-two-link"}) {
    EXPECT_EQ(row_of(results, name)["verdict"], "disagrees") << name;
  }
  EXPECT_EQ(row_of(results, "nasser-shuttle")["verdict"], "agrees");
  EXPECT_TRUE(contains(row_of(results, "thesis-table-4.1")["why"].dump(), "mass of link 2 is 0.6 kg, expected 0.5"));
  EXPECT_TRUE(contains(read_file(out.file("reproduction.html")), "3 of 4 disagree"));
}

TEST(CliReproduce, TheSameBytesAgain) {
  const Folder first, second;
  for (const Folder* folder : {&first, &second}) {
    EXPECT_EQ(verne({"reproduce", "-o", folder->file("."), "--only", "thesis-figure-4.4", "--only", "khalil-cost",
                     "--data", source_dir()})
                  .exit_code,
              0);
  }
  for (const char* name : {"reproduction.json", "thesis-figure-4.4.svg", "khalil-cost.svg"}) {
    EXPECT_EQ(read_file(first.file(name)), read_file(second.file(name))) << name;
  }
  // Figures of a row that are no longer drawn are taken away, others' are not.
  first.write("khalil-cost-old.svg", "");
  first.write("mine.svg", "");
  EXPECT_EQ(verne({"reproduce", "-o", first.file("."), "--only", "khalil-cost", "--data", source_dir()}).exit_code, 0);
  EXPECT_FALSE(fs::exists(first.file("khalil-cost-old.svg")));
  fs::remove(first.file("mine.svg"));
  EXPECT_EQ(first.count(), 5);  // and reproduction_timing.json, reproduction.html
}

TEST(CliReproduce, ListsAndSuggests) {
  const Folder folder;
  const Outcome list = verne({"reproduce", "--list", "--only", "nasser"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_EQ(list.out.substr(0, list.out.find('\n')), "  row              document         place");
  EXPECT_TRUE(contains(list.out, "  nasser-shuttle   Nasser [Nasser]  section 1\n"));
  const Outcome unknown = verne({"reproduce", "--only", "thesis-time-4.3", "-o", folder.file("out")});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.err, "did you mean 'thesis-time-4.")) << unknown.err;
  const Outcome several = verne({"reproduce", "--only", "khalill", "-o", folder.file("out")});
  EXPECT_TRUE(contains(several.err, "did you mean 'khalil'?")) << several.err;
  EXPECT_EQ(verne({"reproduce", "--data", folder.file("."), "--only", "lie-energy"}).exit_code, 2);
  EXPECT_EQ(verne({"reproduce", "-o", folder.write("file", ""), "--data", source_dir()}).exit_code, 3);
  EXPECT_EQ(folder.count(), 1);
}

/// Ctrl-C leaves a page of what was done.
TEST(CliReproduce, InterruptedItKeepsWhatWasDone) {
  const Folder folder;
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const std::string lines = folder.file("lines");
  const int out = ::open(lines.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const pid_t process =
      start({program(), "reproduce", "-o", folder.file("out"), "--data", source_dir()}, null, out, out);
  while (read_file(lines).empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));  // until a row is done
  ::kill(process, SIGINT);
  int status = 0;
  ::waitpid(process, &status, 0);
  ::close(null), ::close(out);
  EXPECT_EQ(exit_code_of(status), 130);
  const auto results = nlohmann::json::parse(read_file(folder.file("out/reproduction.json")));
  EXPECT_EQ(results["complete"], false);
  EXPECT_GE(results["rows"].size(), 1);
  const std::string page = read_file(folder.file("out/reproduction.html"));
  EXPECT_TRUE(contains(page, "Interrupted:"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

}  // namespace
}  // namespace verne::test
