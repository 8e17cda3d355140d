#include "support/random_mjcf.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "support/mjcf_dice.h"

namespace verne::test {

namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

class MjcfGenerator : MjcfDice {
 public:
  MjcfGenerator(std::mt19937_64& rng, bool newer) : MjcfDice(rng), newer_(newer) {}

  RandomMjcf make() {
    const bool attach = newer_ && chance(0.4);
    units_ = {chance(0.6), euler_sequence()};
    const std::string compiler = compiler_attributes(), options = option_elements();
    const std::string defaults = default_classes(attach);
    MjcfNode world{"worldbody", ""};
    if (chance(0.3)) world.children.push_back(site());
    const int trees = pick(1, 2);
    for (int k = 0; k < trees; ++k) world.children.push_back(body(pick(1, 3), true));
    if (newer_ && chance(0.5)) world.children.push_back(copies(body(1, false)));
    const std::string equalities = equality_section();
    RandomMjcf file;
    file.limits = limits_, file.friction = friction_;
    std::string attached_defaults, assets;
    if (attach) attached_defaults = attached_model(world, file);
    if (attach) assets = "<asset><model name=\"other\" file=\"attached.xml\"/></asset>\n";
    file.text = "<mujoco model=\"random\">\n<compiler" + compiler + "/>\n" + options + assets + defaults +
                mjcf_text(world, units_) + equalities + "</mujoco>\n";
    const std::string head = "<mujoco model=\"random\">\n<compiler" + compiler +
                             (says_autolimits_ ? "" : mjcf_attribute("autolimits", "true")) + "/>\n" + options;
    if (!newer_) {
      file.flat = head + defaults + mjcf_text(world, units_) + equalities + "</mujoco>\n";
      return file;
    }
    if (attach) attached_defaults = "<default>" + attached_defaults + "</default>\n";
    FlatMjcf flat(units_, attached_units_);
    file.flat = head + attached_defaults + defaults + flat.text(world);
    file.flat += flat_equalities(flat) + "</mujoco>\n";
    return file;
  }

 private:
  // --- Sections ---------------------------------------------------------------------------------------------------

  std::string euler_sequence() {
    return chance(0.5) ? "xyz" : one_of<std::string>({"zyx", "XYZ", "xYz", "zxz", "ZYX", "yXz"});
  }

  std::string compiler_attributes() {
    std::string text =
        mjcf_attribute("angle", units_.degrees ? "degree" : "radian") + mjcf_attribute("eulerseq", units_.euler);
    if ((says_autolimits_ = chance(0.5))) text += mjcf_attribute("autolimits", "true");
    geoms_ = one_of<std::string>({"", "", "auto", "true", "false"});
    if (!geoms_.empty()) masses_ += mjcf_attribute("inertiafromgeom", geoms_);
    if (chance(0.3)) masses_ += mjcf_attribute("inertiagrouprange", {0, 2});
    if ((balance_ = chance(0.2))) masses_ += mjcf_attribute("balanceinertia", "true");
    masses_ += maybe(0.2, "boundmass", 0.01, 0.5);
    masses_ += maybe(0.2, "boundinertia", 0.001, 0.02);
    text += maybe(0.1, "settotalmass", 1, 20);
    return text + masses_;
  }

  std::string option_elements() {
    std::string text;
    const auto flags = [&](const char* name, double part) {
      const bool off = chance(part);
      return off ? mjcf_attribute(name, "disable") : chance(0.1) ? mjcf_attribute(name, "enable") : std::string();
    };
    for (int k = pick(0, 2); k > 0; --k) {
      text += "<option" + (chance(0.7) ? mjcf_attribute("gravity", vector(10)) : std::string()) + ">";
      std::string flag = flags("gravity", 0.1) + flags("passive", 0.1);
      for (const char* name : {"constraint", "limit", "frictionloss"}) {
        const std::string said = flags(name, 0.05);
        if (said.find("disable") != std::string::npos) {
          limits_ = limits_ && std::string(name) == "frictionloss";
          friction_ = friction_ && std::string(name) == "limit";
        }
        flag += said.find("enable") != std::string::npos ? "" : said;
      }
      text += "<flag" + flag + "/></option>\n";
    }
    return text;
  }

