#include "verne/structures/system.h"

#include <algorithm>
#include <stdexcept>

#include "structures/mechanism_batch_parts.h"
#include "structures/system_parts.h"

namespace verne {

namespace {

/// Throws InputError with every coordinate whose acceleration cannot be given, or whose torque is not told.
void require_independent_motors(const Mechanism& mechanism, const GivenAccelerations& given) {
  const auto has = [](std::span<const int> velocities, int k) {
    return std::ranges::find(velocities, k) != velocities.end();
  };
  std::vector<Diagnostic> problems;
  for (int k = 0; k < mechanism.model().nv(); ++k) {
    if (!given[k]) continue;
    const std::string name = "'" + mechanism.model().dof_names()[static_cast<std::size_t>(k)] + "' ";
    if (!has(mechanism.independent(), k)) {
      problems.push_back({"", 0,
                          "given accelerations: " + name +
                              "is not an independent coordinate of the mechanism: its loops tell how it is "
                              "accelerated"});
    } else if (!has(mechanism.actuated(), k)) {
      problems.push_back({"", 0, "given accelerations: " + name + "is not actuated: it has no torque to be found"});
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

System::System(const Model& model, const SystemOptions& options) {
  require_contacts(model, options.contacts);
  const auto contents = std::make_shared<Contents>(model);
  contents->contacts = options.contacts;
  contents->given = options.given;
  if (options.given && !options.contacts.empty()) {
    throw InputError("contacts: are not known together with given accelerations");
  }
  if (contents->closed()) {
    if (options.given) require_independent_motors(contents->mechanism, *options.given);
    if (auto legs = ParallelRobot::recognise(contents->mechanism)) {
      contents->legs = std::make_shared<const ParallelRobot>(std::move(*legs));
    }
  }
  contents_ = contents;
}

System System::holding(std::vector<int> contacts) const {
  require_contacts(model(), contacts);
  if (contents_->given && !contacts.empty()) {
    throw InputError("contacts: are not known together with given accelerations");
  }
  const auto contents = std::make_shared<Contents>(*contents_);
  contents->contacts = std::move(contacts);
  return System(std::shared_ptr<const Contents>(contents));
}

const Model& System::model() const {
  return contents_->model;
}
const Mechanism& System::mechanism() const {
  return contents_->mechanism;
}
std::span<const int> System::contacts() const {
  return contents_->contacts;
}
const GivenAccelerations* System::given() const {
  return contents_->given ? &*contents_->given : nullptr;
}
int System::nq() const {
  return contents_->closed() ? mechanism().nq() : model().nq();
}
int System::nv() const {
  return contents_->closed() ? mechanism().mobility() : model().nv();
}
int System::torques() const {
  return contents_->closed() ? contents_->motors() : model().nv();
}
int System::closures() const {
  return static_cast<int>(model().loops().size() + contacts().size());
}

std::string System::method() const {
  const bool closed = contents_->closed(), coupled = model().coupled();
  if (!contacts().empty()) {
    if (closed) return "sparse elimination of loops, then of contacts";
    return coupled ? "contacts on the factored mass matrix" : "contacts on articulated bodies";
  }
  if (contents_->legs) return "leg by leg, " + std::to_string(contents_->legs->legs()) + " legs";
  if (closed) return "sparse elimination of loops";
  return coupled ? "recursions of the tree, factored mass matrix" : "recursions of the tree";
}

SystemData::Parts::Parts(const System& system) : tree(system.model()) {
  const Model& model = system.model();
  if (!model.loops().empty() || !model.contacts().empty()) held.emplace(system.mechanism());
  if (system.contents().legs) legs = ParallelRobot::recognise(system.mechanism());
  q.setZero(model.nq());
  for (Eigen::VectorXd* x : {&v, &a, &tree_tau}) x->setZero(model.nv());
  tau.setZero(system.torques()), bias.setZero(system.nv()), gravity.setZero(system.nv());
}

SystemData::SystemData(const System& system) : parts_(std::make_unique<Parts>(system)) {}
SystemData::SystemData(SystemData&&) noexcept = default;
SystemData& SystemData::operator=(SystemData&&) noexcept = default;
SystemData::~SystemData() = default;

DerivativeViews DerivativeMemory::views() const {
  return {matrix_view_of(dq), matrix_view_of(dv), matrix_view_of(dx)};
}

Eigen::VectorXd all_torques(const System::Contents& c, VectorIn<double> tau) {
  if (!c.closed()) return tau;
  Eigen::VectorXd all = Eigen::VectorXd::Zero(c.model.nv());
  for (int k = 0; k < c.motors(); ++k) all[c.mechanism.actuated()[static_cast<std::size_t>(k)]] = tau[k];
  return all;
}

void keep_motors(const System::Contents& c, const Eigen::VectorXd& all, Eigen::VectorXd& tau) {
  if (!c.closed()) {
    tau = all;
    return;
  }
  tau.resize(c.motors());
  for (int k = 0; k < c.motors(); ++k) tau[k] = all[c.mechanism.actuated()[static_cast<std::size_t>(k)]];
}

std::optional<Values> actuator_weights(const System::Contents& c, const Values* weights) {
  if (!weights) return std::nullopt;
  if (c.closed()) return *weights;
  require_size("inverse_dynamics", "weights", c.model.nv(), weights->size());
  Values some;
  some.resize(c.motors());
  for (int k = 0; k < c.motors(); ++k) some[k] = (*weights)[c.mechanism.actuated()[static_cast<std::size_t>(k)]];
  return some;
}

}  // namespace verne
