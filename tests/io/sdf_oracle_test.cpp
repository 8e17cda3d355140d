/// Our SDF reader against libsdformat, the reference implementation: random files and the robots of other people.
#ifdef VERNE_HAVE_SDFORMAT
#include "peers/sdformat_model.h"
#endif

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "io/io_support.h"
#include "support/paths.h"
#include "support/real_robots.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/file.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

#ifdef VERNE_HAVE_SDFORMAT

namespace fs = std::filesystem;

Transform<double> of(const peers::SdformatPose& X) {
  Transform<double> Y;
  std::copy(X.R, X.R + 9, Y.R.m);
  Y.p = Vec3<double>::load(X.p);
  return Y;
}

/// libsdformat writes numbers with so many digits.
constexpr double kWrittenDigits = 1e-5;

/// Beyond this size a limit is none.
double limit_of(double value) {
  return std::abs(value) < 1e9 ? value : std::copysign(kInfinity, value);
}

void compare_dof(const peers::SdformatJoint& theirs, int k, const DofSpec& ours, bool limits_position) {
  if (limits_position) {
    EXPECT_EQ(limit_of(theirs.lower[k]), ours.lower);
    EXPECT_EQ(limit_of(theirs.upper[k]), ours.upper);
  }
  EXPECT_EQ(limit_of(theirs.effort[k]), ours.effort_upper);
  EXPECT_EQ(limit_of(theirs.velocity[k]), ours.velocity);
  EXPECT_EQ(theirs.damping[k], ours.viscous);
  EXPECT_EQ(theirs.friction[k], ours.coulomb);
  EXPECT_EQ(theirs.stiffness[k], ours.stiffness);
}

void compare_joint(const peers::SdformatJoint& theirs, const LinkSpec& ours, const HomeLink& home) {
  SCOPED_TRACE(theirs.name);
  EXPECT_EQ(theirs.name, ours.joint.name);
  EXPECT_EQ(theirs.parent == "world" ? "" : theirs.parent, ours.parent);
  expect_near(of(theirs.X_WJ), home.X_WJ, 1e-12, "joint");
  const auto& dofs = ours.joint.dofs;
  for (int k = 0; k < static_cast<int>(dofs.size()); ++k) {
    const Vec3<double> axis = home.X_WJ.R * (k == 0 ? ours.joint.axis : ours.joint.axis2);
    expect_near(Vec3<double>::load(theirs.axis[k]), axis, 1e-12, "axis");
    compare_dof(theirs, k, dofs[static_cast<std::size_t>(k)], std::isfinite(ours.joint.dofs[0].lower));
  }
}

/// Everything that is read, of a file whose joints make a tree.
void compare_sdf(const std::string& text, const std::string& path, const std::string& folder) {
  SCOPED_TRACE(text);
  write_text_file(path, text);
  const peers::SdformatModel theirs = peers::read_with_sdformat(path, folder);
  ASSERT_EQ(theirs.errors, std::vector<std::string>{});
  const ModelSpec ours = load_spec(path);
  const auto homes = home_links(ours);
  ASSERT_EQ(theirs.links.size(), ours.links.size());
  for (const peers::SdformatLink& link : theirs.links) {
    SCOPED_TRACE(link.name);
    ASSERT_TRUE(homes.count(link.name));
    const HomeLink& home = homes.at(link.name);
    expect_near(of(link.X_WL), home.X_WL, 1e-12, "link");
    const double* I = link.inertia;
    const RigidInertia<double> inertia =
        inertia_from_com(link.mass, of(link.X_WC).p, {I[0], I[1], I[2], I[4], I[5], I[8]});
    EXPECT_NEAR(inertia.mass, home.inertia_W.mass, 1e-12);
    expect_near(inertia.mc, home.inertia_W.mc, 1e-11, "first moment");
    expect_near(inertia.I, home.inertia_W.I, 1e-10, "inertia");
  }
  for (const peers::SdformatJoint& joint : theirs.joints) {
    const auto child = std::ranges::find_if(ours.links, [&](const LinkSpec& link) { return link.name == joint.child; });
    ASSERT_NE(child, ours.links.end());
    compare_joint(joint, *child, homes.at(joint.child));
  }
}

