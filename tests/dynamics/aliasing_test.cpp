/// Outputs in the memory of inputs (the rule of data.h): the same bits where that is allowed, a complaint where not.
#include <functional>
#include <set>

#include "dynamics/overlap.h"
#include "support/algorithms.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

using VectorMap = Eigen::Map<Eigen::VectorXd>;
using Maps = std::vector<VectorMap>;
using Out = Eigen::Ref<Eigen::VectorXd>;

/// A function with a vector as output, called with its input vectors wherever they lie. What else it gives goes to the
/// workspace.
struct VectorFunction {
  const char* name;
  std::vector<Eigen::VectorXd> (*inputs)(const Workspace&);
  int (*size)(const Model&);
  void (*call)(const Model&, Data<double>&, Workspace&, const Maps& in, Out out);
};

int nq_of(const Model& model) {
  return model.nq();
}
int nv_of(const Model& model) {
  return model.nv();
}
using Vectors = std::vector<Eigen::VectorXd>;
Vectors motion_of(const Workspace& w) {
  return {w.given.q, w.given.v, w.given.a};
}
Vectors driven_by(const Workspace& w) {
  return {w.given.q, w.given.v, w.given.tau};
}
Vectors two_configurations(const Workspace& w) {
  return {w.given.q, w.other_q};
}

const VectorFunction kVectorFunctions[] = {
    {"inverse_dynamics", motion_of, nv_of,
     [](const Model& m, Data<double>& d, Workspace&, const Maps& in, Out out) {
       inverse_dynamics(m, d, in[0], in[1], in[2], out);
     }},
    {"inverse_dynamics with loads and wrenches", motion_of, nv_of,
     [](const Model& m, Data<double>& d, Workspace& w, const Maps& in, Out out) {
       inverse_dynamics(m, d, in[0], in[1], in[2], out, &w.loads, &w.wrenches);
     }},
    {"bias_torques",
     [](const Workspace& w) {
       return Vectors{w.given.q, w.given.v};
     },
     nv_of,
     [](const Model& m, Data<double>& d, Workspace&, const Maps& in, Out out) {
       bias_torques(m, d, in[0], in[1], out);
     }},
    {"gravity_torques", [](const Workspace& w) { return Vectors{w.given.q}; }, nv_of,
     [](const Model& m, Data<double>& d, Workspace&, const Maps& in, Out out) { gravity_torques(m, d, in[0], out); }},
    {"control_terms",
     [](const Workspace& w) {
       return Vectors{w.given.q, w.given.v};
     },
     nv_of,
     [](const Model& m, Data<double>& d, Workspace& w, const Maps& in, Out out) {
       auto& c = w.control;
       control_terms(m, d, in[0], in[1], w.sites, c.mass_matrix, out, c.jacobians, c.drifts, c.poses);
     }},
    {"forward_dynamics", driven_by, nv_of,
     [](const Model& m, Data<double>& d, Workspace&, const Maps& in, Out out) {
       forward_dynamics(m, d, in[0], in[1], in[2], out);
     }},
    {"forward_dynamics with loads and wrenches", driven_by, nv_of,
     [](const Model& m, Data<double>& d, Workspace& w, const Maps& in, Out out) {
       forward_dynamics(m, d, in[0], in[1], in[2], out, &w.loads, &w.wrenches);
     }},
    {"forward_dynamics_derivatives", driven_by, nv_of,
     [](const Model& m, Data<double>& d, Workspace& w, const Maps& in, Out out) {
       forward_dynamics_derivatives(m, d, in[0], in[1], in[2], out, w.dynamics.dq, w.dynamics.dv, w.dynamics.dx,
                                    &w.loads, &w.dynamics_wrenches);
     }},
    {"forward_dynamics_derivatives without loads", driven_by, nv_of,
     [](const Model& m, Data<double>& d, Workspace& w, const Maps& in, Out out) {
       forward_dynamics_derivatives(m, d, in[0], in[1], in[2], out, w.dynamics.dq, w.dynamics.dv, w.dynamics.dx);
     }},
    {"inverse_dynamics_hessian_product",
     [](const Workspace& w) {
       return Vectors{w.given.q, w.given.v, w.given.a, w.lambda, w.direction};
     },
     [](const Model& m) { return 3 * m.nv(); },
     [](const Model& m, Data<double>& d, Workspace& w, const Maps& in, Out out) {
       inverse_dynamics_hessian_product(m, d, in[0], in[1], in[2], in[3], in[4], out, &w.loads, &w.mu);
     }},
    {"integrate",
     [](const Workspace& w) {
       return Vectors{w.given.q, w.given.v};
     },
     nq_of,
     [](const Model& m, Data<double>& d, Workspace&, const Maps& in, Out out) { integrate(m, d, in[0], in[1], out); }},
    {"difference", two_configurations, nv_of,
     [](const Model& m, Data<double>& d, Workspace&, const Maps& in, Out out) { difference(m, d, in[0], in[1], out); }},
    {"interpolate", two_configurations, nq_of,
     [](const Model& m, Data<double>& d, Workspace&, const Maps& in, Out out) {
       interpolate(m, d, in[0], in[1], 0.3, out);
     }},
};