  /// A class whose attributes may be any that elements inherit; poses among them where no frame moves these.
  std::string default_attributes(bool angles, bool all_sizes) {
    std::string joint, geom, site;
    joint += maybe(0.5, "damping", 0, 2);
    joint += maybe(0.4, "armature", 0, 0.5);
    joint += maybe(0.3, "stiffness", 0, 30);
    joint += maybe(0.3, "frictionloss", 0, 2);
    if (chance(0.2) && angles) joint += mjcf_attribute("springref", {units_.angle(number(-1, 1))});
    if (chance(0.2) && angles)
      joint += mjcf_attribute("range", {units_.angle(number(-2, 0)), units_.angle(number(0.1, 2))});
    if (chance(0.2) && angles && !newer_) joint += mjcf_attribute("ref", {units_.angle(number(-1, 1))});
    if (chance(0.2) && !newer_) joint += mjcf_attribute("axis", vector(1)) + mjcf_attribute("pos", vector(0.2));
    geom += maybe(0.3, "density", 100, 2000);
    geom += maybe(0.2, "mass", 0.1, 3);
    if (chance(0.3)) geom += mjcf_attribute("type", one_of<std::string>({"box", "capsule", "cylinder", "ellipsoid"}));
    if (all_sizes || chance(0.3)) geom += sizes(all_sizes ? 3 : pick(1, 3));
    if (chance(0.2) && !newer_) geom += turned(Vector3d::Zero(), 1).first;
    if (chance(0.2) && !newer_) site += turned(vector(0.3), 1).first;
    return "<joint" + joint + "/><geom" + geom + "/><site" + site + "/>";
  }

  std::string default_classes(bool attach) {
    const std::string name =
        one_of<std::string>({"", mjcf_attribute("class", "main"), mjcf_attribute("class", "robot")});
    // A class that gives a part of a size needs the whole one around it.
    std::string text = "<default" + name + ">" + (attach ? "" : default_attributes(true, true));
    global_sizes_ = !attach;
    for (int k = pick(0, 2); k > 0; --k) {
      const std::string outer = "c" + std::to_string(classes_.size());
      classes_.push_back(outer);
      text += "<default" + mjcf_attribute("class", outer) + ">" + default_attributes(true, false);
      if (chance(0.4)) {
        const std::string nested = "c" + std::to_string(classes_.size());
        classes_.push_back(nested);
        text += "<default" + mjcf_attribute("class", nested) + ">" + default_attributes(true, false) + "</default>";
      }
      text += "</default>";
    }
    return text + "</default>\n";
  }

  // --- Places -----------------------------------------------------------------------------------------------------

