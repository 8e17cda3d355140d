/// Verne and MuJoCo have the same coordinates in the same order, except at
///   ball joints   quaternion w x y z instead of x y z w;
///   free joints   the same, the pose is that of the body in the world, and linear velocity and acceleration are in
///                 world axes. With R = R_WB: v_mj = R v, a_mj = R (a + omega x v), f_mj = R f.
#include "peers/mujoco_model.h"

#include <dlfcn.h>
#include <mujoco/mujoco.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "peers/mjcf.h"

namespace verne::peers {

namespace {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Delete {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using ModelPointer = std::unique_ptr<mjModel, Delete>;
using DataPointer = std::unique_ptr<mjData, Delete>;

/// Else MuJoCo writes a log file into the current folder. By name, since no more than functions can be linked with
/// where libraries are loaded lazily.
void be_quiet() {
  static void* const library = dlopen(VERNE_MUJOCO_FILE, RTLD_LAZY);
  static void* const handler = library ? dlsym(library, "mju_user_warning") : nullptr;
  if (handler) *static_cast<void (**)(const char*)>(handler) = [](const char*) {};
}

ModelPointer compile(const std::string& mjcf, std::string* why = nullptr) {
  constexpr const char* kName = "model.xml";
  const auto files = std::make_unique<mjVFS>();  // 2 MB: too much for the stack
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), kName, static_cast<int>(mjcf.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), kName)], mjcf.data(), mjcf.size());
  char reason[1000] = "";
  ModelPointer compiled(mj_loadXML(kName, files.get(), reason, sizeof(reason)));
  mj_deleteVFS(files.get());
  if (why) *why = reason;
  return compiled;
}

Quaterniond from_mujoco(const double* wxyz) {
  return {wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
}

void to_mujoco(const Quaterniond& q, double* wxyz) {
  wxyz[0] = q.w(), wxyz[1] = q.x(), wxyz[2] = q.y(), wxyz[3] = q.z();
}

/// A joint with a quaternion.
struct Turning {
  bool free;
  int q, v;
  Vector3d p_WJ;  ///< of a free joint at its neutral configuration
  Quaterniond Q_WJ;
};

}  // namespace

struct MujocoModel::Simulation {
  explicit Simulation(ModelPointer compiled) : m(std::move(compiled)), d(mj_makeData(m.get())) {
    for (int j = 0; j < m->njnt; ++j) {
      const bool free = m->jnt_type[j] == mjJNT_FREE;
      if (!free && m->jnt_type[j] != mjJNT_BALL) continue;
      const int q = m->jnt_qposadr[j], v = m->jnt_dofadr[j];
      const double* const home = m->qpos0 + q;
      turning.push_back({free, q, v, free ? Vector3d(home[0], home[1], home[2]) : Vector3d::Zero(),
                         from_mujoco(free ? home + 3 : home)});
    }
    M.resize(m->nv, m->nv);
  }

  Map<VectorXd> velocities(double* values) const { return {values, m->nv}; }

  void set_position(const VectorXd& q) {
    Map<VectorXd>(d->qpos, m->nq) = q;
    for (const Turning& joint : turning) {
      const int k = joint.q + (joint.free ? 3 : 0);
      const Quaterniond turn(q[k + 3], q[k], q[k + 1], q[k + 2]);
      to_mujoco(joint.free ? joint.Q_WJ * turn : turn, d->qpos + k);
      if (joint.free) Map<Vector3d>(d->qpos + joint.q) = joint.p_WJ + joint.Q_WJ * q.segment<3>(joint.q);
    }
  }

  Matrix3d rotation(const Turning& joint) const { return from_mujoco(d->qpos + joint.q + 3).toRotationMatrix(); }

  void set_velocity(const VectorXd& v) {
    velocities(d->qvel) = v;
    for (const Turning& joint : turning) {
      if (joint.free) Map<Vector3d>(d->qvel + joint.v) = rotation(joint) * v.segment<3>(joint.v);
    }
  }

  /// omega x v, in body axes
  static Vector3d transport(const VectorXd& v, int k) { return v.segment<3>(k + 3).cross(v.segment<3>(k)); }

  void set_acceleration(const VectorXd& v, const VectorXd& a) {
    velocities(d->qacc) = a;
    for (const Turning& joint : turning) {
      const int k = joint.v;
      if (joint.free) Map<Vector3d>(d->qacc + k) = rotation(joint) * (a.segment<3>(k) + transport(v, k));
    }
  }
  void get_acceleration(const VectorXd& v, VectorXd& a) const {
    a = velocities(d->qacc);
    for (const Turning& joint : turning) {
      const int k = joint.v;
      if (joint.free) a.segment<3>(k) = rotation(joint).transpose() * Map<Vector3d>(d->qacc + k) - transport(v, k);
    }
  }

  void set_force(const VectorXd& tau) {
    velocities(d->qfrc_applied) = tau;
    for (const Turning& joint : turning) {
      if (joint.free) Map<Vector3d>(d->qfrc_applied + joint.v) = rotation(joint) * tau.segment<3>(joint.v);
    }
  }
  void get_force(VectorXd& tau) const {
    tau = velocities(d->qfrc_inverse);
    for (const Turning& joint : turning) {
      if (joint.free) tau.segment<3>(joint.v) = rotation(joint).transpose() * Map<Vector3d>(d->qfrc_inverse + joint.v);
    }
  }

  ModelPointer m;
  DataPointer d;
  std::vector<Turning> turning;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M;
};

