// Random files of MuJoCo's format, read by us and by MuJoCo: the same dynamics, limits, friction, sites and couplings.
// VERNE_MJCF_FILES=5000 tries as many of each kind, and says what became of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "peers/mujoco_model.h"
#include "support/paths.h"
#include "support/random_mjcf.h"
#include "support/random_model.h"
#include "support/states.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

/// Relative to the largest entry: MuJoCo finds principal axes of inertias to some eight digits.
constexpr double kMjcfTolerance = 1e-6;

/// Without couplings, which MuJoCo has as constraints, and dry friction.
Model uncoupled(ModelSpec spec) {
  spec.home.clear();
  for (LinkSpec& link : spec.links) {
    link.joint.mimic.reset();
    for (DofSpec& dof : link.joint.dofs) dof.coulomb = 0;
  }
  return build_model(std::move(spec));
}

/// What differs; "" when nothing does.
class Comparison {
 public:
  Comparison(const ModelSpec& spec, const RandomMjcf& file, std::mt19937_64& rng)
      : spec_(spec), file_(file), rng_(rng), model_(uncoupled(spec)) {}

  /// Nothing when MuJoCo refuses the file.
  std::optional<std::string> run() {
    std::string reason;
    auto peer = peers::MujocoModel::read(with_option("<flag constraint=\"disable\"/>"), model_, reason);
    if (!peer) {
      if (reason.starts_with("it has")) return reason;
      return std::nullopt;
    }
    for (int k = 0; k < 3; ++k) compare_dynamics(*peer);
    compare_joints(*peer);
    compare_sites(*peer);
    const bool coupled = std::ranges::any_of(spec_.links, [](const LinkSpec& l) { return l.joint.mimic.has_value(); });
    if (coupled && file_.limits && file_.friction) compare_couplings();
    return difference_;
  }

 private:
  std::string with_option(const std::string& content) const {
    std::string text = file_.flat;
    return text.insert(text.rfind("</mujoco>"), "<option>" + content + "</option>\n");
  }

  template <class A, class B>
  void compare(const char* what, const A& ours, const B& theirs) {
    const double scale = std::max(1e-3, theirs.cwiseAbs().maxCoeff()), off = (ours - theirs).cwiseAbs().maxCoeff();
    if (!(off <= kMjcfTolerance * scale))
      difference_ += std::string(what) + " differ by " + std::to_string(off / scale) + "; ";
  }

  void compare_dynamics(peers::MujocoModel& peer) {
    const int nv = model_.nv();
    if (nv == 0) return;
    Data<> data(model_);
    const Eigen::VectorXd q = random_configuration(model_, rng_), v = random_values(rng_, nv, 3),
                          a = random_values(rng_, nv, 3);
    Eigen::VectorXd tau(nv);
    peer.inverse_dynamics(q, v, a, tau);
    compare("torques", inverse_dynamics(model_, data, q, v, a), tau);
    Eigen::MatrixXd M(nv, nv);
    peer.mass_matrix(q, M);
    compare("mass matrices", mass_matrix(model_, data, q), M);
  }

  void compare_joints(const peers::MujocoModel& peer) {
    const auto number_differs = [](double a, double b) { return std::abs(a - b) > 1e-9 * std::max(1.0, std::abs(b)); };
    for (const auto& facts : peer.joints()) {
      const auto link =
          std::ranges::find_if(spec_.links, [&](const LinkSpec& l) { return l.joint.name == facts.name; });
      if (link == spec_.links.end()) {
        difference_ += "no joint " + facts.name + "; ";
        continue;
      }
      const DofSpec dof = link->joint.dofs.empty() ? DofSpec{} : link->joint.dofs[0];
      const bool limited = facts.limited && file_.limits && link->joint.type != JointType::spherical;
      if (number_differs(dof.coulomb, link->joint.type == JointType::free || !file_.friction ? 0 : facts.friction))
        difference_ += "friction of " + facts.name + "; ";
      if (limited != std::isfinite(dof.lower) ||
          (limited && (number_differs(dof.lower, facts.lower) || number_differs(dof.upper, facts.upper))))
        difference_ += "limits of " + facts.name + "; ";
    }
  }

  void compare_sites(peers::MujocoModel& peer) {
    Data<> data(model_);
    Kinematics<> kinematics(model_);
    const Eigen::VectorXd q = random_configuration(model_, rng_);
    forward_kinematics(model_, data, q, kinematics);
    for (const FrameSpec& frame : spec_.frames) {
      const std::size_t renamed = frame.name.find("_site");
      const auto theirs = peer.site_pose(q, frame.name.substr(0, renamed));
      const int site = model_.site(frame.name);
      if (!theirs) {
        difference_ += "no site " + frame.name + "; ";
        continue;
      }
      compare("places of sites", kinematics.poses.col(site),
              Eigen::Map<const Eigen::Matrix<double, 12, 1>>(theirs->data()));
    }
  }

