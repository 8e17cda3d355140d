// Channels and their first and second derivatives, against complex steps through the dynamics.
#include "motion/values/node_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <utility>

#include "motion/values/span_hessians.h"
#include "structures/closed_dynamics.h"
#include "support/compare.h"
#include "support/complex_step.h"
#include "support/derivatives.h"
#include "support/paths.h"
#include "support/random_model.h"
#include "verne/io/model_io.h"
#include "verne/model/model.h"
#include "verne/spatial/transform.h"

namespace verne {
namespace {

using test::close;
using test::random_values;
using Complex = std::complex<double>;

constexpr int kNodes = 3;  // not a multiple of any lane count

/// All kinds of channels of a model.
ChannelLayout every_channel(const Model& model, std::mt19937_64& rng) {
  ChannelLayout channels(model, test::random_loads(model, rng, 2));
  for (int i = 0; i < model.nv(); ++i) channels.tau(i);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    if (model.joints()[j].nv > 0 && !model.joints()[j].coupled()) channels.wrench(static_cast<int>(j));
  }
  for (int site = 0; site < static_cast<int>(model.links().size() + model.frames().size()); ++site) {
    channels.point(site, test::random_vector(rng, 0.5));
    channels.direction(site, test::random_vector(rng, 1));
    channels.velocity(site, test::random_vector(rng, 0.5));
  }
  return channels;
}

template <class S>
Vector3<S> crossed(const Vector3<S>& a, const Vector3<S>& b) {  // Eigen's cross product would take conjugates
  const Vec3<S> c = cross(Vec3<S>::load(a.data()), Vec3<S>::load(b.data()));
  return {c.x, c.y, c.z};
}

/// What supports bear divided by their shares, from the wrench that the root bears: docs/theory/gait.md, (3).
template <class S>
std::vector<Vector<S>> support_wrenches(const ChannelLayout& channels, const Place& place, const Kinematics<S>& at,
                                        const Vector<S>& root) {
  const Ground& ground = channels.ground();
  const auto reference = [&](int i) -> Vector3<S> {
    const Vec3<double> r = ground.reference(i, place);
    const int site = ground.support(i).site;
    return at.position(site) + at.rotation(site) * Eigen::Vector3d(r.x, r.y, r.z).cast<S>();
  };
  std::vector<Vector<S>> all(ground.supports(), root);
  if (ground.supports() < 2) return all;
  const Vector3<S> force = root.template head<3>();
  const Vector3<S> moment = crossed<S>(reference(0) - reference(1), force);
  all[0].template tail<3>() += moment * S(ground.share(1, place));
  all[1].template tail<3>() -= moment * S(ground.share(0, place));
  return all;
}

/// Efforts and wrenches of a mechanism, by the functions of structures/.
template <class S>
void take_loops(const ChannelLayout& channels, const Vector<S>& z, const Loads<S>& loads, Vector<S>& y) {
  const Mechanism& mechanism = *channels.mechanism();
  const Model& model = mechanism.model();
  const int nv = model.nv();
  const auto joints = static_cast<int>(model.joints().size());
  MechanismData<S> data(mechanism);
  Vector<S> motors(mechanism.actuated().size());
  Matrix6X<S> of_loops(6, model.loops().size()), of_joints(6, joints);
  const Vector<S> q = z.head(nv), v = z.segment(nv, nv), a = z.segment(2 * nv, nv);
  std::vector<double> weights;
  for (const int dof : mechanism.actuated()) {
    weights.push_back(channels.effort_weights().empty() ? 1 : channels.effort_weights()[dof]);
  }
  const Values shares(weights);
  inverse_dynamics<S>(mechanism, data, q, v, a, motors, &loads, &of_loops, &of_joints, &shares);
  y.segment(4 * nv, nv).setZero();
  for (std::size_t k = 0; k < mechanism.actuated().size(); ++k) {
    y[4 * nv + mechanism.actuated()[k]] = motors[static_cast<Eigen::Index>(k)];
  }
  const auto loops = static_cast<int>(model.loops().size());
  Data<S> tree(model);
  const Kinematics<S> at = forward_kinematics<S>(model, tree, q, v, a);
  for (const WrenchChannel& wrench : channels.wrenches()) {
    if (wrench.joint < joints) {
      y.segment(wrench.first, 6) = of_joints.col(wrench.joint);
    } else if (wrench.joint >= joints + loops) {
      const int loop = wrench.joint - joints - loops, link = model.link(model.loops()[std::size_t(loop)].a.link);
      const Transform<double>& X = model.loops()[std::size_t(loop)].a.X_LF;
      Matrix<S> R(3, 3);
      for (int i = 0; i < 3; ++i) {
        const Vec3<double> axis = X.R.column(i);
        R.col(i) = at.rotation(link) * Eigen::Vector3d(axis.x, axis.y, axis.z).cast<S>();
      }
      const Vector3<S> force = R * of_loops.col(loop).template head<3>(),
                       moment = R * of_loops.col(loop).template tail<3>();
      const Vector3<S> p = at.position(link) + at.rotation(link) * Eigen::Vector3d(X.p.x, X.p.y, X.p.z).cast<S>();
      y.segment(wrench.first, 3) = force;
      y.segment(wrench.first + 3, 3) = moment + crossed<S>(p, force);
    } else {
      y.segment(wrench.first, 6) = of_loops.col(wrench.joint - joints);
    }
  }
}

/// y at a state z = (q, v, a, jerk), by the library's functions for one state.
template <class S>
Vector<S> channel_values(const Model& model, const ChannelLayout& channels, const Vector<S>& z,
                         const Place& place = {0, 0.0}) {
  const int nv = model.nv(), all = channels.nv();
  Data<S> data(model);
  const Vector<S> q = z.head(nv), v = z.segment(all, nv), a = z.segment(2 * all, nv);
  Loads<S> loads = [&] {
    if constexpr (std::is_same_v<S, Complex>) {
      return test::complex_loads(channels.loads());
    } else {
      return channels.loads();
    }
  }();
  const Kinematics<S> kinematics = forward_kinematics<S>(model, data, q, v, a);
  const ContactCurve& contacts = channels.ground().contacts();
  for (int c = 0; c < contacts.contacts(); ++c) {
    Vector3<S> force = Vector3<S>::Zero();
    for (int k = ContactCurve::kEdges * c; k < ContactCurve::kEdges * (c + 1); ++k) {
      const Vec3<double>& edge = contacts.edge(k);
      force += Eigen::Vector3d(edge.x, edge.y, edge.z).cast<S>() * z[nv + k];
    }
    const ContactPoint& at = contacts.contact(c);
    const Eigen::Vector3d point(at.point.x, at.point.y, at.point.z);
    // What touches the ground may be beyond the support, which bears the force all the same.
    const int bearing = channels.ground().support(contacts.support(c)).site;
    const Vector3<S> arm =
        kinematics.position(at.site) + kinematics.rotation(at.site) * point.cast<S>() - kinematics.position(bearing);
    loads.add({bearing, force, crossed<S>(arm, force), Vector3<S>::Zero(), At::link});
  }
  const auto wrenches = inverse_dynamics_and_wrenches<S>(model, data, q, v, a, loads).wrenches;
  Vector<S> y(channels.size());
  y.head(4 * all) = z;
  const auto supports = support_wrenches<S>(channels, place, kinematics, wrenches.col(0));
  for (std::size_t i = 0; i < supports.size(); ++i) {
    const int index = static_cast<int>(i), site = channels.ground().support(index).site;
    const Vector<S> wrench = supports[i] * S(channels.ground().share(index, place));
    const Vector3<S> force = wrench.template head<3>(), moment = wrench.template tail<3>();
    loads.add({site, force, moment - crossed<S>(kinematics.position(site), force), Vector3<S>::Zero(), At::link});
    if (channels.known_support(index) >= 0) y.segment(channels.known_support(index), 6) = supports[i];
  }
  y.segment(4 * all, nv) = inverse_dynamics<S>(model, data, q, v, a, loads);
  for (const WrenchChannel& wrench : channels.wrenches()) {
    if (!channels.mechanism()) y.segment(wrench.first, 6) = wrenches.col(wrench.joint);
  }
  if (channels.mechanism()) take_loops<S>(channels, z, loads, y);
  for (const ArrowChannel& arrow : channels.arrows()) {
    const Eigen::Vector3d vector(arrow.vector.x, arrow.vector.y, arrow.vector.z);
    const Eigen::Matrix<S, 3, 1> r = kinematics.rotation(arrow.site) * vector.cast<S>();
    switch (arrow.kind) {
      case ArrowChannel::Kind::direction:
        y.segment(arrow.first, 3) = r;
        break;
      case ArrowChannel::Kind::point:
        y.segment(arrow.first, 3) = kinematics.position(arrow.site) + r;
        break;
      case ArrowChannel::Kind::velocity: {
        const Eigen::Matrix<S, 6, 1> twist = kinematics.velocities.col(arrow.site);
        y.segment(arrow.first, 3) = twist.template head<3>() + crossed<S>(twist.template tail<3>(), r);
      }
    }
  }
  return y;
}

/// ∂y/∂z
Eigen::MatrixXd stepped_gradients(const Model& model, const ChannelLayout& channels, const Eigen::VectorXd& z,
                                  const Place& place) {
  Eigen::MatrixXd J(channels.size(), z.size());
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    J.col(k) = test::derivative(
        channel_values<Complex>(model, channels, test::stepped(z, Eigen::VectorXd::Unit(z.size(), k)), place));
  }
  return J;
}

