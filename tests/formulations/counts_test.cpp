/// What the formulations cost on serial arms of N revolute joints, by the counting scalar.
#include <gtest/gtest.h>

#include "apps/verne/bench/kernel_counts.h"
#include "apps/verne/bench/kernel_work.h"
#include "formulations/counted.h"
#include "formulations/formulation_support.h"
#include "formulations/khalil.h"
#include "formulations/lie.h"
#include "formulations/nasser.h"
#include "reproduce/general_models.h"

namespace verne::test {
namespace {

using fm::Counted;
using fm::OperationCount;

struct Arm {
  explicit Arm(int n)
      : model(reproduce::general_arm(n)),
        dh(*fm::dh_tree_of(model)),
        mdh(*fm::mdh_tree_of(model)),
        screws(*fm::screw_tree_of(model)) {
    std::mt19937_64 rng(5);
    for (std::vector<Counted>* values : {&q, &qd, &x}) {
      for (int i = 0; i < n; ++i) values->push_back(Counted::variable(random_number(rng, -1, 1)));
    }
  }
  Model model;
  fm::DhTree dh;
  fm::MdhTree mdh;
  fm::ScrewTree screws;
  std::vector<Counted> q, qd, x;  ///< x: accelerations or torques
};

/// Multiplications and additions as formulas in N, for N from `from` to 20.
struct Formula {
  const char* name;
  int from;
  OperationCount (*count)(const Arm& arm);
  long (*multiplications)(long n);
  long (*additions)(long n);
};
inline void PrintTo(const Formula& formula, std::ostream* out) {
  *out << formula.name;
}

class OperationCounts : public testing::TestWithParam<Formula> {};

// The formulas of docs/theory/operation_counts.md.
const Formula kFormulas[]{
    {"Barman", 3,
     [](const Arm& a) { return Counted::count([&] {
                          fm::barman_dynamics<Counted>(a.dh, {a.q, a.qd, a.x});
                        }); },
     [](long n) { return 176 * n - 208; }, [](long n) { return 140 * n - 182; }},
    {"BarmanSensitivities", 4,
     [](const Arm& a) { return Counted::count([&] {
                          fm::barman_sensitivities<Counted>(a.dh, {a.q, a.qd, a.x});
                        }); },
     [](long n) { return 237 * n * n - 147 * n - 193; }, [](long n) { return (381 * n * n - 267 * n) / 2 - 164; }},
    {"KhalilInverse", 2,
     [](const Arm& a) { return Counted::count([&] {
                          fm::khalil_inverse<Counted>(a.mdh, {a.q, a.qd}, a.x);
                        }); },
     [](long n) { return 121 * n - 126; }, [](long n) { return 95 * n - 110; }},
    {"KhalilDirect", 2,
     [](const Arm& a) { return Counted::count([&] {
                          fm::khalil_direct<Counted>(a.mdh, {a.q, a.qd}, a.x);
                        }); },
     [](long n) { return 554 * n - 689; }, [](long n) { return 462 * n - 583; }},
    {"Nasser", 3,
     [](const Arm& a) { return Counted::count([&] {
                          fm::nasser_dynamics<Counted>(a.dh, {a.q, a.qd, a.x});
                        }); },
     [](long n) { return 603 * n - 663; }, [](long n) { return 483 * n - 595; }},
    {"Lie", 2,
     [](const Arm& a) { return Counted::count([&] {
                          fm::lie_dynamics<Counted>(a.screws, {a.q, a.qd, a.x});
                        }); },
     [](long n) { return 178 * n - 160; }, [](long n) { return 135 * n - 134; }},
    {"LieExpanded", 2,
     [](const Arm& a) {
       return Counted::count([&] { fm::lie_dynamics_expanded<Counted>(a.screws, {a.q, a.qd, a.x}); });
     },
     [](long n) { return 128 * n - 110; }, [](long n) { return 106 * n - 97; }},
    {"LibraryInverse", 2,
     [](const Arm& a) {
       return cli::inverse_dynamics_count(a.model, {a.q, a.qd, a.x});
     },
     [](long n) { return 103 * n - 106; }, [](long n) { return 89 * n - 97; }},
    {"LibraryForward", 3,
     [](const Arm& a) {
       return cli::forward_dynamics_count(a.model, {a.q, a.qd, a.x});
     },
     [](long n) { return 279 * n - 298; }, [](long n) { return 242 * n - 288; }},
};
INSTANTIATE_TEST_SUITE_P(Formulas, OperationCounts, testing::ValuesIn(kFormulas),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(OperationCounts, AreWhatTheFormulasSay) {
  for (int n = GetParam().from; n <= 20; ++n) {
    const OperationCount count = GetParam().count(Arm(n));
    EXPECT_EQ(count.multiplications, GetParam().multiplications(n)) << n;
    EXPECT_EQ(count.additions, GetParam().additions(n)) << n;
  }
}

TEST(CountingScalar, CountsWhatIsNotKnown) {
  const Counted x = Counted::variable(3), y = Counted::variable(4), two(2), one(1), zero(0);
  const auto cost = [](auto&& work) { return Counted::count(work); };
  EXPECT_EQ(cost([&] { return x * y + x; }), (OperationCount{1, 1, 0}));
  EXPECT_EQ(cost([&] { return x / y - two; }), (OperationCount{1, 1, 0}));
  EXPECT_EQ(cost([&] { return sin(x) + cos(two); }), (OperationCount{0, 1, 1}));
  EXPECT_EQ(cost([&] { return (two * two + one) * x; }), (OperationCount{1, 0, 0}));
  EXPECT_EQ(cost([&] { return zero * x + one * y - zero + -(-one * x) * zero; }), (OperationCount{}));
  EXPECT_EQ((x * y - two / y).value(), 11.5);
  // Known numbers that cancel but for rounding.
  const Counted third(1.0 / 3), sum = third + third + third - Counted(1 + 1e-16);
  EXPECT_EQ(cost([&] { return (third * Counted(3) - Counted(1 - 1e-16)) * x; }), (OperationCount{}));
  EXPECT_EQ(sum.value(), 0);
}

/// What kernels do for a roofline, by a scalar that counts everything: at least what is needed, and not much more.
TEST(KernelWork, IsWhatIsNeededAndALittle) {
  const Arm arm(7);
  const double sines = 2 * 18 * 7;
  for (const cli::KernelWork& work : cli::kernel_work(arm.model)) {
    const auto between = [&](const OperationCount& needed) {
      const double least = static_cast<double>(needed.multiplications + needed.additions) + sines;
      EXPECT_GE(work.operations, least) << work.algorithm;
      EXPECT_LE(work.operations, 1.3 * least) << work.algorithm;
    };
    if (work.algorithm == "inverse_dynamics") between(cli::inverse_dynamics_count(arm.model, {arm.q, arm.qd, arm.x}));
    if (work.algorithm == "forward_dynamics") between(cli::forward_dynamics_count(arm.model, {arm.q, arm.qd, arm.x}));
    EXPECT_GT(work.bytes_read, 0);
    EXPECT_GT(work.bytes_written, 0);
  }
}

}  // namespace
}  // namespace verne::test