Maps maps_of(Vectors& vectors) {
  Maps maps;
  for (Eigen::VectorXd& x : vectors) maps.emplace_back(x.data(), x.size());
  return maps;
}

/// What the functions above leave in a workspace.
Eigen::VectorXd side_results(const Workspace& w) {
  const auto& c = w.control;
  Eigen::VectorXd all(w.wrenches.size() + 4 * w.dynamics.dq.size() + 3 * w.dynamics_wrenches.dq.size() +
                      c.jacobians.size() + c.drifts.size() + c.poses.size());
  all << c.mass_matrix.reshaped(), c.jacobians.reshaped(), c.drifts.reshaped(), c.poses.reshaped(),
      w.wrenches.reshaped(), w.dynamics.dq.reshaped(), w.dynamics.dv.reshaped(), w.dynamics.dx.reshaped(),
      w.dynamics_wrenches.dq.reshaped(), w.dynamics_wrenches.dv.reshaped(), w.dynamics_wrenches.dx.reshaped();
  return all.unaryExpr([](double x) { return std::isnan(x) ? 0 : x; });  // not written by this function
}

class Aliasing : public ModelTest {};

TEST_P(Aliasing, OfAWholeVectorChangesNothing) {
  Workspace work(model_, rng_);
  for (const VectorFunction& f : kVectorFunctions) {
    const Vectors given = f.inputs(work);
    Vectors apart = given;
    Eigen::VectorXd expected(f.size(model_));
    Workspace clean = work;
    f.call(model_, data_, clean, maps_of(apart), expected);
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (given[k].size() != expected.size()) continue;
      Vectors together = given;
      Workspace shared = work;
      const Maps in = maps_of(together);
      f.call(model_, data_, shared, in, VectorMap(in[k]));
      EXPECT_EQ(together[k], expected) << f.name << ", input " << k;
      EXPECT_EQ(side_results(shared), side_results(clean)) << f.name << ", input " << k;
    }
  }
}

TEST_P(Aliasing, OfAPartIsRefused) {
  Workspace work(model_, rng_);
  for (const VectorFunction& f : kVectorFunctions) {
    const Eigen::Index size = f.size(model_);
    Vectors inputs = f.inputs(work);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      Eigen::VectorXd both = Eigen::VectorXd::Zero(inputs[k].size() + size - 1);
      Maps in = maps_of(inputs);
      new (&in[k]) VectorMap(both.data(), inputs[k].size());
      VectorMap out(both.data() + inputs[k].size() - 1, size);
      const std::string text = complaint([&] { f.call(model_, data_, work, in, out); });
      if (size == 1 && inputs[k].size() == 1) continue;  // the whole
      EXPECT_NE(text.find(" overlaps "), std::string::npos) << f.name << ", input " << k << ": " << text;
    }
  }
}

std::vector<ModelCase> cases() {
  std::vector<ModelCase> all = model_cases();
  const std::vector<JointType> one_degree{JointType::revolute, JointType::prismatic, JointType::helical};
  all.push_back({"driven_tree_6", 6, {.kinds = one_degree, .friction = true, .rotor_inertia = true}});  // nq = nv
  return all;
}
INSTANTIATE_TEST_SUITE_P(Models, Aliasing, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<ModelCase>& parameter) { return parameter.param.name; });

class SharedMatrices : public RichModelTest {
 protected:
  /// q in the memory of a result.
  template <class Matrix>
  VectorMap q_in(Matrix& out) const {
    return VectorMap(out.data(), model_.nq());
  }
  static std::string refusal(const char* function, const char* output, const char* other) {
    return std::string(function) + ": " + output + " overlaps " + other +
           ": an output may share memory with an input only if both are the same whole vector";
  }
};

TEST_F(SharedMatrices, WithInputsAreRefused) {
  EXPECT_EQ(complaint([&] { mass_matrix(model_, data_, q_in(w_.matrix), w_.matrix); }),
            refusal("mass_matrix", "M", "q"));
  EXPECT_EQ(complaint([&] { inverse_mass_matrix(model_, data_, q_in(w_.matrix), w_.matrix); }),
            refusal("inverse_mass_matrix", "inverse", "q"));
  EXPECT_EQ(complaint([&] { coriolis_matrix(model_, data_, g_.q, w_.matrix.col(2), w_.matrix); }),
            refusal("coriolis_matrix", "C", "v"));
  EXPECT_EQ(complaint([&] { centroidal_momentum_matrix(model_, data_, q_in(w_.jacobian), w_.jacobian); }),
            refusal("centroidal_momentum_matrix", "A", "q"));
  EXPECT_EQ(complaint([&] { jacobian(model_, data_, q_in(w_.jacobian), 0, w_.jacobian); }),
            refusal("jacobian", "J", "q"));
  EXPECT_EQ(complaint([&] { forward_kinematics(model_, data_, q_in(w_.kinematics.poses), w_.kinematics); }),
            refusal("forward_kinematics", "out.poses", "q"));
  EXPECT_EQ(
      complaint([&] { inverse_dynamics(model_, data_, q_in(w_.wrenches), g_.v, g_.a, w_.tau, nullptr, &w_.wrenches); }),
      refusal("inverse_dynamics", "wrenches", "q"));
  EXPECT_EQ(
      complaint([&] { centroidal_derivatives(model_, data_, q_in(w_.centroidal.rate_dq), g_.v, g_.a, w_.centroidal); }),
      refusal("centroidal_derivatives", "out", "q"));
  EXPECT_EQ(complaint([&] { regressor(model_, data_, q_in(w_.parameters), g_.v, g_.a, w_.parameters); }),
            refusal("regressor", "Y", "q"));
  EXPECT_EQ(complaint([&] { load_derivatives(model_, data_, q_in(w_.by_load), w_.loads, w_.by_load); }),
            refusal("load_derivatives", "dtau", "q"));
}