/// Second derivatives of Σ multipliers · y times each of the directions, by differences of order four of complex steps:
/// an entry that is wrong shows in its row of a product with random numbers.
Eigen::MatrixXd stepped_products(const Model& model, const ChannelLayout& channels, const Eigen::VectorXd& z,
                                 const Eigen::VectorXd& multipliers, const Place& place,
                                 const Eigen::MatrixXd& directions) {
  constexpr double h = 5e-4;
  Eigen::MatrixXd products(directions.rows(), directions.cols());
  for (Eigen::Index k = 0; k < directions.cols(); ++k) {
    const auto gradient = [&](double step) -> Eigen::VectorXd {
      return stepped_gradients(model, channels, z + step * directions.col(k), place).transpose() * multipliers;
    };
    products.col(k) = (8 * (gradient(h) - gradient(-h)) - gradient(2 * h) + gradient(-2 * h)) / (12 * h);
  }
  return products;
}
Eigen::MatrixXd random_directions(std::mt19937_64& rng, Eigen::Index size) {
  constexpr int kDirections = 3;
  Eigen::MatrixXd out(size, kDirections);
  for (int k = 0; k < kDirections; ++k) out.col(k) = random_values(rng, static_cast<int>(size), 1);
  return out;
}

/// Second derivatives with respect to z from arrays over pairs.
Eigen::MatrixXd matrix_of(const DofPairs& pairs, const double* curvature) {
  using C = NodeCurvature;
  const int nv = pairs.nv();
  const Eigen::Map<const Eigen::MatrixXd> arrays(curvature, pairs.curved(), static_cast<int>(C::kArrays));
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(kStateOrders * nv, kStateOrders * nv);
  for (int p = 0; p < pairs.curved(); ++p) {
    const auto [i, k] = pairs[pairs.first_curved() + p];
    H(i, k) = H(k, i) = arrays(p, C::qq) + arrays(p, C::contact);
    H(nv + i, nv + k) = H(nv + k, nv + i) = arrays(p, C::vv);
    for (const auto& [order, first] : {std::pair(1, C::qv_sum), std::pair(2, C::qa_sum)}) {
      const double sum = arrays(p, first), difference = arrays(p, C::difference(first));
      const double one = sum + difference, other = sum - difference;
      H(i, order * nv + k) = H(order * nv + k, i) = one;
      H(k, order * nv + i) = H(order * nv + i, k) = other;
    }
  }
  return H;
}