  /// Configurations of the coupled model meet MuJoCo's equalities, others do not.
  void compare_couplings() {
    ModelSpec spec = spec_;
    for (LinkSpec& link : spec.links) {
      for (DofSpec& dof : link.joint.dofs) dof.coulomb = 0;
    }
    std::string reason;
    auto peer = peers::MujocoModel::read(
        with_option("<flag limit=\"disable\" contact=\"disable\" frictionloss=\"disable\"/>"), model_, reason);
    if (!peer) return;
    Eigen::VectorXd q = random_configuration(model_, rng_);
    if (peer->equality_violation(q) < 1e-6) difference_ += "no coupling in MuJoCo; ";
    for (std::size_t pass = 0; pass < spec_.links.size(); ++pass) {
      for (const LinkSpec& link : spec_.links) {
        if (!link.joint.mimic) continue;
        const MimicSpec& mimic = *link.joint.mimic;
        q[position_of(link.joint.name)] = mimic.ratio * q[position_of(mimic.joint)] + mimic.offset;
      }
    }
    if (!(peer->equality_violation(q) < 1e-9)) difference_ += "couplings; ";
  }

  int position_of(const std::string& joint) const {
    for (const Joint& each : model_.joints()) {
      if (each.spec.name == joint) return each.q;
    }
    return -1;
  }

  const ModelSpec& spec_;
  const RandomMjcf& file_;
  std::mt19937_64& rng_;
  Model model_;
  std::string difference_;
};

struct Tally {
  int files = 0, refused = 0, agree = 0, with_warning = 0, not_read = 0, differ = 0;
};

void try_files(bool newer, int count, unsigned long seed, Tally& tally) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("verne_random_mjcf_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (int k = 0; k < count; ++k) {
    std::mt19937_64 rng(seed + static_cast<unsigned long>(k));
    const RandomMjcf file = random_mjcf(rng, newer);
    std::ofstream(folder / "attached.xml") << file.attached;
    ++tally.files;
    std::vector<Diagnostic> notes;
    std::optional<std::string> difference;
    try {
      const ModelSpec spec = read_spec(file.text, (folder / "main.xml").string(), &notes);
      difference = Comparison(spec, file, rng).run();
    } catch (const InputError& error) {
      if (!peers::MujocoModel::accepts(file.flat)) {
        ++tally.refused;
        continue;
      }
      ++tally.not_read;
      difference = std::string("refused: ") + error.what();
    }
    if (!difference) {
      ++tally.refused;
    } else if (difference->empty()) {
      ++tally.agree;
      tally.with_warning += std::ranges::any_of(notes, is_not_modelled);
    } else {
      ++tally.differ;
      if (tally.differ <= 5) {
        std::cout << "file " << seed + static_cast<unsigned long>(k) << ": " << *difference << "\n"
                  << file.text << file.attached << (newer ? file.flat : "") << "\n";
      }
    }
  }
  std::filesystem::remove_all(folder);
}

int files_to_try(int every_day) {
  const char* const wanted = std::getenv("VERNE_MJCF_FILES");
  return wanted ? std::atoi(wanted) : every_day;
}

void expect_files_to_agree(bool newer, int every_day) {
  Tally tally;
  const int count = files_to_try(every_day);
  try_files(newer, count, 1 + 1000000 * test_seed(), tally);
  if (count != every_day) {
    std::cout << tally.files << " files, " << tally.refused << " that MuJoCo refuses, " << tally.agree
              << " agree, of these " << tally.with_warning << " with a warning, " << tally.differ
              << " differ, of these " << tally.not_read << " are not read\n";
  }
  // Rarely the principal axes that MuJoCo finds are off by a little more than the tolerance; not on those of every day.
  EXPECT_LE(tally.differ, count == every_day && test_seed() == 0 ? 0 : 1 + count / 1000);
  EXPECT_LE(tally.refused, 0.4 * tally.files);
  EXPECT_LE(tally.with_warning, 0.05 * tally.files + 1);
}

TEST(RandomMjcf, IsReadAsMujocoDoes) {
  expect_files_to_agree(false, 150);
}

/// MuJoCo 2.2 reads them with all frames, copies and attached models written out.
TEST(RandomMjcf, FramesCopiesAndAttachedModels) {
  expect_files_to_agree(true, 150);
}

}  // namespace
}  // namespace verne::test