std::optional<MujocoModel> MujocoModel::from(const Model& model) {
  be_quiet();
  const std::optional<std::string> mjcf = to_mjcf(model);
  if (!mjcf) return std::nullopt;
  ModelPointer compiled = compile(*mjcf);
  if (!compiled || compiled->nq != model.nq() || compiled->nv != model.nv()) return std::nullopt;
  return MujocoModel(std::make_unique<Simulation>(std::move(compiled)));
}

std::optional<MujocoModel> MujocoModel::read(const std::string& mjcf, const Model& model, std::string& reason) {
  be_quiet();
  ModelPointer compiled = compile(mjcf, &reason);
  if (!compiled) return std::nullopt;
  if (compiled->nq == model.nq() && compiled->nv == model.nv()) {
    return MujocoModel(std::make_unique<Simulation>(std::move(compiled)));
  }
  reason = "it has " + std::to_string(compiled->nv) + " velocities, the model " + std::to_string(model.nv());
  return std::nullopt;
}

bool MujocoModel::accepts(const std::string& mjcf) {
  be_quiet();
  return compile(mjcf) != nullptr;
}

MujocoModel::MujocoModel(std::unique_ptr<Simulation> simulation) : simulation_(std::move(simulation)) {}
MujocoModel::MujocoModel(MujocoModel&&) noexcept = default;
MujocoModel& MujocoModel::operator=(MujocoModel&&) noexcept = default;
MujocoModel::~MujocoModel() = default;

void MujocoModel::inverse_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& a, VectorXd& tau) {
  Simulation& s = *simulation_;
  s.set_position(q);
  s.set_velocity(v);
  s.set_acceleration(v, a);
  mj_inverse(s.m.get(), s.d.get());
  s.get_force(tau);
}

void MujocoModel::mass_matrix(const VectorXd& q, Eigen::MatrixXd& M) {
  Simulation& s = *simulation_;
  s.set_position(q);
  mj_kinematics(s.m.get(), s.d.get());
  mj_comPos(s.m.get(), s.d.get());
  mj_crb(s.m.get(), s.d.get());
  mj_fullM(s.m.get(), s.M.data(), s.d->qM);
  M = s.M;
  for (const Turning& joint : s.turning) {  // velocities are T v, so that M becomes T' M T
    if (!joint.free) continue;
    const Matrix3d R = s.rotation(joint);
    M.middleRows<3>(joint.v) = R.transpose() * M.middleRows<3>(joint.v).eval();
    M.middleCols<3>(joint.v) = M.middleCols<3>(joint.v).eval() * R;
  }
}

void MujocoModel::forward_dynamics(const VectorXd& q, const VectorXd& v, const VectorXd& tau, VectorXd& a) {
  Simulation& s = *simulation_;
  s.set_position(q);
  s.set_velocity(v);
  s.set_force(tau);
  mj_forward(s.m.get(), s.d.get());
  s.get_acceleration(v, a);
}

std::vector<MujocoModel::JointFacts> MujocoModel::joints() const {
  const mjModel& m = *simulation_->m;
  std::vector<JointFacts> facts;
  for (int j = 0; j < m.njnt; ++j) {
    facts.push_back({m.names + m.name_jntadr[j], m.jnt_limited[j] != 0, m.jnt_range[2 * j], m.jnt_range[2 * j + 1],
                     m.dof_frictionloss[m.jnt_dofadr[j]]});
  }
  return facts;
}

std::optional<std::array<double, 12>> MujocoModel::site_pose(const VectorXd& q, const std::string& name) {
  Simulation& s = *simulation_;
  const int site = mj_name2id(s.m.get(), mjOBJ_SITE, name.c_str());
  if (site < 0) return std::nullopt;
  s.set_position(q);
  mj_kinematics(s.m.get(), s.d.get());
  std::array<double, 12> pose;
  std::copy_n(s.d->site_xpos + 3 * site, 3, pose.begin());
  std::copy_n(s.d->site_xmat + 9 * site, 9, pose.begin() + 3);
  return pose;
}

std::vector<Eigen::Vector3d> MujocoModel::mesh_points(const VectorXd& q) {
  Simulation& s = *simulation_;
  s.set_position(q);
  mj_kinematics(s.m.get(), s.d.get());
  std::vector<Eigen::Vector3d> points;
  for (int g = 0; g < s.m->ngeom; ++g) {
    if (s.m->geom_type[g] != mjGEOM_MESH) continue;
    const int mesh = s.m->geom_dataid[g];
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(s.d->geom_xmat + 9 * g);
    const Eigen::Map<const Eigen::Vector3d> p(s.d->geom_xpos + 3 * g);
    for (int v = 0; v < s.m->mesh_vertnum[mesh]; ++v) {
      const Eigen::Map<const Eigen::Vector3f> vertex(s.m->mesh_vert + 3 * (s.m->mesh_vertadr[mesh] + v));
      points.push_back(p + R * vertex.cast<double>());
    }
  }
  return points;
}

double MujocoModel::equality_violation(const VectorXd& q) {
  Simulation& s = *simulation_;
  s.set_position(q);
  mj_fwdPosition(s.m.get(), s.d.get());
  double largest = 0;
  for (int i = 0; i < s.d->nefc; ++i) {
    if (s.d->efc_type[i] == mjCNSTR_EQUALITY) largest = std::max(largest, std::abs(s.d->efc_pos[i]));
  }
  return largest;
}

}  // namespace verne::peers