/// How much rounding grows: dependent velocities are so much larger than independent ones, and enter squared.
double amplification(const ChannelLayout& channels, const Eigen::VectorXd& z) {
  if (!channels.mechanism()) return 1;
  const Mechanism& mechanism = *channels.mechanism();
  MechanismData<double> data(mechanism);
  Eigen::MatrixXd G(channels.nv(), mechanism.mobility());
  const Eigen::VectorXd q = z.head(channels.nv());
  closed_jacobian<double>(mechanism, data, q, G);
  return std::max(1.0, G.squaredNorm());
}

void expect_right_channels(const Model& model, const ChannelLayout& channels, std::mt19937_64& rng,
                           double reach = 1.5) {
  const std::vector<Place> places{{0, 0.0}, {1, 0.3}, {1, 1.0}};
  const int size = kStateOrders * channels.nv();
  Eigen::MatrixXd z(size, kNodes), multipliers(channels.size(), kNodes);
  for (int n = 0; n < kNodes; ++n) z.col(n) = random_values(rng, size, reach);
  for (int n = 0; n < kNodes; ++n) multipliers.col(n) = random_values(rng, channels.size(), 1);
  const DofPairs pairs(channels.nv(), {}, channels.curved());
  NodeValues values(model, channels, kNodes, &pairs);
  values.place(places);
  for (const double scale : {0.5, 1.0}) {  // what the first round leaves behind must not show
    values.evaluate(scale * z);
    values.differentiate();
    values.differentiate_twice(scale * multipliers);
  }
  for (int n = 0; n < kNodes; ++n) {
    EXPECT_TRUE(
        close(values.y().col(n), channel_values<double>(model, channels, z.col(n), places[n]), test::kRounding));
    const double worse = amplification(channels, z.col(n));
    EXPECT_LT(worse, 1e3);
    const Eigen::MatrixXd J = stepped_gradients(model, channels, z.col(n), places[n]);
    for (int c = 0; c < channels.size(); ++c) {
      Eigen::VectorXd gradient = Eigen::VectorXd::Ones(size);
      values.add_gradient(n, c, 2, gradient.data());
      EXPECT_TRUE(close(gradient, Eigen::VectorXd::Ones(size) + 2 * J.row(c).transpose(), worse * test::kComplexStep));
      // The sparsity that is promised
      const std::vector<int> dofs = channels.dofs(c);
      for (int k = 0; k < size; ++k) {
        const bool promised = std::find(dofs.begin(), dofs.end(), k % channels.nv()) != dofs.end();
        EXPECT_TRUE(promised || J(c, k) == 0) << c << " " << k;
      }
    }
    const Eigen::MatrixXd along = random_directions(rng, size);
    EXPECT_TRUE(close(matrix_of(pairs, values.curvature(n)) * along,
                      stepped_products(model, channels, z.col(n), multipliers.col(n), places[n], along),
                      worse * test::kDifference));
  }
}

