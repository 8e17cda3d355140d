/// `verne codegen`, `verne info --base-parameters`, `verne convert --base-parameters`, `verne eval --compiled`.
#include "cli/program.h"
#include "verne/quantities/quantities.h"

namespace verne::test {
namespace {

const std::string kRx90 = source_dir() + "/models/rx90.yaml";

TEST(CliCodegen, WritesWhatScriptsRelyOn) {
  const Folder folder;
  const std::string out = folder.file("code");
  const Outcome outcome = verne({"codegen", kRx90, "--want", "tau,mass_matrix", "--target", "c", "-o", out, "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto costs = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(costs.size(), 2U);
  EXPECT_EQ(costs[0]["quantity"], "tau");
  EXPECT_GT(costs[0]["multiplications"], 0);
  EXPECT_GT(costs[0]["additions"], 0);
  EXPECT_GT(costs[0]["trigonometric"], 0);
  EXPECT_EQ(costs[0]["files"], (std::vector<std::string>{"rx90.h", "rx90.c", "rx90_test.c"}));
  const std::string header = read_file(out + "/rx90.h");
  EXPECT_NE(header.find("void rx90_tau(const double *q, const double *v, const double *a, double *tau);"),
            std::string::npos);
  EXPECT_NE(header.find("void rx90_mass_matrix(const double *q, double *mass_matrix);"), std::string::npos);
  EXPECT_NE(read_file(out + "/rx90.c").find("#include \"rx90.h\""), std::string::npos);
}

/// Where there is no room for all files, those that are there stay: a header fits its source.
TEST(CliCodegen, FilesFitEachOther) {
  const Folder folder;
  const std::string out = folder.file("code");
  ASSERT_EQ(verne({"codegen", kRx90, "-o", out}).exit_code, 0);
  const std::string header = read_file(out + "/rx90.h"), source = read_file(out + "/rx90.c");
  ASSERT_LT(header.size(), 3000u);
  ASSERT_GT(source.size(), 4096u);
  const Outcome outcome = shell("trap '' XFSZ; ulimit -f 8; '" + program() + "' codegen '" + kRx90 +
                                "' --want tau,gravity -o '" + out + "'");  // of 512 bytes each
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "rx90.c: cannot be written")) << outcome.err;
  EXPECT_EQ(read_file(out + "/rx90.h"), header);
  EXPECT_EQ(read_file(out + "/rx90.c"), source);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out), std::filesystem::directory_iterator{}), 3);
}

