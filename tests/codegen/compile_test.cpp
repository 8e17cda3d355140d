/// Compiled code against the kernels, batches and single states; kernels of GPUs on the host and on the device; caches.
#include "verne/codegen/compile.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <fstream>

#include "codegen/built_code.h"
#include "codegen/module.h"
#include "support/compare.h"
#include "support/complaint.h"
#include "support/paths.h"
#include "support/states.h"
#include "verne/codegen/device_batch.h"
#include "verne/dynamics/derivatives.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

constexpr double kOfCode = 1e-12;
/// Times a condition number of up to 1e3 for the models here.
constexpr double kOfSolve = 1e-9;

Model shipped_tree(const std::string& name) {
  return load_model(source_dir() + "/models/" + name + ".yaml");
}

/// Every kind of friction, and a free base.
Model small_model() {
  std::mt19937_64 rng(3);
  ModelSpec spec = random_tree(
      rng, 2, {.kinds = {JointType::revolute}, .root = JointType::free, .friction = true, .rotor_inertia = true});
  for (LinkSpec& link : spec.links) {
    if (link.joint.dofs.size() == 1) link.joint.dofs[0].friction_width = 0;
  }
  return build_model(std::move(spec));
}

/// A batch of random states that does not fill its last block.
Batch random_batch(const Model& model, const BatchOptions& options) {
  Batch batch(model, 11, options);
  std::mt19937_64 rng(4);
  for (int k = 0; k < batch.count(); ++k) {
    const State s = random_state(model, rng);
    batch.q.set(k, s.q), batch.v.set(k, s.v), batch.a.set(k, s.a), batch.tau.set(k, s.tau);
  }
  return batch;
}

class Compiled : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_command("cc")) GTEST_SKIP() << "no C compiler";
  }
  CompileOptions options(std::vector<std::string> want) const {
    return {.want = std::move(want), .cache = folder_ / "cache"};
  }
  SourceFolder folder_;
};

void expect_same_batches(const Model& model, const CompiledModel& compiled, const BatchOptions& options) {
  Batch expected = random_batch(model, options), found = random_batch(model, options);
  BatchDerivatives d_expected, d_found;
  mass_matrix(model, expected), compiled.mass_matrix(found);
  EXPECT_TRUE(close(found.mass_matrix.matrix(), expected.mass_matrix.matrix(), kOfCode));
  bias_torques(model, expected), compiled.bias_torques(found);
  EXPECT_TRUE(close(found.bias.matrix(), expected.bias.matrix(), kOfCode));
  gravity_torques(model, expected), compiled.gravity_torques(found);
  EXPECT_TRUE(close(found.gravity.matrix(), expected.gravity.matrix(), kOfCode, kSmall));
  inverse_dynamics_derivatives(model, expected, d_expected), compiled.inverse_dynamics_derivatives(found, d_found);
  EXPECT_TRUE(close(d_found.dq.matrix(), d_expected.dq.matrix(), kOfCode));
  EXPECT_TRUE(close(d_found.dv.matrix(), d_expected.dv.matrix(), kOfCode));
  EXPECT_TRUE(close(d_found.dx.matrix(), d_expected.dx.matrix(), kOfCode));
  Batch forward_expected = random_batch(model, options), forward_found = random_batch(model, options);
  forward_dynamics(model, forward_expected), compiled.forward_dynamics(forward_found);
  EXPECT_TRUE(close(forward_found.a.matrix(), forward_expected.a.matrix(), kOfSolve));
  inverse_dynamics(model, expected), compiled.inverse_dynamics(found);
  EXPECT_TRUE(close(found.tau.matrix(), expected.tau.matrix(), kOfCode));
}

TEST_F(Compiled, BatchesAreThoseOfTheKernels) {
  for (const Model& model : {shipped_tree("elastic_arm"), small_model()}) {
    for (const std::string& isa : instruction_sets()) {
      CompileOptions all = options({"tau", "bias", "gravity", "mass_matrix", "acceleration", "d_tau"});
      if (model.nv() > 6 && isa != instruction_sets().back()) continue;  // compiling takes long enough
      all.instruction_set = isa;
      expect_same_batches(model, compile(model, all), {2, isa});
    }
  }
}

