#include "codegen/math_text.h"

namespace verne::codegen {

namespace {

/// From an angle to the sine s and cosine c of what is left of it after n quarter turns.
constexpr const char* kReduced =
    R"(const SCALAR shifted = ANGLE * 0.63661977236758134308 + 6755399441055744.0;
const SCALAR n = shifted - 6755399441055744.0;
const SCALAR r = ((ANGLE - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) -
                 n * 2.02226624879595063154e-21;
const SCALAR z = r * r;
const SCALAR s =
    r + r * z *
            (-1.66666666666666324348e-01 +
             z * (8.33333333332248946124e-03 +
                  z * (-1.98412698298579493134e-04 +
                       z * (2.75573137070700676789e-06 +
                            z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
const SCALAR c =
    (1.0 - 0.5 * z) +
    z * z *
        (4.16666666666666019037e-02 +
         z * (-1.38888888888741095749e-03 +
              z * (2.48015872894767294178e-05 +
                   z * (-2.75573143513906633035e-07 +
                        z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));)";

constexpr const char* kSincosDouble =
    R"(/* Sines and cosines of several angles: Cody and Waite's reduction by pi/2, then minimax polynomials (fdlibm's); 2.5
 * units in the last place. Angles beyond 1e6 go to libm. A loop without branches, for compilers to use wide registers. */
static void NAME_sincos(int count, const double *x, double *sn, double *cs) {
  int far = 0;
  for (int k = 0; k < count; ++k) {
    REDUCED
    unsigned long long quadrant;
    memcpy(&quadrant, &shifted, sizeof quadrant);
    const double a = quadrant & 1 ? c : s, b = quadrant & 1 ? s : c;
    sn[k] = quadrant & 2 ? -a : a;
    cs[k] = (quadrant + 1) & 2 ? -b : b;
    far |= !(n < 1048576.0) | !(n > -1048576.0);
  }
  if (far) {
    for (int k = 0; k < count; ++k) {
      sn[k] = sin(x[k]);
      cs[k] = cos(x[k]);
    }
  }
}

)";

constexpr const char* kSincosFloat =
    R"(/* Sines and cosines of several angles: Cody and Waite's reduction by pi/2, then minimax polynomials (those of Cephes).
 * Angles beyond 8000 go to libm. A loop without branches, for compilers to use wide registers. */
static void NAME_sincos(int count, const float *x, float *sn, float *cs) {
  int far = 0;
  for (int k = 0; k < count; ++k) {
    const float shifted = x[k] * 0.636619772f + 12582912.0f;
    const float n = shifted - 12582912.0f;
    const float r = ((x[k] - n * 1.5703125f) - n * 4.837512969970703125e-4f) - n * 7.54978995489188216e-8f;
    const float z = r * r;
    const float s = r + r * z * (-1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f));
    const float c = (1.0f - 0.5f * z) +
                    z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
    unsigned quadrant;
    memcpy(&quadrant, &shifted, sizeof quadrant);
    const float a = quadrant & 1 ? c : s, b = quadrant & 1 ? s : c;
    sn[k] = quadrant & 2 ? -a : a;
    cs[k] = (quadrant + 1) & 2 ? -b : b;
    far |= !(n < 5000.0f) | !(n > -5000.0f);
  }
  if (far) {
    for (int k = 0; k < count; ++k) {
      sn[k] = sinf(x[k]);
      cs[k] = cosf(x[k]);
    }
  }
}

)";

constexpr const char* kTanh =
    R"(/* tanh: a rational approximation near zero (Cody and Waite), 1 - 2 / (exp(2 x) + 1) beyond. */
static double NAME_tanh(double x) {
  static const double reciprocals[] = {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0,
                                       1.0 / 5040.0,      1.0 / 720.0,      1.0 / 120.0,     1.0 / 24.0,     1.0 / 6.0,
                                       0.5,               1.0,              1.0};
  const double size = fabs(x), held = size < 20.0 ? size : 20.0, y = held + held;
  const double shifted = y * 1.44269504088896340736 + 6755399441055744.0;
  const double n = shifted - 6755399441055744.0;
  const double r = (y - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  double sum = 1.0 / 6227020800.0, power;
  unsigned long long bits;
  for (int k = 0; k < 13; ++k) sum = sum * r + reciprocals[k];
  memcpy(&bits, &shifted, sizeof bits);
  bits = (bits << 52) + 0x3FF0000000000000ULL;
  memcpy(&power, &bits, sizeof power);
  const double large = 1.0 - 2.0 / (sum * power + 1.0);
  const double z = held * held;
  const double p = (-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3;
  const double q = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3;
  const double small = size + size * z * (p / q);
  const double result = size < 0.625 ? small : large;
  return x != x ? x : x < 0 ? -result : result;
}

)";

constexpr const char* kSincosLanes =
    R"(/* Cody and Waite's reduction by pi/2, then minimax polynomials (fdlibm's). Says where the angle is beyond reach. */
static inline NAME_bits NAME_sincos_near(NAME_lane x, NAME_lane *sn, NAME_lane *cs) {
  REDUCED
  const NAME_bits quadrant = (NAME_bits)shifted, odd = -(quadrant & 1), S = (NAME_bits)s, C = (NAME_bits)c;
  *sn = (NAME_lane)(((odd & C) | (~odd & S)) ^ ((quadrant & 2) << 62));
  *cs = (NAME_lane)(((odd & S) | (~odd & C)) ^ (((quadrant + 1) & 2) << 62));
  return (n > 1048576.0) | (n < -1048576.0);
}
static void NAME_sincos(int count, const NAME_lane *x, NAME_lane *sn, NAME_lane *cs) {
  NAME_bits far = {0};
  long long any = 0;
  for (int k = 0; k < count; ++k) far |= NAME_sincos_near(x[k], &sn[k], &cs[k]);
  for (int i = 0; i < LANES; ++i) any |= far[i];
  if (any) {
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < LANES; ++i) {
        sn[k][i] = sin(x[k][i]);
        cs[k][i] = cos(x[k][i]);
      }
    }
  }
}

)";

constexpr const char* kTanhLanes = R"(static NAME_lane NAME_tanh_lanes(NAME_lane x) {
  NAME_lane out;
  for (int i = 0; i < LANES; ++i) out[i] = NAME_tanh(x[i]);
  return out;
}

)";

std::string filled(std::string text, const std::string& word, const std::string& value) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size())) {
    text.replace(at, word.size(), value);
  }
  return text;
}

/// `text` with kReduced in place of its line REDUCED, and as far indented.
std::string with_reduction(const std::string& text, const std::string& scalar, const std::string& angle) {
  const std::size_t at = text.find("REDUCED"), indent = at - text.rfind('\n', at) - 1;
  const std::string lines = filled(kReduced, "\n", "\n" + std::string(indent, ' '));
  return filled(text, "REDUCED", filled(filled(lines, "SCALAR", scalar), "ANGLE", angle));
}

}  // namespace

std::string sincos_in_c(const std::string& name, bool single_precision) {
  return filled(single_precision ? kSincosFloat : with_reduction(kSincosDouble, "double", "x[k]"), "NAME", name);
}

std::string tanh_in_c(const std::string& name) {
  return filled(kTanh, "NAME", name);
}

std::string math_of_lanes(const std::string& name, int lanes, bool with_tanh) {
  const std::string text =
      with_reduction(kSincosLanes, "NAME_lane", "x") + (with_tanh ? std::string(kTanh) + kTanhLanes : "");
  return filled(filled(text, "LANES", std::to_string(lanes)), "NAME", name);
}

}  // namespace verne::codegen