/// A model from elsewhere must not bring code along.
TEST(CliCodegen, NamesCannotInjectCode) {
  const Folder folder;
  std::string text = read_file(source_dir() + "/models/two_link.yaml");
  const auto put = [&](const std::string& word, const std::string& by) {
    text.replace(text.find(word), word.size(), by);
  };
  put("name: two_link", "name: \"x */ int main(void){} /*\"");
  put("shoulder", "\"*/ evil(); /*\"");
  const Outcome outcome = verne({"codegen", folder.write("evil.yaml", text), "-o", folder.file("out")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const auto& file : std::filesystem::directory_iterator(folder.file("out"))) {
    const std::string source = read_file(file.path().string());
    EXPECT_EQ(source.find("*/ evil"), std::string::npos);
    EXPECT_EQ(source.find("*/ int main"), std::string::npos);
  }
}

TEST(CliCodegen, SaysWhatItCannotDo) {
  const Folder folder;
  const auto error = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "codegen");
    words.insert(words.end(), {"-o", folder.file("out")});
    const Outcome outcome = verne(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_NE(error({kRx90, "--want", "tua"}).find("unknown quantity 'tua'; known are tau, acceleration"),
            std::string::npos);
  EXPECT_NE(error({kRx90, "--want", "jacobian"}).find("which link or frame?"), std::string::npos);
  EXPECT_NE(error({kRx90, "--target", "fortran"}).find("--target"), std::string::npos);
  for (const char* snap : {"-1", "0.01", "nan"}) {
    EXPECT_NE(error({kRx90, std::string("--snap=") + snap}).find("snap is an angle from 0 to 0.001 rad"),
              std::string::npos);
  }
  EXPECT_NE(error({source_dir() + "/models/four_bar.yaml", "--want", "d_tau"}).find("code for closed loops"),
            std::string::npos);
}

TEST(CliBaseParameters, AreShownAndWritten) {
  const auto found = nlohmann::json::parse(verne({"info", kRx90, "--base-parameters", "--json"}).out);
  EXPECT_EQ(found["by_rules"]["count"], 40);
  EXPECT_EQ(found["by_rank"]["count"], 40);
  const Folder folder;
  const std::string grouped = folder.file("grouped.yaml");
  ASSERT_EQ(verne({"convert", kRx90, "--base-parameters", "-o", grouped}).exit_code, 0);
  EXPECT_NE(read_file(grouped).find("no real body"), std::string::npos);
  const std::string state = "{\"q\":[0.1,0.2,0.3,0.4,0.5,0.6],\"v\":[1,2,3,4,5,6],\"a\":[1,-1,1,-1,1,-1]}\n";
  const auto torques = [&](const std::string& model) {
    return nlohmann::json::parse(verne({"eval", model, "--want", "tau"}, state).out)["tau"].get<std::vector<double>>();
  };
  const std::vector<double> a = torques(kRx90), b = torques(grouped);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-10 * 1e3);
  const Outcome urdf = verne({"convert", kRx90, "--base-parameters", "-o", folder.file("grouped.urdf")});
  EXPECT_EQ(urdf.exit_code, 2);
  EXPECT_NE(urdf.err.find("URDF has no first moment apart from a mass"), std::string::npos);
}

/// Ctrl-C goes to the compiler, too: that it fails then is no failure.
TEST(CliEval, AnInterruptWhileItCompiles) {
  const Folder folder;
  const std::string compiler = folder.write("cc", "#!/bin/sh\n[ -z \"$STOP\" ] || kill -INT $PPID\nexit 1\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  const std::string command = "CC='" + compiler + "' XDG_CACHE_HOME='" + folder.file("cache") + "' '" + program() +
                              "' eval '" + kRx90 + "' --want tau --compiled </dev/null";
  const Outcome stopped = shell("STOP=1 " + command), failed = shell("STOP= " + command);
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_EQ(stopped.err, "");
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_TRUE(contains(failed.err, "cc' failed")) << failed.err;
}

TEST(CliEval, CompiledGivesTheSame) {
  const Folder folder;
  ::setenv("XDG_CACHE_HOME", folder.file("cache").c_str(), 1);
  const std::string model = source_dir() + "/models/two_link.yaml";
  const std::string state = "{\"q\":[0.1,0.2],\"v\":[1,2],\"a\":[1,-1],\"tau\":[3,4]}\n";
  std::string want;
  for (const QuantityInfo& info : quantities()) {
    if (info.is_known(kKnownCompiled)) want += (want.empty() ? "" : ",") + std::string(info.name);
  }
  EXPECT_TRUE(contains(want, "d_acceleration"));
  const Outcome plain = verne({"eval", model, "--want", want}, state);
  const Outcome compiled = verne({"eval", model, "--want", want, "--compiled"}, state);
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
  const auto a = nlohmann::json::parse(plain.out).flatten(), b = nlohmann::json::parse(compiled.out).flatten();
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [place, number] : a.items())
    EXPECT_NEAR(number.get<double>(), b[place].get<double>(), 1e-11) << place;
  const Outcome loaded =
      verne({"eval", model, "--want", "tau", "--compiled"}, R"({"loads": [{"frame": "link2", "force": [1, 0, 0]}]})");
  EXPECT_EQ(loaded.exit_code, 2);
  EXPECT_EQ(loaded.err, "stdin:1: error: loads: are not known to --compiled\n");
  const Outcome unknown = verne({"eval", model, "--want", "energy", "--compiled"}, state);
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("'energy' is not among"), std::string::npos);
  ::unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace verne::test