void expect_right_channels(const Model& model) {
  std::mt19937_64 rng(11);
  expect_right_channels(model, every_channel(model, rng), rng);
}

/// A trunk that floats on three sliding and three turning joints, with two legs.
Model walker() {
  ModelSpec spec;
  spec.gravity = {0.3, -9.8, 0.5};
  const auto add = [&](const char* name, const char* parent, JointType type, Vec3<double> axis, double mass) {
    LinkSpec link;
    link.name = name, link.parent = parent;
    link.joint.name = std::string(name) + "_joint";
    link.joint.type = type;
    link.joint.axis = axis;
    if (type != JointType::fixed) link.joint.dofs.resize(1);
    link.X_PJ.p = {0.1 * mass, -0.3, 0.05};
    link.has_inertial = mass > 0;
    link.mass = mass, link.com = {0.02, -0.1, 0.03};
    link.inertia = {0.02 * mass, 0.03 * mass, 0.025 * mass, 0, 0, 0};
    spec.links.push_back(link);
  };
  const JointType slide = JointType::prismatic, turn = JointType::revolute;
  add("ground", "", JointType::fixed, {0, 0, 1}, 0);
  spec.links[0].X_PJ.p = {0, 0, 0};
  add("x", "ground", slide, {1, 0, 0}, 0);
  add("y", "x", slide, {0, 1, 0}, 0);
  add("z", "y", slide, {0, 0, 1}, 0);
  add("rz", "z", turn, {0, 0, 1}, 0);
  add("rx", "rz", turn, {1, 0, 0}, 0);
  add("trunk", "rx", turn, {0, 1, 0}, 3);
  add("thigh_r", "trunk", turn, {0, 0, 1}, 1);
  add("shank_r", "thigh_r", turn, {1, 0, 0}, 0.7);
  add("thigh_l", "trunk", turn, {0, 0, 1}, 1.1);
  add("shank_l", "thigh_l", turn, {0, 0, -1}, 0.6);
  add("arm", "trunk", turn, {0, 1, 0}, 0.4);
  return build_model(std::move(spec));
}