TEST_F(SharedMatrices, OfDerivativesAreRefused) {
  const auto& d = w_.dynamics;
  EXPECT_EQ(complaint([&] {
              inverse_dynamics_derivatives(model_, data_, q_in(w_.dynamics.dv), g_.v, g_.a, w_.dynamics.dq,
                                           w_.dynamics.dv, w_.dynamics.dx);
            }),
            refusal("inverse_dynamics_derivatives", "dtau_dv", "q"));
  Eigen::MatrixXd twice = d.dq;
  EXPECT_EQ(
      complaint([&] { inverse_dynamics_derivatives(model_, data_, g_.q, g_.v, g_.a, twice, w_.dynamics.dv, twice); }),
      refusal("inverse_dynamics_derivatives", "dtau_da", "dtau_dq"));
  EXPECT_EQ(complaint([&] {
              inverse_dynamics_second_derivatives(model_, data_, g_.q, g_.v, g_.a, w_.second.vv.col(0), w_.second);
            }),
            refusal("inverse_dynamics_second_derivatives", "out", "lambda"));
  const auto* const point = reinterpret_cast<const Eigen::Vector3d*>(w_.motion.J.data());
  EXPECT_EQ(complaint([&] { site_derivatives(model_, data_, g_.q, g_.v, g_.a, 0, w_.motion, point); }),
            refusal("site_derivatives", "out", "point"));
}

TEST_F(SharedMatrices, WithLoadsOrOtherOutputsAreRefused) {
  Loads<double> loads = random_loads(model_, rng_, n_);
  EXPECT_EQ(
      complaint([&] { inverse_dynamics(model_, data_, g_.q, g_.v, g_.a, VectorMap(loads.values() + 1, n_), &loads); }),
      refusal("inverse_dynamics", "tau", "loads"));
  EXPECT_EQ(complaint([&] { jacobian_and_rate(model_, data_, g_.q, g_.v, 0, w_.jacobian, w_.jacobian); }),
            refusal("jacobian_and_rate", "J_rate", "J"));
}

// Two matrices between each other's columns have no value in common.
TEST_F(SharedMatrices, MayInterleave) {
  Eigen::MatrixXd all(3 * n_, n_);
  const auto part = [&](int k) { return all.middleRows(k * n_, n_); };
  inverse_dynamics_derivatives(model_, data_, g_.q, g_.v, g_.a, part(0), part(1), part(2));
  inverse_dynamics_derivatives(model_, data_, g_.q, g_.v, g_.a, w_.dynamics.dq, w_.dynamics.dv, w_.dynamics.dx);
  EXPECT_EQ(part(0), w_.dynamics.dq);
  EXPECT_EQ(part(1), w_.dynamics.dv);
  EXPECT_EQ(part(2), w_.dynamics.dx);
}

TEST(Overlap, IsThatOfTheValues) {
  std::mt19937_64 rng(5);
  const double memory[64] = {};
  const auto number = [&](long first, long last) { return std::uniform_int_distribution<long>(first, last)(rng); };
  const auto random_extent = [&] {
    const long rows = number(0, 4), stride = rows + number(0, 4), columns = number(0, 4);
    return Extent<double>{memory + number(0, 20), rows, columns, stride};
  };
  const auto values = [&](const Extent<double>& extent) {
    std::set<long> places;
    for (long column = 0; column < extent.columns; ++column) {
      for (long row = 0; row < extent.rows; ++row) places.insert(extent.first - memory + column * extent.stride + row);
    }
    return places;
  };
  int found = 0;
  for (int k = 0; k < 2000; ++k) {
    const Extent<double> a = random_extent(), b = random_extent();
    bool common = false;
    const std::set<long> of_b = values(b);
    for (const long place : values(a)) common = common || of_b.count(place) > 0;
    EXPECT_EQ(overlap(a, b), common);
    found += common;
  }
  EXPECT_GT(found, 300);
  EXPECT_LT(found, 1700);
}

}  // namespace
}  // namespace verne::test
