#include "peers/sdformat_model.h"

#include <sdf/sdf.hh>

namespace verne::peers {

namespace {

using ignition::math::Matrix3d;
using ignition::math::Pose3d;
using ignition::math::Vector3d;

void store(const Matrix3d& M, double* out) {
  for (int i = 0; i < 9; ++i) out[i] = M(static_cast<std::size_t>(i / 3), static_cast<std::size_t>(i % 3));
}

SdformatPose plain(const Pose3d& X) {
  SdformatPose pose{};
  store(Matrix3d(X.Rot()), pose.R);
  for (std::size_t k = 0; k < 3; ++k) pose.p[k] = X.Pos()[k];
  return pose;
}

class Reader {
 public:
  explicit Reader(SdformatModel& model) : model_(model) {}

  void note(const sdf::Errors& errors) {
    for (const auto& error : errors) model_.errors.push_back(error.Message());
  }

  void read(const sdf::Model& model, const Pose3d& X_WM, const std::string& prefix) {
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) read_link(*model.LinkByIndex(i), X_WM, prefix);
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) read_joint(*model.JointByIndex(i), X_WM, prefix);
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const sdf::Model& inner = *model.ModelByIndex(i);
      Pose3d X_MI;
      note(inner.SemanticPose().Resolve(X_MI, "__model__"));
      read(inner, X_WM * X_MI, prefix + inner.Name() + "::");
    }
  }

 private:
  void read_link(const sdf::Link& link, const Pose3d& X_WM, const std::string& prefix) {
    Pose3d X_ML;
    note(link.SemanticPose().Resolve(X_ML, "__model__"));
    const Pose3d X_WL = X_WM * X_ML;
    const Pose3d X_LC = link.Inertial().Pose();
    const Matrix3d R_WL(X_WL.Rot());
    SdformatLink read{prefix + link.Name(), plain(X_WL), link.Inertial().MassMatrix().Mass(), plain(X_WL * X_LC), {}};
    store(R_WL * link.Inertial().Moi() * R_WL.Transposed(), read.inertia);
    model_.links.push_back(read);
  }

  void read_joint(const sdf::Joint& joint, const Pose3d& X_WM, const std::string& prefix) {
    SdformatJoint read{};
    Pose3d X_MJ;
    note(joint.SemanticPose().Resolve(X_MJ, "__model__"));
    const Pose3d X_WJ = X_WM * X_MJ;
    note(joint.ResolveParentLink(read.parent));
    note(joint.ResolveChildLink(read.child));
    read.name = prefix + joint.Name();
    if (read.parent != "world") read.parent = prefix + read.parent;
    read.child = prefix + read.child;
    read.X_WJ = plain(X_WJ);
    for (unsigned k = 0; k < 2; ++k) {
      const sdf::JointAxis* const axis = joint.Axis(k);
      if (!axis) break;
      Vector3d direction;
      note(axis->ResolveXyz(direction));
      direction = X_WJ.Rot().RotateVector(direction);
      for (std::size_t i = 0; i < 3; ++i) read.axis[k][i] = direction[i];
      read.lower[k] = axis->Lower(), read.upper[k] = axis->Upper();
      read.effort[k] = axis->Effort(), read.velocity[k] = axis->MaxVelocity();
      read.damping[k] = axis->Damping(), read.friction[k] = axis->Friction();
      read.stiffness[k] = axis->SpringStiffness(), read.reference[k] = axis->SpringReference();
      ++read.axes;
    }
    model_.joints.push_back(read);
  }

  SdformatModel& model_;
};

}  // namespace

SdformatModel read_with_sdformat(const std::string& file, const std::string& folder) {
  sdf::Console::Instance()->SetQuiet(true);
  sdf::ParserConfig config;
  config.AddURIPath("model://", folder);
  sdf::Root root;
  SdformatModel model;
  Reader reader(model);
  reader.note(root.Load(file, config));
  const sdf::Model* const found = root.Model();
  if (!model.errors.empty() || !found) return model;
  Pose3d X_WM;
  reader.note(found->SemanticPose().Resolve(X_WM));
  reader.read(*found, X_WM, "");
  return model;
}

std::string sdf_from_urdf(const std::string& file) {
  sdf::Console::Instance()->SetQuiet(true);
  const sdf::SDFPtr document(new sdf::SDF());
  sdf::init(document);
  sdf::Errors errors;
  if (!sdf::readFile(file, document, errors) || !errors.empty()) return "";
  return document->Root()->ToString("");
}

}  // namespace verne::peers