/// One support and two, which carry the force from one to the other, on limbs that part early and late.
TEST(NodeValues, Ground) {
  const Model model = walker();
  std::mt19937_64 rng(13);
  const auto support = [&](const char* link, double from, double to) {
    SupportSpec task;
    task.site = model.site(link);
    task.share_from = from, task.share_to = to;
    task.from = test::random_vector(rng, 0.3), task.to = test::random_vector(rng, 0.3);
    return task;
  };
  const std::vector<std::vector<SupportSpec>> cases{
      {support("thigh_r", 1, 1)},
      {support("thigh_r", 0.2, 0.9), support("shank_l", 0.8, 0.1)},
      {support("trunk", 1, 0), support("shank_r", 0, 1)},
  };
  const Eigen::Vector2d lengths(0.3, 0.5);
  for (const auto& supports : cases) {
    GroundSpec task;
    task.supports = supports;
    ChannelLayout channels(model, test::random_loads(model, rng, 1), Ground(task, {0, 2}, lengths));
    for (int i = 0; i < model.nv(); ++i) channels.tau(i);
    for (std::size_t i = 0; i < supports.size(); ++i) channels.support(static_cast<int>(i));
    channels.point(model.site("shank_l"), {0.1, 0.2, 0.3});
    expect_right_channels(model, channels, rng);
    // Contacts bear something: one of the link that is said to stand, one of a link that it carries
    task.contact_variables = true, task.friction = 0.7;
    task.supports[0].contacts = {{task.supports[0].site, {0.1, -0.4, 0.2}}, {model.site("shank_r"), {0, 0.1, 0.3}}};
    const Ground ground(task, {0, 2}, lengths, ContactCurve(model, task, 3, {0, 2}, lengths, 0));
    ChannelLayout touching(model, test::random_loads(model, rng, 1), ground);
    for (int i = 0; i < model.nv(); ++i) touching.tau(i);
    for (std::size_t i = 0; i < supports.size(); ++i) touching.support(static_cast<int>(i));
    touching.velocity(model.site("shank_l"), {0.1, 0.2, 0.3});
    expect_right_channels(model, touching, rng);
  }
}

/// A joint that follows another, by the links that they carry.
struct Following {
  std::size_t follower, leader;
};

