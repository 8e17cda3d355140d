#include "verne/motion/stride.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "motion/curve/mirror.h"
#include "motion/output/stride_curves.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

constexpr int kHalf = 50;    // percent
constexpr int kFine = 1000;  // parts of a stride, between which curves are nearly straight

bool is_mirrored(const PeriodicSpec& periodic) {
  for (std::size_t k = 0; k < periodic.dofs.size(); ++k) {
    if (periodic.partner[k] != periodic.dofs[k] || periodic.sign[k] < 0) return true;
  }
  return false;
}

/// Of the motion or of its phases.
std::vector<const GroundSpec*> grounds_of(const Task& task) {
  std::vector<const GroundSpec*> all;
  if (task.ground) all.push_back(&*task.ground);
  for (const PhaseSpec& phase : task.phases) {
    if (phase.ground) all.push_back(&*phase.ground);
  }
  return all;
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

Mirror mirror_in(const Task& task) {
  return is_mirrored(*task.periodic) ? mirror_of(task.model) : no_mirror(task.model.nv());
}

/// By what each freedom is farther after the duration, (13).
Eigen::VectorXd progress(const Task& task, double duration) {
  Eigen::VectorXd gone = Eigen::VectorXd::Zero(task.model.nv());
  const PeriodicSpec& periodic = *task.periodic;
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

/// Whether a motion that goes on like this after a second walks and repeats for ever: what it is has a stride.
bool has_stride(const Task& task, const Eigen::VectorXd& gone) {
  if (!repeats_as_a_whole(task, mirror_in(task)) || !only_translates(task.model, gone)) return false;
  if (!is_mirrored(*task.periodic)) return !gone.isZero(0) && !grounds_of(task).empty();
  const Vec3<double> g = task.model.gravity();
  const Eigen::Vector3d gravity(g.x, g.y, g.z);
  return gravity.isApprox(reflection(*task.model.spec().mirror) * gravity);  // else the plane lies down
}

/// When the left foot strikes the ground, as a part of the motion: then its cycle begins, as laboratories have it.
double left_strike(const Task& task, const Solution& solution) {
  const auto stands = [&](std::size_t phase) {
    const auto& ground = phase < task.phases.size() ? task.phases[phase].ground : task.ground;
    return ground && std::any_of(ground->supports.begin(), ground->supports.end(),
                                 [](const SupportSpec& support) { return support.name.ends_with("_l"); });
  };
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    const std::size_t before = (k + solution.phases.size() - 1) % solution.phases.size();
    if (stands(k) && !stands(before)) return solution.phases[k].start / solution.trajectory.duration();
  }
  return 0;
}

/// Curves of the left side, from the strike of its heel on.
std::vector<StrideCurve> left_curves(const Task& task, const Solution& solution) {
  const SampledMotion fine = sample_motion(task, solution, kFine + 1);
  std::vector<StrideCurve> curves = stride_curves(task.model, fine, 'l');
  const double strike = left_strike(task, solution);
  for (StrideCurve& curve : curves) {
    Eigen::VectorXd turned(2 * kHalf + 1);
    for (int k = 0; k <= 2 * kHalf; ++k) {
      const double at = std::fmod(strike + 0.5 * k / kHalf, 1.0) * kFine;
      const int before = std::min(static_cast<int>(at), kFine - 1);
      turned[k] = curve.values[before] + (at - before) * (curve.values[before + 1] - curve.values[before]);
    }
    curve.values = turned;
  }
  return curves;
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
  if (!task.periodic) return std::nullopt;
  const Eigen::VectorXd gone = progress(task, solution.trajectory.duration());
  if (!has_stride(task, gone)) return std::nullopt;
  Stride stride;
  stride.percent = Eigen::VectorXd::LinSpaced(2 * kHalf + 1, 0, 2 * kHalf);
  const bool mirrored = is_mirrored(*task.periodic);
  stride.motion = mirrored ? Unfolding(task, sample_motion(task, solution, kHalf + 1), gone).stride()
                           : sample_motion(task, solution, 2 * kHalf + 1);
  stride.curves = stride_curves(task.model, stride.motion, 'r');
  if (mirrored) return stride;
  for (StrideCurve& curve : left_curves(task, solution)) stride.curves.push_back(std::move(curve));
  return stride;
}

std::vector<std::string> stride_curve_names(const Task& task) {
  const Eigen::VectorXd gone = task.periodic ? progress(task, 1) : Eigen::VectorXd();
  if (!task.periodic || !has_stride(task, gone)) return {};
  const bool mirrored = is_mirrored(*task.periodic);
  // Names are those of any motion, so of one that stays as it is.
  const Model& model = task.model;
  SampledMotion still;
  still.q = still.tau = Eigen::MatrixXd(Eigen::MatrixXd::Zero(model.nv(), 2));
  still.joint_wrenches =
      Eigen::MatrixXd(Eigen::MatrixXd::Zero(6 * static_cast<Eigen::Index>(model.joints().size()), 2));
  Eigen::MatrixXd com = Eigen::MatrixXd::Zero(3, 2);
  com.col(1) = displacement(model, gone);
  still.com = com;
  std::set<std::string> supports;
  for (const GroundSpec* ground : grounds_of(task)) {
    for (const SupportSpec& support : ground->supports) {
      supports.insert(support.name);
      if (mirrored) supports.insert(mirrored_name(support.name, *model.spec().mirror));
    }
  }
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(3, 2);
  for (const std::string& support : supports) {
    still.ground.push_back({support, none, none, Eigen::VectorXd(Eigen::VectorXd::Zero(2))});
  }
  std::vector<std::string> names;
  for (const char side : {'r', 'l'}) {
    if (side == 'l' && mirrored) continue;
    for (const StrideCurve& curve : stride_curves(model, still, side)) names.push_back(curve.name);
  }
  return names;
}

}  // namespace verne
