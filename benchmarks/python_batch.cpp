/// What python_batch.py compares numpy calls with: the same batch from C++, with the packing of its states.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "verne/dynamics/batch_derivatives.h"
#include "verne/io/model_io.h"

namespace {

using verne::Batch;
using verne::Model;

struct Timed {
  Model model;
  Batch batch;
  verne::BatchDerivatives derivatives;
};

using Call = void (*)(Timed&);
const std::map<std::string, Call> kCalls{
    {"inverse_dynamics", [](Timed& t) { inverse_dynamics(t.model, t.batch); }},
    {"forward_dynamics", [](Timed& t) { forward_dynamics(t.model, t.batch); }},
    {"mass_matrix", [](Timed& t) { mass_matrix(t.model, t.batch); }},
    {"inverse_dynamics_derivatives", [](Timed& t) { inverse_dynamics_derivatives(t.model, t.batch, t.derivatives); }},
};

}  // namespace

/// A batch for so many states of a model; null when it cannot be read.
extern "C" __attribute__((visibility("default"))) void* open_batch(const char* path, int states) {
  try {
    const Model model = verne::load_model(path);
    return new Timed{model, Batch(model, states), {}};
  } catch (const verne::Error&) {
    return nullptr;
  }
}

/// Seconds of one call, in which the states are packed; x is a or tau. Negative when there is no such call.
extern "C" __attribute__((visibility("default"))) double time_call(void* opened, const char* name, const double* q,
                                                                   const double* v, const double* x) {
  Timed& timed = *static_cast<Timed*>(opened);
  const auto call = kCalls.find(name);
  if (call == kCalls.end()) return -1;
  const int states = timed.batch.count(), nq = timed.model.nq(), nv = timed.model.nv();
  const auto pack = [&](const double* from, int rows, verne::LaneArray& to) {
    to.assign(Eigen::Map<const Eigen::MatrixXd>(from, rows, states));
  };
  const auto begin = std::chrono::steady_clock::now();
  pack(q, nq, timed.batch.q);
  if (call->first != "mass_matrix") {
    pack(v, nv, timed.batch.v);
    pack(x, nv, call->first == "forward_dynamics" ? timed.batch.tau : timed.batch.a);
  }
  call->second(timed);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

extern "C" __attribute__((visibility("default"))) void close_batch(void* opened) {
  delete static_cast<Timed*>(opened);
}