/// Two branches that a joint of the given kind joins, and a point of one of them that stays on a line in the world; as
/// many motors as can move, and some more.
Model two_loops(LoopType type, std::mt19937_64& rng, int more = 0, const std::vector<Following>& couplings = {}) {
  test::RandomTreeOptions options;
  options.kinds = {JointType::revolute, JointType::revolute, JointType::prismatic, JointType::helical};
  options.chain = options.friction = options.rotor_inertia = options.springs = true;
  ModelSpec spec = test::random_tree(rng, 11, options);
  spec.links[7].parent = spec.links[2].name;  // the second branch
  for (LinkSpec& link : spec.links) link.joint.actuated = false;
  for (const Following& k : couplings) {
    const double ratio = test::random_number(rng, -2, -0.5);
    spec.links[k.follower].joint.mimic = MimicSpec{spec.links[k.leader].joint.name, ratio, 0.3};
  }
  const Model tree = build_model(spec);
  Data<double> data(tree);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(tree.nv());
  const Kinematics<double> at = forward_kinematics<double>(tree, data, zero, zero, zero);
  const auto pose = [&](const std::string& link) {
    Transform<double> X;
    const int site = tree.site(link);
    const Eigen::Vector3d p = at.position(site);
    X.p = {p.x(), p.y(), p.z()};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) X.R(r, c) = at.rotation(site)(r, c);
    }
    return X;
  };
  const auto close_at_zero = [&](LoopType kind, const std::string& a, const std::string& b) {
    LoopSpec loop;
    loop.name = a + "_" + b, loop.type = kind;
    loop.a = {a, test::random_pose(rng, 0.3)};
    loop.b = {b, (b == "world" ? Transform<double>::identity() : inverse(pose(b))) * pose(a) * loop.a.X_LF};
    spec.loops.push_back(loop);
  };
  close_at_zero(type, spec.links[11].name, spec.links[6].name);
  close_at_zero(LoopType::point_on_line, spec.links[9].name, "world");
  const Mechanism loops(build_model(spec));
  const auto drive = [&](int dof) {
    for (LinkSpec& link : spec.links) link.joint.actuated |= link.joint.name == tree.dof_names()[std::size_t(dof)];
  };
  for (const int dof : loops.independent()) spec.independent.push_back(tree.dof_names()[std::size_t(dof)]), drive(dof);
  for (int k = 0; k < more; ++k) drive(loops.dependent()[static_cast<std::size_t>(k)]);
  return build_model(spec);
}

void expect_right_reactions(const Model& model, std::mt19937_64& rng, const std::vector<double>& weights) {
  const Mechanism mechanism(model);
  ASSERT_EQ(mechanism.rank(), mechanism.equations());  // all reactions are determined
  ChannelLayout channels(model, test::random_loads(model, rng, 1), {}, {}, mechanism, weights);
  for (int i = 0; i < model.nv(); ++i) channels.tau(i);
  const auto joints = static_cast<int>(model.joints().size());
  for (const int bearing : {1, 5, 8, 10, joints, joints + 1}) channels.wrench(bearing);
  channels.loop_in_world(1);
  channels.point(model.site(model.links()[11].name), {0.1, 0.2, 0.3});
  expect_right_channels(model, channels, rng, 0.1);  // far from where loops cannot move
}

constexpr LoopType kLoopTypes[] = {LoopType::revolute,  LoopType::prismatic,     LoopType::cylindrical,
                                   LoopType::planar,    LoopType::point_on_line, LoopType::universal,
                                   LoopType::spherical, LoopType::rigid};

/// Reactions of loops of every kind: efforts of motors, wrenches of loops and of joints on one branch, on both and
/// before both; docs/theory/loop-motion.md.
TEST(NodeValues, Loops) {
  for (const LoopType type : kLoopTypes) {
    SCOPED_TRACE(to_string(type));
    std::mt19937_64 rng(17 + static_cast<int>(type));
    expect_right_reactions(two_loops(type, rng), rng, {});
  }
}

