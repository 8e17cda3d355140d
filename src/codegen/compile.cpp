#include "verne/codegen/compile.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/held.h"
#include "base/user_cache.h"
#include "codegen/run_program.h"
#include "dynamics/batch_runner.h"
#include "verne/codegen/generate.h"
#include "verne/quantities/quantities.h"

namespace verne {

namespace {

/// What a compiled model may have, in the order of CompiledModel::Contents.
enum Part : std::size_t { kTau, kBias, kGravity, kMassMatrix, kAcceleration, kDTau, kDAcceleration, kParts };
constexpr std::array<const char*, kParts> kPartNames{"tau",          "bias",  "gravity",       "mass_matrix",
                                                     "acceleration", "d_tau", "d_acceleration"};

/// Of what the sources do not tell: raised when what is loaded changes otherwise.
constexpr const char* kCodeVersion = "1 ";

/// The two sources: functions of one state, and of blocks of states.
constexpr const char* kOne = "verne_one";
constexpr const char* kMany = "verne_many";

std::vector<std::string> machine_flags(const std::string& instruction_set) {
  if (instruction_set == "avx2") return {"-mavx2", "-mfma"};
  if (instruction_set == "avx512") {
    return {"-mavx512f", "-mavx512dq", "-mavx512vl", "-mfma", "-mprefer-vector-width=512"};
  }
  return {};
}

void check_parts(const CompileOptions& options) {
  for (const std::string& want : options.want) {
    if (std::find(kPartNames.begin(), kPartNames.end(), want) != kPartNames.end()) continue;
    throw InputError("compile: '" + want + "' is not among what can be compiled: " + known_quantities(kKnownCompiled));
  }
}

struct Sources {
  std::string one, one_header, many, many_header;
};

Sources sources_of(const Model& model, const CompileOptions& options, int lanes) {
  if (!model.loops().empty()) {
    throw InputError("compile: models with closed loops are compiled from the files of codegen, by hand");
  }
  // Results are those of the kernels: nothing is rounded.
  CodeOptions code{
      .want = options.want, .grouped = options.grouped, .math = CodeMath::inline_source, .lanes = lanes, .snap = 0};
  code.name = kOne;
  const GeneratedCode one = generate_code(model, code);
  code.target = CodeTarget::lanes, code.name = kMany;
  const GeneratedCode many = generate_code(model, code);
  return {one.files[1].text, one.files[0].text, many.files[1].text, many.files[0].text};
}

}  // namespace

struct CompiledModel::Contents {
  explicit Contents(const Model& m) : model(m) {}
  ~Contents() {
    if (library) dlclose(library);
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  template <class Function>
  Function one(Part part) const {
    return reinterpret_cast<Function>(found(one_state[part], part));
  }
  template <class Function>
  Function many(Part part) const {
    return reinterpret_cast<Function>(found(many_states[part], part));
  }
  static void* found(void* function, Part part) {
    if (function) return function;
    throw std::invalid_argument(std::string("CompiledModel: ") + kPartNames[part] + " was not compiled");
  }
  /// A runner for a batch that fits.
  BatchRunner runner(const char* function, Batch& batch) const {
    BatchRunner run(function, model, batch);
    if (batch.lanes() != lanes) {
      throw std::invalid_argument(std::string(function) + ": compiled for blocks of " + std::to_string(lanes) +
                                  " states, the batch has " + std::to_string(batch.lanes()));
    }
    if (run.loaded_inputs(0).load_count > 0) {
      throw std::invalid_argument(std::string(function) + ": compiled code knows no loads");
    }
    return run;
  }

  Model model;
  int lanes = 0;
  void* library = nullptr;
  std::array<void*, kParts> one_state{}, many_states{};
};

CompiledModel compile(const Model& model, const CompileOptions& options) {
  check_parts(options);
  const Batch shape(model, 1, {1, options.instruction_set});
  const std::string isa = shape.instruction_set();
  const Sources sources = sources_of(model, options, shape.lanes());
  const char* const cc = std::getenv("CC");
  const std::string compiler = !options.compiler.empty() ? options.compiler : cc && *cc ? cc : "cc";
  std::vector<std::string> words{
      compiler, "-O3", "-std=gnu99", "-fPIC", "-shared", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math"};
  for (const std::string& flag : machine_flags(isa)) words.push_back(flag);
  std::string all = std::string(kCodeVersion) + sources.one + sources.many;
  for (const std::string& word : words) all += " " + word;
  const std::string key = fingerprint(all);

  const std::string cache = options.cache.empty() ? user_cache() : options.cache;
  const auto make = [&](const std::string& folder, const std::string& made) {
    const auto in_folder = [&](const std::string& name) { return folder + "/" + name; };
    write_work_file(in_folder("verne_one.h"), sources.one_header);
    write_work_file(in_folder("verne_one.c"), sources.one);
    write_work_file(in_folder("verne_many.h"), sources.many_header);
    write_work_file(in_folder("verne_many.c"), sources.many);
    std::vector<std::string> command = words;
    for (const std::string& word :
         {std::string("-o"), made, in_folder("verne_one.c"), in_folder("verne_many.c"), std::string("-lm")}) {
      command.push_back(word);
    }
    codegen::run_program(command, in_folder("log"));
  };
  const std::string path = cached(cache, key + ".so", make).path;

  auto contents = std::make_shared<CompiledModel::Contents>(model);
  contents->lanes = shape.lanes();
  contents->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!contents->library) throw EnvironmentError(std::string("cache of compiled models: ") + dlerror());
  for (std::size_t k = 0; k < kParts; ++k) {
    contents->one_state[k] = dlsym(contents->library, (std::string(kOne) + "_" + kPartNames[k]).c_str());
    contents->many_states[k] = dlsym(contents->library, (std::string(kMany) + "_" + kPartNames[k]).c_str());
  }
  return CompiledModel(std::move(contents));
}

const Model& CompiledModel::model() const {
  return held(contents_, "CompiledModel").model;
}

// Pointers alone, as all generated functions have them; those of blocks have their number first.
using In = const double*;
using Out = double*;

void CompiledModel::inverse_dynamics(Batch& batch) const {
  const auto code = held(contents_, "CompiledModel").many<void (*)(long, In, In, In, Out)>(kTau);
  const BatchRunner run = held(contents_, "CompiledModel").runner("CompiledModel::inverse_dynamics", batch);
  run.for_each_block([&](int b, double*) {
    const Inputs<double> in = run.inputs(b);
    code(1, in.q, in.v, in.a, BatchRunner::values(batch.tau, b));
  });
}

void CompiledModel::bias_torques(Batch& batch) const {
  const auto code = held(contents_, "CompiledModel").many<void (*)(long, In, In, Out)>(kBias);
  const BatchRunner run = held(contents_, "CompiledModel").runner("CompiledModel::bias_torques", batch);
  run.room(batch.bias, held(contents_, "CompiledModel").model.nv());
  run.for_each_block([&](int b, double*) {
    const Inputs<double> in = run.inputs(b);
    code(1, in.q, in.v, BatchRunner::values(batch.bias, b));
  });
}

void CompiledModel::gravity_torques(Batch& batch) const {
  const auto code = held(contents_, "CompiledModel").many<void (*)(long, In, Out)>(kGravity);
  const BatchRunner run = held(contents_, "CompiledModel").runner("CompiledModel::gravity_torques", batch);
  run.room(batch.gravity, held(contents_, "CompiledModel").model.nv());
  run.for_each_block([&](int b, double*) { code(1, run.inputs(b).q, BatchRunner::values(batch.gravity, b)); });
}

void CompiledModel::mass_matrix(Batch& batch) const {
  const auto code = held(contents_, "CompiledModel").many<void (*)(long, In, Out)>(kMassMatrix);
  const BatchRunner run = held(contents_, "CompiledModel").runner("CompiledModel::mass_matrix", batch);
  run.room(batch.mass_matrix,
           held(contents_, "CompiledModel").model.nv() * held(contents_, "CompiledModel").model.nv());
  run.for_each_block([&](int b, double*) { code(1, run.inputs(b).q, BatchRunner::values(batch.mass_matrix, b)); });
}

void CompiledModel::forward_dynamics(Batch& batch) const {
  const auto code = held(contents_, "CompiledModel").many<void (*)(long, In, In, In, Out)>(kAcceleration);
  const BatchRunner run = held(contents_, "CompiledModel").runner("CompiledModel::forward_dynamics", batch);
  run.for_each_block([&](int b, double*) {
    const Inputs<double> in = run.inputs(b);
    code(1, in.q, in.v, in.tau, BatchRunner::values(batch.a, b));
  });
}

void CompiledModel::inverse_dynamics_derivatives(Batch& batch, BatchDerivatives& out) const {
  const auto code = held(contents_, "CompiledModel").many<void (*)(long, In, In, In, Out, Out, Out)>(kDTau);
  const BatchRunner run = held(contents_, "CompiledModel").runner("CompiledModel::inverse_dynamics_derivatives", batch);
  for (LaneArray* block : {&out.dq, &out.dv, &out.dx})
    run.room(*block, held(contents_, "CompiledModel").model.nv() * held(contents_, "CompiledModel").model.nv());
  run.for_each_block([&](int b, double*) {
    const Inputs<double> in = run.inputs(b);
    code(1, in.q, in.v, in.a, BatchRunner::values(out.dq, b), BatchRunner::values(out.dv, b),
         BatchRunner::values(out.dx, b));
  });
}

void CompiledModel::forward_dynamics_derivatives(Batch& batch, BatchDerivatives& out) const {
  const auto code = held(contents_, "CompiledModel").many<void (*)(long, In, In, In, Out, Out, Out)>(kDAcceleration);
  const BatchRunner run = held(contents_, "CompiledModel").runner("CompiledModel::forward_dynamics_derivatives", batch);
  for (LaneArray* block : {&out.dq, &out.dv, &out.dx})
    run.room(*block, held(contents_, "CompiledModel").model.nv() * held(contents_, "CompiledModel").model.nv());
  run.for_each_block([&](int b, double*) {
    const Inputs<double> in = run.inputs(b);
    code(1, in.q, in.v, in.tau, BatchRunner::values(out.dq, b), BatchRunner::values(out.dv, b),
         BatchRunner::values(out.dx, b));
  });
}

namespace {

/// Throws std::invalid_argument unless a vector, or a square matrix, has room for `size`, and no gaps.
const double* read(const char* name, VectorIn<double> x, int size) {
  check_size("CompiledModel", name, size, x.size());
  return x.data();
}
double* written(const char* name, VectorOut<double>& x, int size) {
  check_size("CompiledModel", name, size, x.size());
  return x.data();
}
double* written(const char* name, MatrixOut<double>& x, int size) {
  check_size("CompiledModel", name, size, x.rows());
  check_size("CompiledModel", name, size, x.cols());
  check_size("CompiledModel", "stride of a matrix", size, size == 0 ? 0 : x.outerStride());
  return x.data();
}

}  // namespace

void CompiledModel::inverse_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                                     VectorOut<double> tau) const {
  const Contents& c = held(contents_, "CompiledModel");
  const int n = c.model.nv();
  c.one<void (*)(In, In, In, Out)>(kTau)(read("q", q, c.model.nq()), read("v", v, n), read("a", a, n),
                                         written("tau", tau, n));
}
void CompiledModel::bias_torques(VectorIn<double> q, VectorIn<double> v, VectorOut<double> tau) const {
  const Contents& c = held(contents_, "CompiledModel");
  const int n = c.model.nv();
  c.one<void (*)(In, In, Out)>(kBias)(read("q", q, c.model.nq()), read("v", v, n), written("tau", tau, n));
}
void CompiledModel::gravity_torques(VectorIn<double> q, VectorOut<double> tau) const {
  const Contents& c = held(contents_, "CompiledModel");
  c.one<void (*)(In, Out)>(kGravity)(read("q", q, c.model.nq()), written("tau", tau, c.model.nv()));
}
void CompiledModel::mass_matrix(VectorIn<double> q, MatrixOut<double> M) const {
  const Contents& c = held(contents_, "CompiledModel");
  c.one<void (*)(In, Out)>(kMassMatrix)(read("q", q, c.model.nq()), written("M", M, c.model.nv()));
}
void CompiledModel::forward_dynamics(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                                     VectorOut<double> a) const {
  const Contents& c = held(contents_, "CompiledModel");
  const int n = c.model.nv();
  c.one<void (*)(In, In, In, Out)>(kAcceleration)(read("q", q, c.model.nq()), read("v", v, n), read("tau", tau, n),
                                                  written("a", a, n));
}
void CompiledModel::inverse_dynamics_derivatives(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                                                 MatrixOut<double> dq, MatrixOut<double> dv,
                                                 MatrixOut<double> da) const {
  const Contents& c = held(contents_, "CompiledModel");
  const int n = c.model.nv();
  c.one<void (*)(In, In, In, Out, Out, Out)>(kDTau)(read("q", q, c.model.nq()), read("v", v, n), read("a", a, n),
                                                    written("dq", dq, n), written("dv", dv, n), written("da", da, n));
}
void CompiledModel::forward_dynamics_derivatives(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                                                 MatrixOut<double> dq, MatrixOut<double> dv,
                                                 MatrixOut<double> dtau) const {
  const Contents& c = held(contents_, "CompiledModel");
  const int n = c.model.nv();
  c.one<void (*)(In, In, In, Out, Out, Out)>(kDAcceleration)(read("q", q, c.model.nq()), read("v", v, n),
                                                             read("tau", tau, n), written("dq", dq, n),
                                                             written("dv", dv, n), written("dtau", dtau, n));
}

}  // namespace verne
