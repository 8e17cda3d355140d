/// Outputs of batches in arrays of inputs (the rule of batch.h): the same bits where that is allowed, a complaint where
/// not.
#include "support/algorithms.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

constexpr int kSharedStates = 9;

/// What the functions with vectors as output take besides a batch.
struct Given {
  Given(const Model& model, std::mt19937_64& rng) : batch(model, kSharedStates) {
    Workspace first(model, rng);
    batch.set_loads(first.loads);
    from = LaneArray(model.nq(), kSharedStates, batch.lanes());
    for (int k = 0; k < kSharedStates; ++k) {
      const Workspace w(model, rng);
      batch.q.set(k, w.given.q), batch.v.set(k, w.given.v), batch.a.set(k, w.given.a), batch.tau.set(k, w.given.tau);
      from.set(k, w.other_q);
      batch.lambda.set(k, w.lambda), batch.direction.set(k, w.direction), batch.mu.set(k, w.mu.reshaped());
    }
  }
  BatchWorkspace batch;
  LaneArray from, out;
};

using Array = LaneArray& (*)(Given&);
LaneArray& q_of(Given& g) {
  return g.batch.q;
}
LaneArray& v_of(Given& g) {
  return g.batch.v;
}
LaneArray& a_of(Given& g) {
  return g.batch.a;
}
LaneArray& tau_of(Given& g) {
  return g.batch.tau;
}
LaneArray& loads_of(Given& g) {
  return g.batch.load_values;
}
LaneArray& from_of(Given& g) {
  return g.from;
}
LaneArray& lambda_of(Given& g) {
  return g.batch.lambda;
}
LaneArray& direction_of(Given& g) {
  return g.batch.direction;
}
LaneArray& mu_of(Given& g) {
  return g.batch.mu;
}
constexpr Array kOfEveryBatch[] = {q_of, v_of, a_of, tau_of, loads_of};

struct BatchFunction {
  const char* name;
  std::vector<Array> others;  // besides those of every batch
  int (*rows)(const Model&);
  void (*call)(const Model&, Given&, LaneArray& out);
};
const BatchFunction kBatchFunctions[] = {
    {"difference",
     {from_of},
     [](const Model& m) { return m.nv(); },
     [](const Model& m, Given& g, LaneArray& out) { difference(m, g.batch, g.from, out); }},
    {"interpolate",
     {from_of},
     [](const Model& m) { return m.nq(); },
     [](const Model& m, Given& g, LaneArray& out) { interpolate(m, g.batch, g.from, 0.3, out); }},
    {"inverse_dynamics_hessian_product",
     {lambda_of, direction_of, mu_of},
     [](const Model& m) { return 3 * m.nv(); },
     [](const Model& m, Given& g, LaneArray& out) {
       inverse_dynamics_hessian_product(m, g.batch, g.batch.lambda, g.batch.direction, out, &g.batch.mu);
     }},
};

/// One with more coordinates than velocities, one without, and one whose vectors and matrices are of one size.
std::vector<Model> models() {
  const std::vector<JointType> one_degree{JointType::revolute, JointType::prismatic, JointType::helical};
  return {rich_model(), build({"driven_tree_6", 6, {.kinds = one_degree, .friction = true, .rotor_inertia = true}}),
          build({"pendulum", 1, {.kinds = {JointType::revolute}}})};
}