/// The same where more motors than it takes share what has to be given, by weights.
TEST(NodeValues, MotorsThatShare) {
  for (const LoopType type : kLoopTypes) {
    SCOPED_TRACE(to_string(type));
    std::mt19937_64 rng(17 + static_cast<int>(type));
    const Model model = two_loops(type, rng, 1 + static_cast<int>(type) % 3);
    std::vector<double> weights;
    for (int i = 0; i < model.nv(); ++i) weights.push_back(1 + i % 4);
    expect_right_reactions(model, rng, weights);
  }
}

/// Joints that follow others within loops: on the way to the other end, on the same way, inwards of what they follow,
/// and what carries both ends.
TEST(NodeValues, CouplingsWithinLoops) {
  const std::vector<Following> sets[] = {{{10, 4}}, {{8, 9}, {6, 3}}, {{5, 2}}, {{2, 11}, {9, 4}}, {{11, 8}, {5, 8}}};
  int at = 0;
  for (const LoopType type : kLoopTypes) {
    SCOPED_TRACE(to_string(type));
    std::mt19937_64 rng(29 + static_cast<int>(type));
    const int more = at % 2;  // motors that share
    expect_right_reactions(two_loops(type, rng, more, sets[at++ % std::size(sets)]), rng, {});
  }
}

TEST(NodeValues, RandomTrees) {
  std::mt19937_64 rng(12);
  test::RandomTreeOptions options;
  options.kinds = {JointType::revolute,    JointType::prismatic, JointType::helical,
                   JointType::cylindrical, JointType::universal, JointType::planar};
  options.fixed_joints = options.friction = options.rotor_inertia = true;
  for (int k = 0; k < 4; ++k) {
    options.chain = k % 2;
    expect_right_channels(build_model(test::random_tree(rng, 3, options)));
  }
}

/// Without torques, whose second derivatives overwrite those of the state before.
TEST(NodeValues, VelocitiesAlone) {
  const Model model = load_model(test::source_dir() + "/models/puma560.yaml");
  ChannelLayout channels(model);
  channels.velocity(model.site("tool"), {0.1, -0.2, 0.3});
  std::mt19937_64 rng(16);
  const int size = kStateOrders * model.nv();
  const DofPairs pairs(model.nv(), {}, channels.curved());
  NodeValues values(model, channels, 1, &pairs);
  for (int k = 0; k < 2; ++k) {
    const Eigen::VectorXd z = random_values(rng, size, 1.5), multipliers = random_values(rng, channels.size(), 1);
    values.evaluate(z);
    values.differentiate();
    values.differentiate_twice(multipliers);
    Eigen::VectorXd of_velocity = Eigen::VectorXd::Zero(channels.size());
    of_velocity.tail(3) = multipliers.tail(3);
    const Eigen::MatrixXd along = random_directions(rng, size);
    EXPECT_TRUE(close(matrix_of(pairs, values.curvature(0)) * along,
                      stepped_products(model, channels, z, of_velocity, {0, 0.0}, along), test::kDifference));
  }
}

TEST(NodeValues, CoupledJoints) {
  std::mt19937_64 rng(13);
  test::RandomTreeOptions options;
  options.kinds = {JointType::revolute, JointType::prismatic};
  options.friction = true;
  for (int k = 0; k < 6; ++k) {
    options.chain = k % 2;
    options.late_leaders = k % 3 == 0, options.coupled_joints = !options.late_leaders;
    expect_right_channels(build_model(test::random_tree(rng, 5, options)));
  }
}

TEST(NodeValues, ShippedModels) {
  for (const char* name : {"two_link", "prismatic_revolute", "puma560", "lifting_arm"}) {
    SCOPED_TRACE(name);
    expect_right_channels(load_model(test::source_dir() + "/models/" + name + ".yaml"));
  }
}

