/// Flexible links, which Khalil mentions, as rigid pieces with springs between them: a cantilever's frequencies against
/// those of Euler and Bernoulli, and a beam that is spun up, after Kane, Ryan and Banerjee (1987).
#include <Eigen/Eigenvalues>
#include <cmath>

#include "report/svg_chart.h"
#include "reproduce/comparison.h"
#include "reproduce/rows.h"
#include "reproduce/sources.h"
#ifdef VERNE_HAVE_MOTION
#include "verne/dynamics/kinematics.h"
#include "verne/simulate/simulate.h"
#endif

namespace verne::reproduce {

namespace {

struct Beam {
  double length, mass_per_length, stiffness;  ///< stiffness: E I
};

/// A beam along x in the plane of x and y, of so many pieces: each bends in its middle, by a spring of E I over its
/// length. What is before the first spring belongs to the hub, which is fixed or turns about z.
ModelSpec pieces_of(const Beam& beam, int count, bool turning) {
  const double h = beam.length / count;
  ModelSpec spec;
  spec.name = "beam", spec.gravity = {0, 0, 0};
  const auto add = [&](const std::string& name, double length, double at, double stiffness) {
    LinkSpec link;
    link.name = name, link.joint.name = name + "_joint";
    if (!spec.links.empty()) link.parent = spec.links.back().name;
    link.joint.type = stiffness > 0 || turning ? JointType::revolute : JointType::fixed;
    if (link.joint.type == JointType::revolute) link.joint.dofs.resize(1), link.joint.dofs[0].stiffness = stiffness;
    link.X_PJ.p = {at, 0, 0};
    link.has_inertial = true;
    link.mass = beam.mass_per_length * length, link.com = {length / 2, 0, 0};
    const double across = link.mass * length * length / 12;
    link.inertia = {1e-9 * across, 0, 0, across, 0, across};
    spec.links.push_back(link);
  };
  add("hub", h / 2, 0, 0);
  for (int k = 1; k <= count; ++k) {
    add("piece" + std::to_string(k), k < count ? h : h / 2, k == 1 ? h / 2 : h, beam.stiffness / h);
  }
  spec.frames.push_back({"tip", spec.links.back().name, {Mat3<double>::identity(), {h / 2, 0, 0}}, 0});
  return spec;
}

/// ω L² √(ρA / EI), in ascending order.
Eigen::VectorXd cantilever_frequencies(int count) {
  const Model model = build_model(pieces_of({1, 1, 1}, count, false));
  Data<double> data(model);
  const Eigen::MatrixXd M = mass_matrix(model, data, Eigen::VectorXd::Zero(count));
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(count, count);
  for (int k = 0; k < count; ++k) K(k, k) = model.dofs()[static_cast<std::size_t>(k)].stiffness;
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M).eigenvalues().cwiseSqrt();
}

void cantilever(Sources& sources, Answer& answer) {
  constexpr double kTrue[] = {3.51601527, 22.0344916, 61.6972144}, kPrinted[] = {3.516, 22.03, 61.70};
  constexpr double kNear = 1e-3;  // relative, of 64 pieces
  sources.report("cantilever of 64 pieces");
  const Eigen::VectorXd coarse = cantilever_frequencies(16), middle = cantilever_frequencies(32),
                        fine = cantilever_frequencies(64);
  for (int k = 0; k < 3; ++k) {
    Finding& finding = answer.add_printed("ω" + std::to_string(k + 1) + " L²√(ρA/EI), 64 pieces", "", kPrinted[k],
                                          fine[k], kNear * kTrue[k]);
    finding.known = kTrue[k], finding.rounding = kNear * kTrue[k];
  }
  const double order = std::log2((kTrue[2] - coarse[2]) / (kTrue[2] - middle[2]));
  answer.add_printed("order of convergence of ω3", "", 2, order, 0.05);
}

#ifdef VERNE_HAVE_MOTION
/// The angle of the hub and its rates: it is brought to a speed smoothly.
void spin_up_at(double t, double& angle, double& rate, double& acceleration) {
  constexpr double kSpeed = 6, kTime = 15, w = 2 * M_PI / kTime;
  if (t >= kTime) {
    angle = kSpeed * (t - kTime / 2), rate = kSpeed, acceleration = 0;
    return;
  }
  angle = kSpeed / kTime * (t * t / 2 + (std::cos(w * t) - 1) / (w * w));
  rate = kSpeed / kTime * (t - std::sin(w * t) / w), acceleration = kSpeed / kTime * (1 - std::cos(w * t));
}

void spin_up(Sources& sources, Answer& answer) {
  constexpr int kPieces = 12;
  constexpr Beam kBeam{10, 1.2, 1.4e4};
  const Model model = build_model(pieces_of(kBeam, kPieces, true));
  const Mechanism mechanism(model);
  SimulateOptions options;
  options.duration = 20, options.samples = 1001, options.tolerance = 1e-7;
  options.prescribed.joints = {model.joint("hub_joint")};
  options.prescribed.times = {0, 15};
  options.prescribed.at = [](double t, std::span<double> q, std::span<double> v, std::span<double> a) {
    spin_up_at(t, q[0], v[0], a[0]);
  };
  options.progress = [&](double t) {
    return sources.go_on("beam at " + std::to_string(static_cast<int>(t)) + " s of 20 s");
  };
  const Values rest(Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())));
  const auto no_torque = [](double, std::span<const double>, std::span<const double>, std::span<double>) {};
  const SimulatedMotion motion = simulate(mechanism, rest, rest, no_torque, options);
  if (motion.end == SimulatedMotion::End::interrupted) throw Stopped{};
  if (motion.end != SimulatedMotion::End::finished) throw InputError("the beam: " + motion.message);
  Data<double> data(model);
  ChartLine line;
  line.name = "tip, across the turning axis";
  const auto q = motion.q.eigen();
  for (Eigen::Index k = 0; k < q.cols(); ++k) {
    Eigen::VectorXd bent = q.col(k);
    bent[0] = 0;  // seen from the hub
    line.x.push_back(motion.time[k]);
    line.y.push_back(forward_kinematics(model, data, bent).position(model.site("tip"))[1]);
  }
  // 12, 24 and, extrapolated by the square of their length, ever shorter pieces: -0.5706, -0.5730, -0.5737.
  Finding& deflection = answer.add_printed("largest deflection of the tip", "m", -0.58,
                                           *std::min_element(line.y.begin(), line.y.end()), 0.005);
  deflection.known = -0.5737, deflection.rounding = 0.005;
  answer.reason = "the deflection is drawn, not printed, and read off as 0.58 m; ever shorter pieces lead to 0.574 m";
  double after = 0;  // steady rotation straightens the beam
  for (std::size_t k = 0; k < line.x.size(); ++k) {
    if (line.x[k] > 15.5) after = std::max(after, std::abs(line.y[k]));
  }
  answer.add_disagreement("deflection at full speed", after, 0.01).unit = "m";
  ChartSpec spec;
  spec.x_label = "time (s)", spec.y_label = "deflection (m)";
  spec.lines.push_back(std::move(line));
  answer.figures.push_back({"", "Deflection of the tip of a beam that is spun up to 6 rad/s in 15 s", svg_chart(spec)});
}
#else
void spin_up(Sources&, Answer&) {
  throw NotAvailable{"this build does not simulate (VERNE_NLP is off)"};
}
#endif

}  // namespace

std::vector<Row> flexible_link_rows() {
  return {
      {"khalil-flexible-cantilever", Document::khalil, "sections 1 and 8: flexible links by lumped elasticity",
       "(Euler and Bernoulli) Natural frequencies of a cantilever are 3.516, 22.03, 61.70 √(EI/ρA)/L²", cantilever},
      {"khalil-flexible-spin-up", Document::khalil, "sections 1 and 8: flexible links by lumped elasticity",
       "(Kane, Ryan and Banerjee 1987) The tip of a beam of 10 m that is spun up to 6 rad/s in 15 s lags by 0.58 m at "
       "most",
       spin_up},
  };
}

}  // namespace verne::reproduce