/// Files that use what their version has: poses in other frames, frames on frames, nested and included models.
class RandomSdf {
 public:
  RandomSdf(unsigned seed, int minor) : rng_(seed), minor_(minor) {}

  std::string file() { return "<sdf version='1." + std::to_string(minor_) + "'>\n" + model("top", 1) + "</sdf>\n"; }

  std::string model(const std::string& name, int depth) {
    std::vector<std::string> names;  // that poses may be given in
    std::string body;
    const bool nests = minor_ >= 8 && depth > 0;
    if (nests) {
      body += model("inner", depth - 1);
      names.insert(names.end(), {"inner", "inner::l1", "inner::j1", "inner::f"});
      body += "<include><uri>model://included</uri><name>other</name>" + pose(names) + "</include>\n";
      names.insert(names.end(), {"other", "other::l2", "other::f"});
    }
    for (int k = 0; k < 4; ++k) {
      const std::string link = "l" + std::to_string(k);
      body += "<link name='" + link + "'>" + pose(names) + inertial() + "</link>\n";
      if (minor_ >= 7) names.push_back(link);
      if (k == 0 && depth == 0) continue;
      std::string parent = k == 0 ? "world" : "l" + std::to_string(k - 1);
      if (minor_ >= 8 && k == 3) parent = "f";
      body += joint("j" + std::to_string(k), parent, link, names);
    }
    if (nests) {
      body += joint("to_inner", "l1", "inner::l0", names);
      body += joint("to_other", "l0", "other", names);
    }
    if (minor_ >= 7) body += "<frame name='f' attached_to='l1'>" + pose(names) + "</frame>\n";
    return "<model name='" + name + "'" + (minor_ >= 8 && depth == 0 ? " placement_frame='l1'" : "") + ">" + pose({}) +
           body + "</model>\n";
  }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(rng_); }
  std::string number(double low = -1, double high = 1) {
    return std::to_string(std::uniform_real_distribution<double>(low, high)(rng_));
  }
  std::string three() { return number() + " " + number() + " " + number(); }

  std::string pose(const std::vector<std::string>& names) {
    if (pick(6) == 0) return "";
    std::string attributes, turn = three();
    if (!names.empty() && pick(2) == 0) {
      attributes += " relative_to='" + names[static_cast<std::size_t>(pick(static_cast<int>(names.size())))] + "'";
    }
    if (minor_ >= 9 && pick(3) == 0) attributes += " degrees='true'";
    if (minor_ >= 9 && pick(3) == 0) {
      attributes = attributes.substr(0, attributes.find(" degrees")) + " rotation_format='quat_xyzw'";
      turn = "0.1 0.7 -0.5 0.5";
    }
    return "<pose" + attributes + ">" + three() + " " + turn + "</pose>";
  }

  std::string inertial() {
    return "<inertial>" + pose({}) + "<mass>" + number(1, 2) + "</mass><inertia><ixx>" + number(1, 1.5) +
           "</ixx><iyy>" + number(1, 1.5) + "</iyy><izz>" + number(1, 1.5) + "</izz><ixy>0.1</ixy><iyz>-0.05</iyz>" +
           "</inertia></inertial>";
  }

  std::string axis(const char* tag, const std::string& xyz, const std::vector<std::string>& names) {
    std::string attribute;
    if (minor_ >= 7 && pick(2) == 0) {
      attribute = " expressed_in='" + (pick(3) == 0 || names.empty() ? "__model__" : names[0]) + "'";
    }
    const std::string flag =
        minor_ < 7 && minor_ > 4 && pick(2) == 0 ? "<use_parent_model_frame>true</use_parent_model_frame>" : "";
    return std::string("<") + tag + "><xyz" + attribute + ">" + xyz + "</xyz>" + flag +
           "<limit><lower>-1.5</lower><upper>2</upper>" + (pick(2) == 0 ? "<effort>30</effort>" : "") +
           (pick(2) == 0 ? "<velocity>3</velocity>" : "") + "</limit><dynamics><damping>0.1</damping>" +
           "<friction>0.2</friction><spring_stiffness>4</spring_stiffness>" +
           "<spring_reference>0.3</spring_reference></dynamics></" + tag + ">";
  }

  std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                    const std::vector<std::string>& names) {
    const char* const types[] = {"revolute", "prismatic", "fixed", "ball", "universal", "continuous"};
    const std::string type = types[pick(minor_ >= 7 ? 6 : 5)];
    std::string text = "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child +
                       "</child>" + pose(minor_ >= 7 ? names : std::vector<std::string>{});
    // One frame for both axes of a universal joint, so that they are never parallel.
    if (type == "universal") {
      text += "<axis><xyz>0 0.6 0.8</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>";
    } else if (type != "fixed" && type != "ball") {
      text += axis("axis", pick(2) == 0 ? "0 0 1" : "0.48 0.6 0.64", names);
    }
    return text + "</joint>\n";
  }

  std::mt19937_64 rng_;
  int minor_;
};