TEST(ChannelLayout, JointsThatFollowMoveOutOfOrder) {
  const Model arm = load_model(test::source_dir() + "/models/puma560.yaml");
  const auto following = [&](std::size_t follower, std::size_t leader) {
    ModelSpec spec = arm.spec();
    spec.links[follower].joint.mimic = MimicSpec{arm.joints()[leader].spec.name, 0.5, 0};
    return build_model(std::move(spec));
  };
  const int tool = static_cast<int>(arm.links().size()) - 1;
  EXPECT_TRUE(moves_in_order(arm, tool));
  for (const auto& [follower, leader] : {std::pair(4u, 1u), std::pair(1u, 4u)}) {  // both on the way: twice
    const Model model = following(follower, leader);
    EXPECT_FALSE(moves_in_order(model, tool));
    EXPECT_EQ(moves_in_order(model, 2), follower == 4);  // a leader that comes later is out of order
  }
}

TEST(ChannelLayout, TheSameIsAskedForOnce) {
  std::mt19937_64 rng(14);
  const Model model = build_model(test::random_tree(rng, 3, {.kinds = {JointType::revolute}}));
  ChannelLayout channels(model);
  EXPECT_EQ(channels.size(), 5 * model.nv());
  EXPECT_FALSE(channels.needs_torques());
  const int point = channels.point(1, {1, 2, 3}), direction = channels.direction(1, {1, 2, 3});
  EXPECT_NE(point, direction);
  EXPECT_EQ(channels.point(1, {1, 2, 3}), point);
  EXPECT_NE(channels.point(2, {1, 2, 3}), point);
  EXPECT_NE(channels.point(1, {1, 2, 4}), point);
  EXPECT_FALSE(channels.needs_torques());
  const int wrench = channels.wrench(2);
  EXPECT_EQ(channels.wrench(2), wrench);
  EXPECT_TRUE(channels.needs_torques());
  EXPECT_EQ(channels.size(), 5 * model.nv() + 4 * 3 + 6);
}

TEST(ChannelLayout, BranchesDoNotDependOnEachOther) {
  ModelSpec spec;
  for (const char* name : {"base", "left", "right"}) {
    LinkSpec link;
    link.name = name;
    link.parent = spec.links.empty() ? "" : "base";
    link.joint.name = std::string(name) + "_joint";
    link.joint.type = JointType::revolute;
    link.joint.dofs.resize(1);
    link.has_inertial = true;
    link.mass = 1, link.com = {0.1, 0, 0}, link.inertia = {1, 0, 0, 1, 0, 1};
    spec.links.push_back(link);
  }
  ChannelLayout channels(build_model(spec));
  EXPECT_EQ(channels.dofs(channels.tau(0)), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(channels.dofs(channels.tau(1)), (std::vector<int>{0, 1}));
  EXPECT_EQ(channels.dofs(channels.wrench(2)), (std::vector<int>{0, 2}));
  EXPECT_EQ(channels.dofs(channels.point(2, {1, 0, 0})), (std::vector<int>{0, 2}));
  EXPECT_EQ(channels.dofs(channels.jerk(1)), (std::vector<int>{1}));
  const DofPairs pairs(3, {}, channels.curved());
  EXPECT_GE(pairs.index(2, 0), 0);
  EXPECT_EQ(pairs.index(2, 1), -1);
}

TEST(ChannelLayout, OnlyWhatIsAskedForHasDerivatives) {
  std::mt19937_64 rng(15);
  const Model model = build_model(test::random_tree(rng, 3, {.kinds = {JointType::revolute}, .chain = true}));
  ChannelLayout channels(model);
  EXPECT_TRUE(channels.derived().empty());
  EXPECT_TRUE(channels.curved().empty());
  const int tau = channels.tau(1), point = channels.point(0, {1, 0, 0});
  EXPECT_EQ(channels.derived(), (std::vector<int>{tau, point, point + 1, point + 2}));
  EXPECT_TRUE(channels.of_posture(point));
  EXPECT_FALSE(channels.of_posture(channels.velocity(0, {1, 0, 0})));
  EXPECT_TRUE(channels.of_posture(channels.q(2)));
  EXPECT_FALSE(channels.of_posture(channels.v(2)));
  EXPECT_FALSE(channels.of_posture(tau));
}

}  // namespace
}  // namespace verne
