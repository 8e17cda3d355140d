#include "structures/contact_parts.h"

#include <numeric>

#include "base/decompositions.h"
#include "dynamics/call.h"
#include "structures/elimination.h"
#include "verne/dynamics/control_terms.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

/// A pivot below this part of its diagonal entry is rounding: the equation repeats others.
constexpr double kLeastPivot = 1e-10;

Eigen::Vector3d eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

}  // namespace

int equations_of(ContactType type) {
  return type == ContactType::point ? 3 : type == ContactType::line ? 5 : 6;
}

Eigen::MatrixXd solve_least(const Eigen::MatrixXd& A, const Eigen::MatrixXd& right) {
  return least_norm(A, right, kLeastPivot);
}

ContactData::Parts::Parts(const Mechanism& mechanism)
    : closed(mechanism),
      p(closed.parts()),
      c(mechanism.contents()),
      model(c.model),
      tree(c.layout.loops.empty()),
      kernels(closing_kernels(single_kernels<double>().name)),
      dense_way(static_cast<std::size_t>(model.nv())) {
  const Eigen::Index n = model.nv(), free = mechanism.mobility();
  std::iota(dense_way.begin(), dense_way.end(), -1);
  tree_way = velocity_parents(model);
  for (const ContactSpec& contact : model.contacts()) {
    contact_link.push_back(model.link(contact.link));
    last_v.push_back(last_velocity(model, contact_link.back()));
    on_body.push_back(end_on_body(model, contact_link.back(), {contact.R_LC, contact.point}));
    equations += equations_of(contact.type);
  }
  const auto links = static_cast<Eigen::Index>(model.contacts().size());
  mass.setZero(n, n), reduced_mass.setZero(free, free);
  J.setZero(equations, n), answers = J, reduced_J.setZero(equations, free);
  axes.resize(9 * model.contacts().size());
  for (Eigen::VectorXd* v : {&bias, &x, &torques}) v->setZero(n);
  reduced_x.setZero(free), drift.setZero(equations), lambda.setZero(equations);
  jacobians.setZero(6, n * links), drifts.setZero(6, links), poses.setZero(12, links);
  response.setZero(equations, equations), factor = response;
}

void ContactData::Parts::hold(std::span<const int> contacts) {
  held.clear(), sites.clear();
  equations = 0;
  for (const int k : contacts) {
    if (k < 0 || k >= static_cast<int>(contact_link.size())) {
      throw std::invalid_argument("contact " + std::to_string(k) + " does not exist");
    }
    const auto index = static_cast<std::size_t>(k);
    const ContactSpec& spec = model.contacts()[index];
    const int link = contact_link[index];
    auto site = std::find(sites.begin(), sites.end(), link);
    if (site == sites.end()) site = sites.insert(site, link);
    held.push_back({link, static_cast<int>(site - sites.begin()), equations, equations_of(spec.type), last_v[index],
                    &spec, &on_body[index], Mat3<double>::identity()});
    equations += held.back().rows;
  }
  // A contact that is named twice has more equations than there is room for.
  if (equations > J.rows()) throw std::invalid_argument("a contact is held twice");
}

void ContactData::Parts::gather(std::span<const int> contacts, VectorIn<double> q, VectorIn<double> v) {
  hold(contacts);
  const auto count = static_cast<Eigen::Index>(sites.size());
  control_terms<double>(model, p.data, q, v, sites, mass, bias, jacobians.leftCols(count * model.nv()),
                        drifts.leftCols(count), poses.leftCols(count));
  J.topRows(equations).setZero();
  for (Held& at : held) put_rows(at, v);
}

/// (11): velocity and acceleration of the contact's frame, in its own axes.
void ContactData::Parts::put_rows(Held& at, VectorIn<double> v) {
  const Eigen::Index n = model.nv();
  Mat3<double> R_WL;
  for (int i = 0; i < 9; ++i) R_WL.m[i] = poses(3 + i, at.slot);
  at.R = R_WL * at.spec->R_LC;
  const Vec3<double> r = R_WL * at.spec->point;
  const auto load = [](const double* column) { return Vec3<double>::load(column); };
  Vec3<double> omega = Vec3<double>::zero();
  const auto put = [&](const Vec3<double>& linear, const Vec3<double>& angular, double* out) {
    transpose_times(at.R, linear).store(out);
    const Vec3<double> turn = transpose_times(at.R, angular) * c.length;
    for (int i = 3; i < at.rows; ++i) out[i] = turn[i - 3];
  };
  for (int j = at.last; j >= 0; j = tree_way[static_cast<std::size_t>(j)]) {
    const double* const column = jacobians.col(at.slot * n + j).data();
    const Vec3<double> turn = load(column + 3);
    put(load(column) + cross(turn, r), turn, J.col(j).data() + at.first);
    omega += turn * v[j];
  }
  const double* const of_link = drifts.col(at.slot).data();
  const Vec3<double> alpha = load(of_link + 3);
  put(load(of_link) + cross(alpha, r) + cross(omega, cross(omega, r)), alpha, drift.data() + at.first);
}

