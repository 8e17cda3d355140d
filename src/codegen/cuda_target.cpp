#include <algorithm>

#include "codegen/module.h"
#include "codegen/parameter_struct.h"
#include "codegen/statements.h"

namespace verne::codegen {

namespace {

/// Parameters go by value, so that kernels find them beside their arguments and need no memory for them.
std::string arguments(const Module& module, const Function& function) {
  std::string out = function.reads_parameters() ? "const " + name_of_struct(module) + " p, " : "";
  for (const TracedInput& input : function.trace.inputs)
    out += "const " + module.scalar() + " *__restrict__ " + input.name + ", ";
  for (const TracedOutput& output : function.trace.outputs)
    out += module.scalar() + " *__restrict__ " + output.name + ", ";
  return out.erase(out.size() - 2);
}

std::string names_of_arguments(const Function& function) {
  std::string out = function.reads_parameters() ? ", p" : "";
  for (const TracedInput& input : function.trace.inputs) out += ", " + input.name;
  for (const TracedOutput& output : function.trace.outputs) out += ", " + output.name;
  return out;
}

Dialect cuda_dialect(const Module& module, const Function& function) {
  const Trace* const trace = &function.trace;
  Dialect d = one_state_dialect(module);
  d.input = [trace](int array, int k) {
    return trace->inputs[static_cast<std::size_t>(array)].name + "[" + std::to_string(k) + " * count + i]";
  };
  d.output = [trace](int o, int row, int column) {
    const TracedOutput& output = trace->outputs[static_cast<std::size_t>(o)];
    return output.name + "[" + std::to_string(column * output.rows + row) + " * count + i]";
  };
  d.parameter = [&function](int k) { return "p." + field(function, k); };
  d.sine = [](int k) { return "s" + std::to_string(k); };
  d.cosine = [](int k) { return "c" + std::to_string(k); };
  return d;
}

/// A function of one state, then the kernel: on the host a loop over the states. Inputs are read, and sines and cosines
/// computed, where they are used: kept from the top they would take the registers that the rest needs.
std::string cuda_definition(const Module& module, const Function& function) {
  const std::string full = module.name + "_" + function.name(), scalar = module.scalar();
  std::string out =
      "VERNE_STATE void " + full + "_state(long long count, long long i, " + arguments(module, function) + ") {\n";
  const auto set_angle = [&](int k, const std::string& angle) {
    const std::string n = std::to_string(k);
    return "  " + scalar + " s" + n + ", c" + n + ";\n  " + module.name + "_sincos(" + angle + ", &s" + n + ", &c" + n +
           ");\n";
  };
  const Statements s = statements_of(function.trace, function.schedule, cuda_dialect(module, function),
                                     Trigonometry::where_used, set_angle);
  out += s.angles + s.results + "}\n";
  out += "VERNE_KERNEL(" + full + ", (long long count, " + arguments(module, function) + "), " + full +
         "_state(count, i" + names_of_arguments(function) + "))\n\n";
  return out;
}

/// Device code has no headers; the host needs those of C.
constexpr const char* kKernels = R"(#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define VERNE_STATE static __device__ __forceinline__
#define VERNE_LOW_WORD(x) __double2loint(x)
#define VERNE_KERNEL(name, arguments, call)                                    \
  extern "C" __global__ void __launch_bounds__(128) name arguments {           \
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;      \
    if (i < count) call;                                                       \
  }
#else /* on the host: the same functions of one state, so that their numbers can be checked anywhere */
#include <math.h>
#include <string.h>
#define VERNE_STATE static inline
static inline int VERNE_LOW_WORD(double x) {
  long long bits;
  memcpy(&bits, &x, sizeof bits);
  return (int)bits;
}
#define VERNE_KERNEL(name, arguments, call)                                    \
  extern "C" void name arguments {                                             \
    for (long long i = 0; i < count; ++i) call;                                \
  }
#endif

)";

/// The polynomials of base/lane_math.h. With fused operations two parts of π/2 reach so far that what is beyond is no
/// angle any more: its digits end above 0.005. The test for it is a branch on purpose. Where there is none the compiler
/// takes the kernel as one piece and reads so far ahead that it runs out of registers; a call of sin() for large angles
/// in its place doubles the code, and the time.
constexpr const char* kSincos = R"(/* Angles beyond 3.5e13 give NaN. */
VERNE_STATE void NAME_sincos(double x, double *sn, double *cs) {
  const double shift = 6755399441055744.0; /* 1.5 * 2^52: what is added to it becomes an integer */
  const double shifted = fma(x, 0.63661977236758134308, shift), n = shifted - shift;
  double r = nan("");
  if (fabs(x) < 3.5e13) r = fma(-n, 6.12323399573676603587e-17, fma(-n, 1.57079632679489655800e+00, x));
  const double z = r * r;
  double s = fma(z, 1.58969099521155010221e-10, -2.50507602534068634195e-08);
  s = fma(z, s, 2.75573137070700676789e-06);
  s = fma(z, s, -1.98412698298579493134e-04);
  s = fma(z, s, 8.33333333332248946124e-03);
  s = fma(r * z, fma(z, s, -1.66666666666666324348e-01), r);
  double c = fma(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09);
  c = fma(z, c, -2.75573143513906633035e-07);
  c = fma(z, c, 2.48015872894767294178e-05);
  c = fma(z, c, -1.38888888888741095749e-03);
  c = fma(z * z, fma(z, c, 4.16666666666666019037e-02), fma(-0.5, z, 1.0));
  const int quadrant = VERNE_LOW_WORD(shifted);
  const double a = quadrant & 1 ? c : s, b = quadrant & 1 ? s : c;
  *sn = quadrant & 2 ? -a : a;
  *cs = (quadrant + 1) & 2 ? -b : b;
}

)";
constexpr const char* kSincosOfDevice = R"(VERNE_STATE void NAME_sincos(SCALAR x, SCALAR *sn, SCALAR *cs) {
  *sn = sinSUFFIX(x);
  *cs = cosSUFFIX(x);
}

)";

std::string replaced(std::string text, const std::string& word, const std::string& value) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size())) {
    text.replace(at, word.size(), value);
  }
  return text;
}

}  // namespace

std::vector<GeneratedFile> write_cuda(const Module& module) {
  const std::string file = module.name + ".cu";
  const bool single = module.options.single_precision;
  std::string out = title(module, file);
  out +=
      "/* Every array holds rows x states: row r of state s is at [r * count + s], so that neighbouring threads read\n"
      " * neighbouring numbers. Arrays do not overlap. One thread a state, blocks of at most 128:\n *   " +
      module.name + "_" + module.functions.front().name() + "<<<(count + 127) / 128, 128>>>(count, ...) */\n\n";
  out += kKernels;
  if (reads_parameters(module)) {
    out += struct_of_parameters(module) + "#ifndef __CUDACC_RTC__ /* functions of the host */\nextern \"C\" {\n" +
           functions_of_parameters(module) + "}\n#endif\n\n";
  }
  const bool inlined = module.options.math == CodeMath::inline_source && !single;
  out +=
      replaced(replaced(replaced(inlined ? kSincos : kSincosOfDevice, "NAME", module.name), "SCALAR", module.scalar()),
               "SUFFIX", single ? "f" : "");
  for (const Function& function : module.functions) {
    out += description(module, function) + cuda_definition(module, function);
  }
  out.pop_back();
  return {{file, out}};
}

}  // namespace verne::codegen