class ModelFolder {
 public:
  ModelFolder() : path_(fs::temp_directory_path() / ("verne_sdf_" + std::to_string(std::random_device{}()))) {
    fs::create_directories(path_ / "included");
    write_text_file((path_ / "included/model.config").string(),
                    "<model><name>included</name><sdf version='1.4'>old.sdf</sdf>"
                    "<sdf version='1.8'>model.sdf</sdf></model>");
    write_text_file((path_ / "included/model.sdf").string(),
                    "<sdf version='1.8'>" + RandomSdf(7, 8).model("included", 0) + "</sdf>");
  }
  ~ModelFolder() { fs::remove_all(path_); }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

TEST(SdfOracle, RandomFiles) {
  const ModelFolder folder;
  for (int minor = 4; minor <= 9; ++minor) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      compare_sdf(RandomSdf(100 * seed + static_cast<unsigned>(minor), minor).file(), folder.path("m.sdf"),
                  folder.path(""));
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
}

/// With the base where the file puts it. False where libsdformat leaves joints out, as those of massless links.
bool compare_torques(const Model& sdf, const Model& urdf, const std::string& file) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> draw(-1, 1);
  Eigen::VectorXd q[2]{neutral_configuration(sdf), neutral_configuration(urdf)};
  Eigen::VectorXd v[2]{Eigen::VectorXd::Zero(sdf.nv()), Eigen::VectorXd::Zero(urdf.nv())}, a[2]{v[0], v[1]};
  std::vector<std::pair<int, int>> same;
  for (const Joint& theirs : urdf.joints()) {
    if (velocity_count(theirs.spec.type) != 1) continue;
    const auto ours =
        std::ranges::find_if(sdf.joints(), [&](const Joint& j) { return j.spec.name == theirs.spec.name; });
    if (ours == sdf.joints().end()) return false;
    q[0][ours->q] = q[1][theirs.q] = draw(rng);
    v[0][ours->v] = v[1][theirs.v] = draw(rng);
    a[0][ours->v] = a[1][theirs.v] = draw(rng);
    same.emplace_back(ours->v, theirs.v);
  }
  Data data_sdf(sdf), data_urdf(urdf);
  const Eigen::VectorXd tau = inverse_dynamics(sdf, data_sdf, q[0], v[0], a[0]);
  const Eigen::VectorXd expected = inverse_dynamics(urdf, data_urdf, q[1], v[1], a[1]);
  const double scale = expected.lpNorm<Eigen::Infinity>() + 1;
  for (const auto& [i, k] : same) EXPECT_NEAR(tau[i], expected[k], kWrittenDigits * scale) << file;
  return !same.empty();
}

/// Torques of the SDF that libsdformat makes of a URDF are those of the URDF.
TEST(SdfOracle, RealRobots) {
  const std::vector<std::string> files = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(files);
  int compared = 0;
  for (const std::string& file : files) {
    const std::string text = peers::sdf_from_urdf(file);
    if (text.empty()) continue;
    Diagnostics diagnostics("sdf");
    const ModelSpec spec = read_sdf(text, "sdf", diagnostics);
    ASSERT_EQ(messages(diagnostics.errors(), "error"), "") << file;
    const Model urdf = load_model(file);
    if (!urdf.coupled() && compare_torques(build_model(spec), urdf, file)) ++compared;  // SDF 1.9 has no mimic
  }
  EXPECT_GT(compared, 5);
}

#else

TEST(SdfOracle, IsMissing) {
  GTEST_SKIP() << "built without libsdformat (VERNE_PEERS, libsdformat-dev)";
}

#endif

}  // namespace
}  // namespace verne::test