void ContactData::Parts::solve(const int* parent, bool dense, Eigen::MatrixXd& M, Eigen::MatrixXd& rows,
                               Eigen::VectorXd& a) {
  const auto n = static_cast<int>(a.size());
  ways.clear();
  for (const Held& at : held) ways.push_back({at.first, at.rows, dense ? n - 1 : at.last, {}});
  const ContactPlan plan{n,      equations,  static_cast<int>(ways.size()), static_cast<int>(rows.rows()), c.length,
                         parent, ways.data()};
  kernels.respond(plan, M.data(), rows.data(), a.data(), drift.data(), response.data());
  solve_multipliers();
  kernels.release(plan, M.data(), rows.data(), lambda.data(), a.data());
}

void ContactData::Parts::solve_articulated(std::span<const int> contacts, VectorIn<double> q, VectorIn<double> v,
                                           VectorIn<double> tau, LoadsIn<double> given) {
  hold(contacts);
  Call<double> call("forward_dynamics", model, p.data);
  call.q(q).v(v).tau(tau).loads(given);
  ways.clear();
  for (const Held& at : held) ways.push_back({at.first, at.rows, at.last, *at.on_body});
  const ContactPlan plan{
      model.nv(),      equations,  static_cast<int>(ways.size()), static_cast<int>(J.rows()), c.length,
      tree_way.data(), ways.data()};
  kernels.articulated_respond(call.tree(), call.inputs(), plan,
                              {J.data(), answers.data(), drift.data(), response.data(), axes.data()}, x.data(),
                              p.data.scratch());
  solve_multipliers();
  kernels.articulated_release(call.tree(), plan, J.data(), lambda.data(), x.data(), p.data.scratch());
  for (std::size_t k = 0; k < held.size(); ++k) std::copy_n(axes.data() + 9 * k, 9, held[k].R.m);
}

/// (13) and (14), by Cholesky's method on the upper triangle, unless equations repeat others.
void ContactData::Parts::solve_multipliers() {
  const int m = equations;
  const auto dot = [&](int i, int k, int count) {
    const double *one = factor.col(i).data(), *other = factor.col(k).data();
    double sum = 0;
    for (int r = 0; r < count; ++r) sum += one[r] * other[r];
    return sum;
  };
  factor.topLeftCorner(m, m) = response.topLeftCorner(m, m);
  bool independent = true;
  for (int k = 0; k < m && independent; ++k) {
    const double pivot = factor(k, k) - dot(k, k, k);
    independent = pivot > kLeastPivot * factor(k, k);
    const double inverse = 1 / std::sqrt(pivot);
    factor(k, k) = inverse;
    for (int i = k + 1; i < m; ++i) factor(k, i) = (factor(k, i) - dot(k, i, k)) * inverse;
  }
  if (!independent) {
    const Eigen::MatrixXd upper = response.topLeftCorner(m, m);
    lambda.head(m) = solve_least(upper.selfadjointView<Eigen::Upper>(), -drift.head(m));
    return;
  }
  for (int k = 0; k < m; ++k) {
    double sum = -drift[k];
    for (int r = 0; r < k; ++r) sum -= factor(r, k) * lambda[r];
    lambda[k] = sum * factor(k, k);
  }
  for (int k = m - 1; k >= 0; --k) {
    lambda[k] *= factor(k, k);
    for (int r = 0; r < k; ++r) lambda[r] -= factor(r, k) * lambda[k];
  }
}

void ContactData::Parts::write_wrenches(Matrix6X<double>& out) const {
  auto column = static_cast<Eigen::Index>(c.layout.loops.size());
  for (const Held& at : held) {
    auto wrench = out.col(column++);
    wrench.setZero();
    wrench.head<3>() = lambda.segment<3>(at.first);
    wrench.segment(3, at.rows - 3) = lambda.segment(at.first + 3, at.rows - 3) * c.length;
  }
}

void ContactData::Parts::add_loads(const Matrix6X<double>& from, Loads<double>& to) const {
  auto column = static_cast<Eigen::Index>(c.layout.loops.size());
  for (const Held& at : held) {
    const double* const wrench = from.col(column++).data();
    to.add({at.link, eigen(at.R * Vec3<double>::load(wrench)), eigen(at.R * Vec3<double>::load(wrench + 3)),
            eigen(at.spec->point), At::link});
  }
}

void ContactData::Parts::complete_wrenches(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                                           VectorIn<double> tau, LoadsIn<double> given, Matrix6X<double>& all,
                                           WrenchesOut<double> of_joints) {
  loads.clear();
  if (given) loads.append(*given);
  add_loads(all, loads);
  if (tree) {
    if (of_joints) verne::inverse_dynamics<double>(model, p.data, q, v, a, x, &loads, of_joints);
    return;
  }
  p.tree_torques(q, v, a, &loads);
  p.torques -= tau;
  p.solve_multipliers(Eigen::VectorXd::Zero(0));
  p.write_wrenches(q, v, a, &loads, &p.wrenches, of_joints);
  all.leftCols(p.wrenches.cols()) = p.wrenches;
}

}  // namespace verne
