#include "codegen/module.h"

#include <algorithm>

#include "codegen/statements.h"

namespace verne::codegen {

namespace {

/// "[3] elbow, rad": an entry for each coordinate of the model.
std::string entries(const Model& model, bool positions, const char* angular, const char* linear) {
  std::string out;
  for (const Joint& joint : model.joints()) {
    const std::string name = identifier(joint.spec.name);
    const auto line = [&](int index, const std::string& unit) {
      out += " *     [" + std::to_string(index) + "] " + name + ", " + unit + "\n";
    };
    const int nv = joint.nv, nq = joint.nq;
    if (!positions || nq == nv) {
      for (int k = 0; k < nv; ++k) {
        line((positions ? joint.q : joint.v) + k, is_linear(joint.spec.type, k) ? linear : angular);
      }
    } else {  // a position where there is one, and a quaternion
      for (int k = 0; k < nq - 4; ++k) line(joint.q + k, linear);
      for (int k = 0; k < 4; ++k) line(joint.q + nq - 4 + k, std::string("unit quaternion, ") + "xyzw"[k]);
    }
  }
  return out;
}

/// Torques of a mechanism: one for each motor.
std::string motors(const Mechanism& mechanism) {
  std::string out;
  for (const int k : mechanism.actuated()) {
    const Model& model = mechanism.model();
    const Joint& joint =
        *std::ranges::find_if(model.joints(), [&](const Joint& j) { return k >= j.v && k < j.v + j.nv; });
    out += " *     [" + std::to_string(std::ranges::find(mechanism.actuated(), k) - mechanism.actuated().begin()) +
           "] " + identifier(joint.spec.name) + (is_linear(joint.spec.type, k - joint.v) ? ", N\n" : ", N m\n");
  }
  return out;
}

std::string purpose(Quantity quantity) {
  switch (quantity) {
    case Quantity::tau:
      return "Inverse dynamics: torques (forces) of the joints for a motion.";
    case Quantity::joint_wrenches:
      return "Inverse dynamics, and force and moment that the parent side of each joint exerts on the child side, at\n"
             " * the origin and in the axes of the child-side joint frame.";
    case Quantity::gravity:
      return "Torques (forces) of the joints that hold the model at rest.";
    case Quantity::bias:
      return "Torques (forces) of the joints at zero acceleration.";
    case Quantity::mass_matrix:
      return "Mass matrix, full and symmetric, rotors included.";
    case Quantity::acceleration:
      return "Forward dynamics: accelerations of the joints for given torques (forces).";
    case Quantity::pose:
      return "Pose of a frame in the world.";
    case Quantity::jacobian:
      return "Jacobian of a frame: its velocity (linear of the origin, angular; world axes) is J v.";
    case Quantity::d_tau:
      return "Derivatives of inverse dynamics.";
    case Quantity::d_acceleration:
      return "Derivatives of forward dynamics.";
    case Quantity::loop_wrenches:
      return "Forward dynamics, and force and moment of each loop, then of each held contact, on its first link, in "
             "the "
             "axes\n * of its frame there.";
    case Quantity::regressor:
      return "Regressor: torques (forces) are the regressor times the parameters. Ten columns a link (mass, first "
             "moment\n"
             " * x y z, inertia about its origin xx xy xz yy yz zz), then Coulomb, viscous friction and rotor inertia "
             "of\n"
             " * every velocity.";
    default:
      return info_of(quantity).meaning;
  }
}

std::string output_text(const Module& module, const Function& function, const TracedOutput& output) {
  const Model& model = module.model;
  const std::string size =
      "[" + std::to_string(output.rows) + (output.columns > 1 ? " x " + std::to_string(output.columns) : "") + "]";
  std::string out = " *   " + output.name + size;
  if (output.columns > 1) out += ", column-major";
  const std::string& name = output.name;
  if (name == "tau" && module.closed) return out + ":\n" + motors(module.closed->mechanism);
  if (name == "quality") {
    return out + ": at least 1, or pivots are a hundredth of the usual ones: loops are near to losing their rank\n";
  }
  if (name == "loop_wrenches") return out + ": force, N, and moment, N m, of each loop\n";
  if (name == "tau" || name == "gravity" || name == "bias") return out + ":\n" + entries(model, false, "N m", "N");
  if (name == "acceleration") return out + ":\n" + entries(model, false, "rad/s^2", "m/s^2");
  if (name == "pose") return out + ": position x y z, m; rotation matrix, row-major\n";
  if (name == "joint_wrenches") return out + ": force, N, and moment, N m, of each joint\n";
  if (name == "mass_matrix") return out + ": SI units (kg m^2, kg m, kg)\n";
  const bool of_torque = function.trace.want.quantity == Quantity::d_tau;
  if (name.starts_with("d")) {
    return out + ": of the " + (of_torque ? "torques" : "accelerations") + " with respect to " + name.substr(1) +
           ", SI units; q as v changes it\n";
  }
  return out + ": SI units\n";
}

}  // namespace

bool Function::reads_parameters() const {
  const std::vector<Node>& nodes = trace.graph.nodes();
  for (int k = 0; k < static_cast<int>(nodes.size()); ++k) {
    if (nodes[static_cast<std::size_t>(k)].op == Op::input && nodes[static_cast<std::size_t>(k)].a == kParameters &&
        schedule.uses(k) > 0) {
      return true;
    }
  }
  return false;
}

std::string Module::number(double value) const {
  return options.single_precision ? decimal(static_cast<float>(value)) + "f" : decimal(value);
}

Dialect one_state_dialect(const Module& module) {
  const std::string suffix = module.options.single_precision ? "f" : "";
  const std::string one = module.number(1), zero = module.number(0);
  Dialect d;
  d.scalar = module.scalar();
  d.constant = [&module](double x) { return module.number(x); };
  d.result = [](const std::string& x) { return x; };
  d.tanh = [=](const std::string& x) { return "tanh" + suffix + "(" + x + ")"; };
  d.square_root = [=](const std::string& x) { return "sqrt" + suffix + "(" + x + ")"; };
  d.less = [=](const std::string& a, const std::string& b) {
    return "(" + a + " < " + b + " ? " + one + " : " + zero + ")";
  };
  d.select = [=](const std::string& c, const std::string& a, const std::string& b) {
    return "(" + c + " != " + zero + " ? " + a + " : " + b + ")";
  };
  return d;
}

std::string title(const Module& module, const std::string& file) {
  std::string out = "/* " + file + ": dynamics of one model, generated by `verne codegen`; do not edit.\n *\n";
  out += " * What it costs:\n";
  for (const Function& f : module.functions) {
    const OperationCounts& c = f.schedule.counts();
    out += " *   " + f.name() + ": " + std::to_string(c.multiplications) + " multiplications, " +
           std::to_string(c.additions) + " additions, " + std::to_string(c.trigonometric) + " sines and cosines\n";
  }
  if (!module.note.empty()) out += " *\n * " + module.note + "\n";
  return out + " */\n";
}

std::string description(const Module& module, const Function& function) {
  const Model& model = module.model;
  const Quantity quantity = function.trace.want.quantity;
  std::string out = "/* " + purpose(quantity) + "\n *\n";
  if (module.closed) out += " * States are those of the whole tree, with loops closed.\n *\n";
  for (const TracedInput& input : function.trace.inputs) {
    out += " *   " + input.name + "[" + std::to_string(input.size) + "]:\n";
    const std::string& name = input.name;
    out += name == "q"     ? entries(model, true, "rad", "m")
           : name == "v"   ? entries(model, false, "rad/s", "m/s")
           : name == "tau" ? (module.closed ? motors(module.closed->mechanism) : entries(model, false, "N m", "N"))
                           : entries(model, false, "rad/s^2", "m/s^2");
  }
  out += " * gives\n";
  for (const TracedOutput& output : function.trace.outputs) out += output_text(module, function, output);
  return out + " */\n";
}

}  // namespace verne::codegen
