#include "verne/motion/stride.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <utility>

#include "motion/mirror.h"
#include "motion/stride_curves.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

constexpr int kHalf = 50;  // percent

bool is_mirrored(const PeriodicTask& periodic) {
  for (std::size_t k = 0; k < periodic.dofs.size(); ++k) {
    if (periodic.partner[k] != periodic.dofs[k] || periodic.sign[k] < 0) return true;
  }
  return false;
}

/// Whether freedoms that are held look the same in the mirror, and all others repeat.
bool repeats_as_a_whole(const Task& task, const Mirror& mirror) {
  std::size_t held = 0;
  for (std::size_t i = 0; i < task.held.size(); ++i) {
    if (!task.held[i]) continue;
    const std::optional<double>& other = task.held[mirror.partner[i]];
    if (!other || *task.held[i] != mirror.sign[i] * *other) return false;
    ++held;
  }
  return held + task.periodic->dofs.size() == static_cast<std::size_t>(task.model.nv());
}

/// By what each freedom is farther after the duration, (13).
Eigen::VectorXd progress(const Task& task, double duration) {
  Eigen::VectorXd gone = Eigen::VectorXd::Zero(task.model.nv());
  const PeriodicTask& periodic = *task.periodic;
  for (std::size_t k = 0; k < periodic.dofs.size(); ++k) {
    gone[periodic.dofs[k]] = periodic.difference[k] + periodic.speed[k] * duration;
  }
  return gone;
}

/// Whether these freedoms, and all before them, are translations: then the whole model moves on as one.
bool only_translates(const Model& model, const Eigen::VectorXd& gone) {
  for (const Joint& joint : model.joints()) {
    if (joint.nv == 0 || gone.segment(joint.v, joint.nv).isZero(0)) continue;
    for (int link = joint.child_link; link >= 0; link = model.links()[link].parent) {
      const JointType type = model.joints()[model.links()[link].joint].spec.type;
      if (type != JointType::prismatic && type != JointType::fixed) return false;
    }
  }
  return true;
}

/// The way that the model moves, as a whole, when its freedoms do.
Eigen::Vector3d displacement(const Model& model, const Eigen::VectorXd& gone) {
  Data<double> data(model);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  const auto centre = [&](const Eigen::VectorXd& q) -> Eigen::Vector3d {
    return whole_body_state<double>(model, data, q, zero, zero).com;
  };
  return centre(gone) - centre(zero);
}

/// Puts instants of a step, and their mirror images moved on, where they belong in a stride.
class Unfolding {
 public:
  Unfolding(const Task& task, const SampledMotion& step, const Eigen::VectorXd& gone)
      : model_(task.model),
        step_(step),
        mirror_(mirror_of(model_)),
        H_(reflection(*model_.spec().mirror)),
        gone_(gone),
        way_(displacement(model_, gone)) {}

  SampledMotion stride() {
    const double duration = step_.time[kHalf];
    SampledMotion out;
    out.time = Eigen::VectorXd(2 * kHalf + 1);
    for (int k = 0; k <= 2 * kHalf; ++k) out.time[k] = duration * k / kHalf;
    out.q = moved_on(freedoms(step_.q));
    out.v = freedoms(step_.v), out.a = freedoms(step_.a), out.tau = freedoms(step_.tau);
    out.joint_wrenches = wrenches();
    Eigen::MatrixXd com = both(step_.com.eigen(), H_ * step_.com.eigen());
    com.middleCols(kHalf, kHalf).colwise() += way_;
    com.col(2 * kHalf) += way_ + H_ * way_;
    out.com = com;
    unfold_ground(out);
    for (const auto& [from, to] :
         {std::pair{&step_.kinetic, &out.kinetic}, {&step_.potential, &out.potential}, {&step_.power, &out.power}}) {
      const Eigen::RowVectorXd row = from->eigen().transpose();
      *to = both(row, row);
    }
    return out;
  }

 private:
  /// The step, its image, and its first instant again.
  static Eigen::MatrixXd both(const Eigen::MatrixXd& step, const Eigen::MatrixXd& image) {
    Eigen::MatrixXd out(step.rows(), 2 * kHalf + 1);
    out << step.leftCols(kHalf), image.leftCols(kHalf), step.col(0);
    return out;
  }