  /// A place and a turn in one of the ways to write one, and what that is. Default classes use the first two: MuJoCo
  /// 2.2 lets some of the others of a class go before what elements say.
  std::pair<std::string, Isometry3d> turned(const Vector3d& p, int last_way = 5) {
    Isometry3d X = Isometry3d::Identity();
    X.translation() = p;
    std::string text = p.isZero() ? "" : mjcf_attribute("pos", p);
    const Vector3d a = vector(1), b = vector(1);
    const double angle = number(-3, 3);
    switch (pick(0, last_way)) {
      case 0: {
        const Eigen::Quaterniond q(number(0.1, 1), a.x(), a.y(), a.z());
        X.linear() = q.normalized().toRotationMatrix();
        return {text + mjcf_attribute("quat", {q.w(), q.x(), q.y(), q.z()}), X};
      }
      case 1:
        X.linear() = Eigen::AngleAxisd(angle, a.normalized()).toRotationMatrix();
        return {text + mjcf_attribute("axisangle", {a.x(), a.y(), a.z(), units_.angle(angle)}), X};
      case 2: {
        const Vector3d turns = 3 * a;
        X.linear() = mjcf_euler_rotation(units_, turns);
        return {
            text + mjcf_attribute("euler", {units_.angle(turns.x()), units_.angle(turns.y()), units_.angle(turns.z())}),
            X};
      }
      case 3: {
        const Vector3d x = a.normalized(), y = (b - x * x.dot(b)).normalized();
        X.linear() << x, y, x.cross(y);
        return {text + mjcf_attribute("xyaxes", {a.x(), a.y(), a.z(), b.x(), b.y(), b.z()}), X};
      }
      case 4:
        X.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), a).toRotationMatrix();
        return {text + mjcf_attribute("zaxis", a), X};
      default:
        return {text, X};
    }
  }

  void place(MjcfNode& node, double distance) { std::tie(node.pose, node.X) = turned(vector(distance)); }

  // --- Bodies -----------------------------------------------------------------------------------------------------

  void choose_class(MjcfNode& node) {
    if (!classes_.empty() && chance(0.25)) node.own_class = classes_[rng_() % classes_.size()];
  }

  MjcfNode site() {
    MjcfNode node{"site", (sites_ < bodies_ && chance(0.2) ? "b" : "s") + std::to_string(sites_)};
    ++sites_;
    place(node, 0.4);
    choose_class(node);
    return node;
  }

  MjcfNode geom(bool weighs) {
    MjcfNode node{"geom", ""};
    const std::string type = one_of<std::string>({"", "sphere", "capsule", "cylinder", "box", "ellipsoid"});
    if (!type.empty()) node.attributes += mjcf_attribute("type", type);
    const bool ends = chance(0.3) && (type == "capsule" || type == "cylinder" || type == "box" || type == "ellipsoid");
    if (ends) {
      node.ends = {vector(0.3), vector(0.3)};
      if (!global_sizes_ || chance(0.5)) node.attributes += mjcf_attribute("size", {number(0.05, 0.2)});
    } else {
      place(node, 0.3);
      node.attributes += sizes(global_sizes_ ? pick(0, 3) : 3);
    }
    if (chance(0.3)) node.attributes += mjcf_attribute("mass", {weighs || chance(0.7) ? number(0.1, 3) : 0.0});
    node.attributes += maybe(0.2, "density", 100, 3000);
    if (!weighs && chance(0.5)) node.attributes += mjcf_attribute("group", {double(pick(0, 4))});
    choose_class(node);
    return node;
  }

  MjcfNode inertial() {
    MjcfNode node{"inertial", ""};
    const double a = number(0.02, 0.1), b = number(0.02, 0.1);
    node.attributes = mjcf_attribute("mass", {number(0.2, 4)});
    if (chance(0.3)) {
      const Matrix3d R = Eigen::AngleAxisd(number(-3, 3), vector(1).normalized()).toRotationMatrix();
      const Matrix3d I = R *
                         Vector3d(a, b, std::abs(a - b) + number(0.1, 0.9) * (a + b - std::abs(a - b))).asDiagonal() *
                         R.transpose();
      node.attributes += mjcf_attribute("fullinertia", {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)});
      node.pose = mjcf_attribute("pos", vector(0.2));
    } else {
      const double c =
          balance_ && chance(0.5) ? a + b + 0.1 : std::abs(a - b) + number(0.1, 0.9) * (a + b - std::abs(a - b));
      node.attributes += mjcf_attribute("diaginertia", {a, b, c});
      place(node, 0.2);
    }
    return node;
  }

  MjcfNode joint(bool ball) {
    MjcfNode node{"joint", "j" + std::to_string(joints_++)};
    const std::string type = ball ? "ball" : one_of<std::string>({"hinge", "hinge", "slide", ""});
    if (!type.empty()) node.attributes += mjcf_attribute("type", type);
    choose_class(node);
    node.angular = type != "slide";
    if (newer_ || chance(0.6)) node.at = vector(0.2);
    if (!ball && (newer_ || chance(0.7))) node.axis = vector(1);
    node.attributes += maybe(0.3, "damping", 0, 2);
    node.attributes += maybe(0.3, "armature", 0, 0.5);
    if (ball) {
      node.attributes += mjcf_attribute("stiffness", "0") + mjcf_attribute("limited", "false");
      return node;
    }
    node.attributes += maybe(0.2, "frictionloss", 0, 1);
    node.attributes += maybe(0.3, "stiffness", 0, 50);
    if (chance(0.3)) node.springref = number(-1, 1);
    if (chance(0.2)) node.ref = number(-1, 1);
    if (chance(0.4)) node.range = {number(-2, 0), number(0.1, 2)};
    if (chance(0.1)) node.attributes += mjcf_attribute("limited", node.range && chance(0.5) ? "true" : "false");
    return node;
  }

  void add_joints(MjcfNode& owner, bool at_world) {
    if (at_world && chance(0.3)) {
      MjcfNode free{chance(0.5) ? "joint" : "freejoint", "j" + std::to_string(joints_++)};
      if (free.tag == "joint") {
        free.attributes = mjcf_attribute("type", "free") + mjcf_attribute("armature", "0") +
                          mjcf_attribute("stiffness", "0") + mjcf_attribute("frictionloss", "0") +
                          mjcf_attribute("limited", "false");
      }
      return owner.children.push_back(free);
    }
    if (chance(0.15)) return;
    const bool ball = chance(0.2);
    const int count = pick(ball ? 0 : 1, 2);
    std::vector<MjcfNode>& children = owner.children;
    for (int k = 0; k < count; ++k) children.push_back(joint(false));
    if (ball) children.push_back(joint(true));
    for (const MjcfNode& each : children) {
      if (each.tag == "joint" && each.attributes.find("ball") == std::string::npos) axes_.push_back(each.name);
    }
  }

  MjcfNode body(int depth, bool at_world) {
    MjcfNode node{"body", "b" + std::to_string(bodies_++)};
    place(node, 0.5);
    if (!classes_.empty() && chance(0.3)) node.child_class = classes_[rng_() % classes_.size()];
    add_joints(node, at_world);
    const bool given = geoms_ == "false" || chance(0.4);
    if (given) node.children.push_back(inertial());
    const bool counts = geoms_ == "true" || !given;
    const int shapes = given ? pick(0, 2) : pick(1, 3);
    for (int k = 0; k < shapes; ++k) node.children.push_back(geom(k == 0 && counts));
    for (int k = pick(0, 1); k > 0; --k) node.children.push_back(site());
    if (newer_ && chance(0.6)) wrap_in_frame(node);
    if (depth > 0) {
      for (int k = pick(0, 2); k > 0; --k) {
        MjcfNode child = body(depth - 1, false);
        node.children.push_back(newer_ && chance(0.2) ? copies(child) : child);
      }
    }
    return node;
  }

  /// A frame around the last few parts, and maybe one in it.
  void wrap_in_frame(MjcfNode& owner) {
    MjcfNode frame{"frame", ""};
    place(frame, 0.3);
    if (!classes_.empty() && chance(0.3)) frame.child_class = classes_[rng_() % classes_.size()];
    const std::size_t first = rng_() % (owner.children.size() + 1);
    frame.children.assign(owner.children.begin() + std::ptrdiff_t(first), owner.children.end());
    owner.children.resize(first);
    if (chance(0.2)) wrap_in_frame(frame);
    owner.children.push_back(frame);
  }

  MjcfNode copies(const MjcfNode& part) {
    MjcfNode node{"replicate", ""};
    node.count = chance(0.1) ? 10 : pick(1, 3);
    node.offset = vector(0.4), node.turn = vector(1);
    if (chance(0.5)) node.separator = "-";
    node.children.push_back(part);
    return node;
  }

  // --- Couplings --------------------------------------------------------------------------------------------------

  std::string equality_section() {
    if (axes_.size() >= 2 && chance(0.6)) {
      const std::size_t one = rng_() % (axes_.size() - 1);
      MjcfCoupling coupling{axes_[one], axes_[one + 1], chance(0.3) ? axes_[0] : "", {0, 1, 0, 0, 0}};
      coupling.given = newer_ ? pick(0, 5) : chance(0.3) ? 0 : 5;
      if (coupling.given > 0) coupling.polycoef[0] = number(-0.3, 0.3);
      if (coupling.given > 1) coupling.polycoef[1] = number(0.3, 2);
      couplings_.push_back(coupling);
    }
    std::string text = "<equality>";
    for (const MjcfCoupling& c : couplings_) text += mjcf_text(c, "", c.given);
    if (axes_.size() >= 2 && chance(0.2)) {
      text += "<joint" + mjcf_attribute("joint1", axes_[0]) + mjcf_attribute("joint2", axes_[1]) +
              mjcf_attribute("active", "false") + "/>";
    }
    return couplings_.empty() ? "" : text + "</equality>\n";
  }

  /// One for each copy of both joints.
  std::string flat_equalities(const FlatMjcf& flat) {
    std::string text;
    for (const MjcfCoupling& c : couplings_) {
      const std::vector<std::string> ones = flat.endings(c.one), twos = flat.endings(c.two);
      for (const std::string& ending : ones) {
        if (std::find(twos.begin(), twos.end(), ending) == twos.end()) continue;
        text += mjcf_text(c, ending, 5);
      }
    }
    return text.empty() ? "" : "<equality>" + text + "</equality>\n";
  }

  // --- A model that is attached -----------------------------------------------------------------------------------

  /// With units and global defaults of its own, which are a class of the flat file: returned.
  std::string attached_model(MjcfNode& world, RandomMjcf& file) {
    const MjcfUnits outside = units_;
    const std::vector<std::string> classes = classes_, axes = axes_;
    classes_.clear();
    units_ = attached_units_ = {!outside.degrees, euler_sequence()};
    const std::string attributes = default_attributes(false, false);
    MjcfNode inner = body(1, false);
    file.attached = "<mujoco model=\"inner\">\n<compiler" +
                    mjcf_attribute("angle", units_.degrees ? "degree" : "radian") +
                    mjcf_attribute("eulerseq", units_.euler) + masses_ + "/>\n<default>" + attributes +
                    "</default>\n<worldbody>" + mjcf_text(inner, units_) + "</worldbody>\n</mujoco>\n";
    units_ = outside, classes_ = classes, axes_ = axes;
    MjcfNode attach{"attach", ""};
    attach.attributes =
        mjcf_attribute("model", "other") + mjcf_attribute("body", inner.name) + mjcf_attribute("prefix", kMjcfPrefix);
    attach.children.push_back(inner);
    MjcfNode frame{"frame", ""};
    place(frame, 0.5);
    frame.children.push_back(attach);
    world.children.push_back(chance(0.5) ? frame : attach);
    return "<default" + mjcf_attribute("class", "attached") + ">" + attributes + "</default>";
  }

  bool newer_;
  MjcfUnits units_, attached_units_;
  std::string geoms_, masses_;  // inertiafromgeom, and all that <compiler> says of masses
  bool says_autolimits_ = false, balance_ = false, global_sizes_ = true;
  bool limits_ = true, friction_ = true;
  std::vector<std::string> classes_, axes_;
  std::vector<MjcfCoupling> couplings_;
  int bodies_ = 0, joints_ = 0, sites_ = 0;
};

}  // namespace

RandomMjcf random_mjcf(std::mt19937_64& rng, bool newer) {
  return MjcfGenerator(rng, newer).make();
}

}  // namespace verne::test