TEST(BatchAliasing, OfVectorsOfOneSizeChangesNothing) {
  int shared = 0, refused = 0;
  for (const Model& model : models()) {
    for (const BatchFunction& f : kBatchFunctions) {
      std::mt19937_64 rng(4);
      Given apart(model, rng);
      f.call(model, apart, apart.out);
      ASSERT_EQ(apart.out.rows(), f.rows(model));
      std::vector<Array> arrays(std::begin(kOfEveryBatch), std::end(kOfEveryBatch));
      arrays.insert(arrays.end(), f.others.begin(), f.others.end());
      for (std::size_t k = 0; k < arrays.size(); ++k) {
        const Array array = arrays[k];
        std::mt19937_64 again(4);
        Given together(model, again);
        LaneArray& both = array(together);
        const bool vectors = array != loads_of && array != mu_of;
        if (vectors && both.rows() == f.rows(model)) {
          f.call(model, together, both);
          EXPECT_EQ(both.matrix(), apart.out.matrix()) << f.name << ", array " << k;
          ++shared;
        } else {
          const Eigen::MatrixXd before = both.matrix();
          const std::string text = complaint([&] { f.call(model, together, both); });
          EXPECT_NE(text.find(" are one array: an output may be an input only if "), std::string::npos)
              << f.name << ", array " << k << ": " << text;
          EXPECT_EQ(both.matrix(), before) << f.name << ", array " << k;
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(shared, 15);
  EXPECT_GT(refused, 20);
}

// q := q ⊕ q has a meaning where steps are coordinates.
TEST(BatchAliasing, OfTheStepThatIsIntegrated) {
  const Model model = models()[1];
  std::mt19937_64 rng(4);
  Given given(model, rng);
  const Eigen::MatrixXd before = given.batch.q.matrix();
  integrate(model, given.batch, given.batch.q);
  EXPECT_EQ(given.batch.q.matrix(), 2 * before);
}

TEST(BatchAliasing, OfMatricesIsRefused) {
  for (const Model& model : models()) {
    std::mt19937_64 rng(4);
    Given given(model, rng);
    BatchWorkspace& b = given.batch;
    const auto expect_refusal = [](const std::string& names, const std::string& text) {
      EXPECT_EQ(text, names + " are one array: an output may be an input only if both are vectors of the same size");
    };
    BatchDerivatives twice;
    expect_refusal("inverse_dynamics_derivatives: wrenches and tau",
                   complaint([&] { inverse_dynamics_derivatives(model, b, twice, &twice); }));
    expect_refusal("forward_dynamics_derivatives: wrenches and a",
                   complaint([&] { forward_dynamics_derivatives(model, b, twice, &twice); }));
    expect_refusal("hybrid_dynamics_derivatives: wrenches and found",
                   complaint([&] { hybrid_dynamics_derivatives(model, b, b.accelerations, twice, &twice); }));
    BatchSecondDerivatives second;
    second.qv = LaneArray(model.nv(), kSharedStates, b.lanes());
    expect_refusal("inverse_dynamics_second_derivatives: out and lambda",
                   complaint([&] { inverse_dynamics_second_derivatives(model, b, second.qv, second); }));
    LaneArray one;
    expect_refusal("regressor: wrenches and Y", complaint([&] { regressor(model, b, one, &one); }));
    expect_refusal("load_derivatives: wrenches and dtau", complaint([&] { load_derivatives(model, b, one, &one); }));
    expect_refusal("forward_load_derivatives: wrenches and da",
                   complaint([&] { forward_load_derivatives(model, b, one, &one); }));
    expect_refusal("hybrid_load_derivatives: wrenches and dfound",
                   complaint([&] { hybrid_load_derivatives(model, b, b.accelerations, one, &one); }));
    const char* const names[] = {"batch.q", "batch.v", "batch.a", "batch.tau", "batch.load_values"};
    for (std::size_t k = 0; k < std::size(names); ++k) {
      LaneArray& array = kOfEveryBatch[k](given);
      const auto pair = [&](const char* output) { return std::string(output) + " and " + names[k]; };
      expect_refusal(pair("regressor: Y"), complaint([&] { regressor(model, b, array); }));
      expect_refusal(pair("regressor: wrenches"), complaint([&] { regressor(model, b, one, &array); }));
      expect_refusal(pair("load_derivatives: dtau"), complaint([&] { load_derivatives(model, b, array); }));
      expect_refusal(pair("forward_load_derivatives: da"),
                     complaint([&] { forward_load_derivatives(model, b, array); }));
    }
  }
}

}  // namespace
}  // namespace verne::test