  Eigen::MatrixXd freedoms(const Table& step) const {
    Eigen::MatrixXd image(step.rows(), step.cols());
    for (Eigen::Index i = 0; i < image.rows(); ++i)
      image.row(i) = mirror_.sign[i] * step.eigen().row(mirror_.partner[i]);
    return both(step.eigen(), image);
  }

  Eigen::MatrixXd moved_on(Eigen::MatrixXd q) const {
    q.middleCols(kHalf, kHalf).colwise() += gone_;
    for (Eigen::Index i = 0; i < q.rows(); ++i) {
      q(i, 2 * kHalf) += gone_[i] + mirror_.sign[i] * gone_[mirror_.partner[i]];
    }
    return q;
  }

  Eigen::MatrixXd wrenches() const {
    const Eigen::MatrixXd step = step_.joint_wrenches.eigen();
    Eigen::MatrixXd image(step.rows(), step.cols());
    const std::vector<WrenchImage> images = wrench_images(model_);
    for (std::size_t j = 0; j < images.size(); ++j) {
      image.middleRows(6 * static_cast<Eigen::Index>(j), 6) =
          images[j].map * step.middleRows(6 * static_cast<Eigen::Index>(images[j].partner), 6);
    }
    return both(step, image);
  }

  const GroundReaction* reaction(const std::string& support) const {
    for (const GroundReaction& known : step_.ground) {
      if (known.support == support) return &known;
    }
    return nullptr;
  }

  /// A support that does not stand anywhere in a step has no force there.
  void unfold_ground(SampledMotion& out) const {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    };
    for (const GroundReaction& known : step_.ground) add(known.support);
    for (const GroundReaction& known : step_.ground) add(mirrored_name(known.support, *model_.spec().mirror));
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(3, kHalf + 1);
    const Eigen::MatrixXd nowhere = Eigen::MatrixXd::Constant(3, kHalf + 1, std::numeric_limits<double>::quiet_NaN());
    for (const std::string& name : names) {
      const GroundReaction *mine = reaction(name), *other = reaction(mirrored_name(name, *model_.spec().mirror));
      const auto force = [&](const GroundReaction* of) { return of ? Eigen::MatrixXd(of->force.eigen()) : none; };
      const auto centre = [&](const GroundReaction* of) { return of ? Eigen::MatrixXd(of->centre.eigen()) : nowhere; };
      const auto moment = [&](const GroundReaction* of) -> Eigen::MatrixXd {
        return of ? Eigen::MatrixXd(of->moment.eigen().transpose()) : none.topRows(1);
      };
      Eigen::MatrixXd places = both(centre(mine), H_ * centre(other));
      places.middleCols(kHalf, kHalf).colwise() += way_;
      places.col(2 * kHalf) += way_ + H_ * way_;
      out.ground.push_back({name, both(force(mine), H_ * force(other)), places, both(moment(mine), -moment(other))});
    }
  }

  const Model& model_;
  const SampledMotion& step_;
  Mirror mirror_;
  Eigen::Matrix3d H_;
  Eigen::VectorXd gone_;
  Eigen::Vector3d way_;
};

}  // namespace

std::optional<Stride> unfold_stride(const Task& task, const Solution& solution) {
  if (!task.periodic || !is_mirrored(*task.periodic)) return std::nullopt;
  const Vec3<double> g = task.model.gravity();
  const Eigen::Vector3d gravity(g.x, g.y, g.z);
  if (!gravity.isApprox(reflection(*task.model.spec().mirror) * gravity)) return std::nullopt;  // the plane lies down
  if (!repeats_as_a_whole(task, mirror_of(task.model))) return std::nullopt;
  const Eigen::VectorXd gone = progress(task, solution.trajectory.duration());
  if (!only_translates(task.model, gone)) return std::nullopt;
  Stride stride;
  stride.percent = Eigen::VectorXd::LinSpaced(2 * kHalf + 1, 0, 2 * kHalf);
  stride.motion = Unfolding(task, sample_motion(task, solution, kHalf + 1), gone).stride();
  stride.curves = stride_curves(task.model, stride.motion);
  return stride;
}

}  // namespace verne