TEST_F(Compiled, SingleStatesAreThoseOfTheKernels) {
  const Model model = shipped_tree("rx90");
  const CompiledModel compiled = compile(model, options({"tau", "mass_matrix", "acceleration", "d_tau"}));
  Data<double> data(model);
  std::mt19937_64 rng(4);
  const State s = random_state(model, rng);
  Eigen::VectorXd tau(model.nv()), a(model.nv());
  Eigen::MatrixXd M(model.nv(), model.nv());
  compiled.inverse_dynamics(s.q, s.v, s.a, tau);
  compiled.forward_dynamics(s.q, s.v, s.tau, a);
  compiled.mass_matrix(s.q, M);
  EXPECT_TRUE(close(tau, inverse_dynamics(model, data, s.q, s.v, s.a), kOfCode));
  EXPECT_TRUE(close(a, forward_dynamics(model, data, s.q, s.v, s.tau), kOfSolve));
  EXPECT_TRUE(close(M, mass_matrix(model, data, s.q), kOfCode));
  // Not symmetric ones, as those of the functions of a model.
  TorqueDerivatives<double> found(model), expected(model);
  compiled.inverse_dynamics_derivatives(s.q, s.v, s.a, found.dq, found.dv, found.da);
  inverse_dynamics_derivatives(model, data, s.q, s.v, s.a, expected);
  EXPECT_TRUE(close(found.dq, expected.dq, kOfCode) && close(found.dv, expected.dv, kOfCode));
  EXPECT_TRUE(close(found.da, expected.da, kOfCode));
  // What was not wanted, and what does not fit.
  Eigen::MatrixXd room(model.nv() + 1, model.nv());
  EXPECT_THROW(compiled.gravity_torques(s.q, tau), std::invalid_argument);
  EXPECT_THROW(compiled.inverse_dynamics(s.q, s.v, s.a.head(2), tau), std::invalid_argument);
  EXPECT_THROW(compiled.mass_matrix(s.q, room), std::invalid_argument);
  EXPECT_THROW(compiled.mass_matrix(s.q, room.topRows(model.nv())), std::invalid_argument);
  Batch loaded(model, 1);
  loaded.set_loads(std::vector<LoadSite>{{0, 0}});
  EXPECT_THROW(compiled.inverse_dynamics(loaded), std::invalid_argument);
}

