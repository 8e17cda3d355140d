#include "peers/kdl_model.h"

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>

namespace verne::peers {

namespace {

KDL::Vector to_kdl(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

KDL::Frame to_kdl(const Transform<double>& X) {
  const auto& m = X.R.m;
  return {KDL::Rotation(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]), to_kdl(X.p)};
}

KDL::RigidBodyInertia inertia_of(const LinkSpec& link) {
  const Sym3<double>& I = link.inertia;
  return KDL::RigidBodyInertia(link.mass, to_kdl(link.com), KDL::RotationalInertia(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz));
}

KDL::Joint joint_of(const LinkSpec& link) {
  const JointSpec& joint = link.joint;
  if (joint.type == JointType::fixed) return KDL::Joint(joint.name, KDL::Joint::Fixed);
  const auto kind = joint.type == JointType::revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis;
  const double rotor_inertia = joint.dofs.empty() ? 0 : joint.dofs[0].rotor_inertia;
  return KDL::Joint(joint.name, to_kdl(link.X_PJ.p), to_kdl(link.X_PJ.R * joint.axis), kind, 1, 0, rotor_inertia);
}

bool is_supported(const JointSpec& joint) {
  return !joint.mimic &&
         (joint.type == JointType::fixed || joint.type == JointType::revolute || joint.type == JointType::prismatic);
}

std::optional<KDL::Chain> chain_of(const ModelSpec& spec) {
  KDL::Chain chain;
  std::string previous;
  for (const LinkSpec& link : spec.links) {
    if (link.parent != previous || !is_supported(link.joint)) return std::nullopt;
    // KDL's segment takes the pose of its tip with the joint at zero, seen from the tip of the segment before.
    chain.addSegment(KDL::Segment(link.name, joint_of(link), to_kdl(link.X_PJ * link.X_JL), inertia_of(link)));
    previous = link.name;
  }
  return chain;
}

}  // namespace

struct KdlModel::Solvers {
  Solvers(KDL::Chain the_chain, const KDL::Vector& gravity)
      : chain(std::move(the_chain)),
        inverse(std::make_unique<KDL::ChainIdSolver_RNE>(chain, gravity)),
        parameters(chain, gravity),
        forward(std::make_unique<KDL::ChainFdSolver_RNE>(chain, gravity)),
        q(joints()),
        v(joints()),
        a(joints()),
        tau(joints()),
        M(joints()),
        no_loads(chain.getNrOfSegments(), KDL::Wrench::Zero()) {}

  unsigned joints() const { return chain.getNrOfJoints(); }

  KDL::Chain chain;  // first: the solvers keep references to it
  // By their bases, so that nothing but functions is asked of KDL, which is loaded when one is called.
  std::unique_ptr<KDL::ChainIdSolver> inverse;
  KDL::ChainDynParam parameters;
  std::unique_ptr<KDL::ChainFdSolver> forward;
  KDL::JntArray q, v, a, tau;
  KDL::JntSpaceInertiaMatrix M;
  KDL::Wrenches no_loads;
};

std::optional<KdlModel> KdlModel::from(const Model& model) {
  std::optional<KDL::Chain> chain = chain_of(model.spec());
  if (!chain || chain->getNrOfJoints() == 0) return std::nullopt;
  return KdlModel(std::make_unique<Solvers>(std::move(*chain), to_kdl(model.gravity())));
}

KdlModel::KdlModel(std::unique_ptr<Solvers> solvers) : solvers_(std::move(solvers)) {}
KdlModel::KdlModel(KdlModel&&) noexcept = default;
KdlModel& KdlModel::operator=(KdlModel&&) noexcept = default;
KdlModel::~KdlModel() = default;

void KdlModel::inverse_dynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                                Eigen::VectorXd& tau) {
  Solvers& s = *solvers_;
  s.q.data = q;
  s.v.data = v;
  s.a.data = a;
  s.inverse->CartToJnt(s.q, s.v, s.a, s.no_loads, s.tau);
  tau = s.tau.data;
}

void KdlModel::mass_matrix(const Eigen::VectorXd& q, Eigen::MatrixXd& M) {
  Solvers& s = *solvers_;
  s.q.data = q;
  s.parameters.JntToMass(s.q, s.M);
  M = s.M.data;
}

void KdlModel::forward_dynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& tau,
                                Eigen::VectorXd& a) {
  Solvers& s = *solvers_;
  s.q.data = q;
  s.v.data = v;
  s.tau.data = tau;
  s.forward->CartToJnt(s.q, s.v, s.tau, s.no_loads, s.a);
  a = s.a.data;
}

}  // namespace verne::peers