TEST_F(Compiled, CacheIsTheUsersOwn) {
  const Model model = shipped_tree("two_link");
  const auto compile_it = [&] { compile(model, options({"tau"})); };
  compile_it();
  const std::string cache = folder_ / "cache";
  struct stat status {};
  ASSERT_EQ(stat(cache.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  std::string entry;
  int entries = 0;
  for (const auto& file : std::filesystem::directory_iterator(cache)) entry = file.path(), ++entries;
  EXPECT_EQ(entries, 1);
  // From the cache it comes without a compiler.
  CompileOptions without = options({"tau"});
  compile(model, without);
  // Open to others.
  chmod(cache.c_str(), 0755);
  EXPECT_NE(complaint<EnvironmentError>(compile_it).find("others can enter it"), std::string::npos);
  chmod(cache.c_str(), 0700);
  // No folder at all.
  CompileOptions on_file = options({"tau"});
  on_file.cache = entry;
  EXPECT_NE(complaint<EnvironmentError>([&] { compile(model, on_file); }).find("is no folder"), std::string::npos);
}

/// Entries that were cut off at any place, changed or exchanged are made anew, never loaded.
TEST_F(Compiled, DamagedEntriesAreMadeAnew) {
  const Model model = shipped_tree("double_pendulum"), other = shipped_tree("prismatic_revolute");
  const auto entry_of = [&](const Model& m, const char* name) {
    CompileOptions one = options({"gravity"});
    one.cache = folder_ / name;
    compile(m, one);
    return std::filesystem::directory_iterator(one.cache)->path().string();
  };
  const std::string entry = entry_of(model, "cache");
  const auto bytes_of = [](const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  };
  const std::string whole = bytes_of(entry), foreign = bytes_of(entry_of(other, "other"));
  std::vector<std::string> damaged{foreign, "no library"};
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    damaged.push_back(whole.substr(0, size));
  }
  damaged.push_back(whole);
  damaged.back()[whole.size() / 2] ^= 1;
  for (const std::string& bytes : damaged) {
    std::ofstream(entry, std::ios::binary | std::ios::trunc) << bytes;
    const CompiledModel compiled = compile(model, options({"gravity"}));
    EXPECT_EQ(bytes_of(entry).size(), whole.size());
    std::mt19937_64 rng(3);
    const State s = random_state(model, rng);
    Eigen::VectorXd gravity(model.nv());
    compiled.gravity_torques(s.q, gravity);
    Data<double> data(model);
    EXPECT_TRUE(close(gravity, gravity_torques(model, data, s.q), kOfCode, kSmall));
  }
}

TEST_F(Compiled, SaysWhatIsMissing) {
  const Model model = shipped_tree("two_link");
  CompileOptions missing = options({"tau"});
  missing.compiler = "no-such-compiler";
  EXPECT_NE(complaint<EnvironmentError>([&] { compile(model, missing); }).find("'no-such-compiler' cannot be run"),
            std::string::npos);
  missing.compiler = "false";
  EXPECT_NE(complaint<EnvironmentError>([&] { compile(model, missing); }).find("'false' failed"), std::string::npos);
  EXPECT_NE(complaint<InputError>([&] { compile(model, options({"energy"})); }).find("'energy' is not among"),
            std::string::npos);
}

/// The file that GPUs compile, as C++ on the host.
TEST(DeviceCode, GivesTheSameOnTheHost) {
  if (!has_command("c++")) GTEST_SKIP() << "no C++ compiler";
  for (const Model& model : {shipped_tree("arm7"), shipped_tree("humanoid"), small_model()}) {
    std::vector<std::string> want{"tau", "gravity", "bias", "mass_matrix", "joint_wrenches"};
    if (model.nv() < 7) want.insert(want.end(), {"d_tau", "d_acceleration", "regressor"});
    for (const CodeMath math : {CodeMath::libm, CodeMath::inline_source}) {
      if (math == CodeMath::libm && model.nv() > 10) continue;
      const GeneratedCode code =
          generate_code(model, {.want = want, .target = CodeTarget::cuda, .math = math, .name = "device"});
      const BuiltCode built(code, "c++ -x c++ -O0 -Wall -Wextra -Werror");
      ASSERT_EQ(built.log(), "");
      std::mt19937_64 rng(6);
      constexpr int kCount = 3;
      const State states[kCount] = {random_state(model, rng), random_state(model, rng), random_state(model, rng)};
      for (const std::string& word : want) {
        const codegen::Want w = codegen::parse_want(word, model);
        const codegen::Trace trace = codegen::trace(model, w, {});
        std::vector<Eigen::MatrixXd> arrays;  // a row for each state: columns are contiguous over states
        std::vector<void*> arguments{reinterpret_cast<void*>(static_cast<std::intptr_t>(kCount))};
        for (std::size_t i = 0; i < trace.inputs.size(); ++i) {
          Eigen::MatrixXd& x = arrays.emplace_back(kCount, trace.inputs[i].size);
          for (int k = 0; k < kCount; ++k) x.row(k) = i == 0 ? states[k].q : i == 1 ? states[k].v : states[k].a;
        }
        for (const codegen::TracedOutput& output : trace.outputs) {
          arrays.push_back(Eigen::MatrixXd::Constant(kCount, output.rows * output.columns, NAN));
        }
        for (Eigen::MatrixXd& x : arrays) arguments.push_back(x.data());
        built.call("device_" + w.name, arguments);
        for (int k = 0; k < kCount; ++k) {
          const auto expected = codegen::reference(model, w, states[k].q, states[k].v, states[k].a);
          for (std::size_t o = 0; o < expected.size(); ++o) {
            const codegen::TracedOutput& output = trace.outputs[o];
            const Eigen::Map<const Eigen::MatrixXd> reference(expected[o].data(), output.rows, output.columns);
            const Eigen::VectorXd found = arrays[trace.inputs.size() + o].row(k);
            EXPECT_TRUE(close(found.reshaped(output.rows, output.columns), reference, kOfCode, kSmall))
                << model.name() << " " << word << " " << output.name;
          }
        }
      }
    }
  }
}

/// The sine of GPUs has no detour for large angles: it is right to where doubles still tell an angle, and NaN beyond.
TEST(DeviceCode, LargeAnglesAreRightOrNone) {
  if (!has_command("c++")) GTEST_SKIP() << "no C++ compiler";
  const Model model = shipped_tree("double_pendulum");
  const CodeOptions options{.want = {"gravity"}, .target = CodeTarget::cuda, .math = CodeMath::inline_source};
  const BuiltCode built(generate_code(model, options), "c++ -x c++ -O0");
  Eigen::Matrix<double, 6, 2> q, gravity;
  q << 3e7, -2e7, 1e12, -3e13, 11 * M_PI, -4e9, -0.5 * M_PI, 1e5, 1e16, 0, 0, INFINITY;
  built.call("double_pendulum_gravity", {reinterpret_cast<void*>(std::intptr_t{6}), q.data(), gravity.data()});
  Data<double> data(model);
  for (int k = 0; k < 4; ++k) {
    const Eigen::VectorXd state = q.row(k);
    EXPECT_TRUE(close(gravity.row(k).transpose(), gravity_torques(model, data, state), kOfCode, kSmall)) << state;
  }
  EXPECT_TRUE(std::isnan(gravity(4, 0)));
  EXPECT_TRUE(std::isnan(gravity(5, 1)));
}

TEST(DeviceBatch, GivesTheSameOnTheDevice) {
  const Model model = shipped_tree("arm7");
  const SourceFolder folder;
  std::unique_ptr<DeviceBatch> device;
  constexpr int kCount = 300;
  try {
    device = std::make_unique<DeviceBatch>(
        model, kCount,
        DeviceOptions{.want = {"tau", "gravity", "bias", "mass_matrix", "acceleration", "d_tau", "d_acceleration"},
                      .cache = folder / "cache"});
  } catch (const EnvironmentError& error) {
    GTEST_SKIP() << error.what();
  }
  Batch batch(model, kCount);
  std::mt19937_64 rng(8);
  Eigen::MatrixXd q(kCount, model.nq()), v(kCount, model.nv()), a(kCount, model.nv()),
      M(kCount, model.nv() * model.nv());
  for (int k = 0; k < kCount; ++k) {
    const State s = random_state(model, rng);
    q.row(k) = s.q, v.row(k) = s.v, a.row(k) = s.a;
    batch.q.set(k, s.q), batch.v.set(k, s.v), batch.a.set(k, s.a);
  }
  device->upload(DeviceArray::q, q.data());
  device->upload(DeviceArray::v, v.data());
  device->upload(DeviceArray::a, a.data());
  device->inverse_dynamics();
  device->mass_matrix();
  inverse_dynamics(model, batch), mass_matrix(model, batch);
  Eigen::MatrixXd tau(kCount, model.nv());
  device->download(DeviceArray::tau, tau.data());
  device->download(DeviceArray::mass_matrix, M.data());
  EXPECT_TRUE(close(tau.transpose(), batch.tau.matrix(), kOfCode));
  EXPECT_TRUE(close(M.transpose(), batch.mass_matrix.matrix(), kOfCode));
  BatchDerivatives derivatives;
  const auto expect_array = [&](DeviceArray array, const LaneArray& expected, double tolerance) {
    device->download(array, M.data());
    EXPECT_TRUE(close(M.transpose(), expected.matrix(), tolerance)) << static_cast<int>(array);
  };
  device->inverse_dynamics_derivatives();
  inverse_dynamics_derivatives(model, batch, derivatives);
  expect_array(DeviceArray::dtau_dq, derivatives.dq, kOfCode),
      expect_array(DeviceArray::dtau_dv, derivatives.dv, kOfCode);
  expect_array(DeviceArray::dtau_da, derivatives.dx, kOfCode);
  device->forward_dynamics_derivatives();
  forward_dynamics_derivatives(model, batch, derivatives);
  expect_array(DeviceArray::da_dq, derivatives.dq, kOfSolve),
      expect_array(DeviceArray::da_dv, derivatives.dv, kOfSolve);
  expect_array(DeviceArray::da_dtau, derivatives.dx, kOfSolve);
  device->forward_dynamics();
  forward_dynamics(model, batch);
  device->download(DeviceArray::a, a.data());
  EXPECT_TRUE(close(a.transpose(), batch.a.matrix(), kOfSolve));
}

}  // namespace
}  // namespace verne::test
