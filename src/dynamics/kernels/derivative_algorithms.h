/// The derivatives as the library offers them: sweeps put together, friction, rotors and coupled joints included.
/// One function per entry of DerivativeTable, for one scalar S.
#pragma once

#include "dynamics/kernels/found_columns.h"
#include "dynamics/kernels/hessian_product.h"
#include "dynamics/kernels/motion_derivatives.h"
#include "dynamics/kernels/regressor.h"
#include "dynamics/kernels/response_work.h"
#include "dynamics/kernels/torque_derivatives.h"
#include "dynamics/kernels/wrench_derivatives.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
struct DerivativeAlgorithms {
  using In = Inputs<S>;

  static void inverse_dynamics(const Tree& tree, const In& given, const Blocks<S>& tau, const Blocks<S>& wrenches,
                               Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const SensitivityWork<S> work = sensitivity_sweeps(tree, in, true, scratch);
    if (tree.coupled) {
      const long n = tree.nv;
      S* const full[3] = {scratch.take(n * n), scratch.take(n * n), scratch.take(n * n)};
      tree_torques(tree, in, work, {full[0], full[1], full[2], n});
      for (int k = 0; k < 3; ++k) reduce_matrix(tree, full[k], tau[k], tau.ld);
    } else {
      tree_torques(tree, in, work, tau);
    }
    if (wrenches.dq) joint_wrenches(tree, in, work, wrenches, scratch);
  }

  static void forward_dynamics(const Tree& tree, const In& given, S* a, const Blocks<S>& da, const Blocks<S>& wrenches,
                               Scratch<S> scratch) {
    S* const found = scratch.take(tree.model_nv);  // inputs are read to the end, and `a` may be one of them
    if (tree.coupled) {
      coupled_accelerations(tree, given, found, da, scratch);
    } else if (given.load_count) {
      accelerations<kLoadedDrive>(tree, given, found, da, scratch);
    } else {
      accelerations<kDrive>(tree, given, found, da, scratch);
    }
    if (wrenches.dq) {
      In solved = given;
      solved.a = found;
      const long n = tree.model_nv;
      Scratch<S> rest = scratch;
      S* const unused = rest.take(3 * n * n);
      inverse_dynamics(tree, solved, {unused, unused + n * n, unused + 2 * n * n, n}, wrenches, rest);
      wrenches_of_found(tree, {nullptr}, da, wrenches, scratch);
    }
    for (int k = 0; k < tree.model_nv; ++k) a[k] = found[k];
  }

  /// Of what is found: a, or tau where `accelerations` flags that a is given; the third block by what is given.
  static void hybrid_dynamics(const Tree& tree, const In& in, GivenFreedoms accelerations, S* a, S* tau,
                              const Blocks<S>& found, const Blocks<S>& wrenches, Scratch<S> scratch) {
    const int n = tree.model_nv;
    S* const motion = scratch.take(n);  // inputs are read to the end, and `a` and `tau` may be among them
    S* const torques = scratch.take(n);
    for (int k = 0; k < n; ++k) motion[k] = in.a[k], torques[k] = in.tau[k];
    In solved = in;
    solved.a = motion, solved.tau = torques;
    Algorithms<S>::hybrid_dynamics(tree, solved, accelerations, motion, torques, nullptr, scratch);
    inverse_dynamics(tree, solved, found, wrenches, scratch);
    const FoundColumns<S> find(tree, accelerations, found.dx, found.ld, scratch);
    for (long k = 0; k < n; ++k) {
      S* const by_given = found.dx + found.ld * k;
      for (int i = 0; i < n && !accelerations[static_cast<int>(k)]; ++i) by_given[i] = S(i == k ? -1.0 : 0.0);
      for (int block = 0; block < 3; ++block) find(found[block] + found.ld * k);
    }
    if (wrenches.dq) wrenches_of_found(tree, accelerations, found, wrenches, scratch);
    for (int k = 0; k < n; ++k) a[k] = motion[k], tau[k] = torques[k];
  }

  static void hessian(const Tree& tree, const In& given, const Weights<S>& weights, const SecondBlocks<S>& out,
                      Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const SensitivityWork<S> work = sensitivity_sweeps(tree, in, true, scratch);
    const S* const lambda = tree_lambda(tree, weights, scratch);
    const FreedomCurvature<S>* const curvature = curvatures_of(tree, in, work, lambda, weights.mu, scratch);
    const long n = tree.nv;
    const bool coupled = tree.coupled;
    S* full[4];
    for (int k = 0; k < 4; ++k) full[k] = coupled ? scratch.take(n * n) : out[k];
    const SecondBlocks<S> blocks{full[0], full[1], full[2], full[3], coupled ? n : out.ld, !coupled && out.zeros};
    hessian_entries(tree, work, curvature, blocks);
    for (int k = 0; k < n && tree.has_friction && lambda; ++k) {
      S& vv = blocks.vv[k * blocks.ld + k];
      vv = vv + lambda[k] * friction_curvature(tree, k, in.v[k]);
    }
    for (int k = 0; k < n && tree.has_ligament && lambda; ++k) {
      S& qq = blocks.qq[k * blocks.ld + k];
      qq = qq + lambda[k] * spring_curvature(tree, k, in.q);
    }
    for (int k = 0; k < 4 && coupled; ++k) reduce_matrix(tree, full[k], out[k], out.ld);
  }

  /// y := H x; both are (q, v, a) one after the other, 3 nv values.
  static void hessian_product(const Tree& tree, const In& given, const Weights<S>& weights, const S* x, S* y,
                              Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const SensitivityWork<S> work = sensitivity_sweeps(tree, in, true, scratch);
    const S* const lambda = tree_lambda(tree, weights, scratch);
    const FreedomCurvature<S>* const curvature = curvatures_of(tree, in, work, lambda, weights.mu, scratch);
    const int n = tree.nv, m = tree.model_nv;
    S* const full_x = scratch.take(3 * n);
    S* const full_y = scratch.take(3 * n);
    for (int part = 0; part < 3; ++part) {
      for (int k = 0; k < n; ++k) {
        const TreeCoupling& c = tree.v_coupling[k];
        full_x[part * n + k] = x[part * m + c.source] * c.ratio;
      }
    }
    verne::VERNE_ISA::hessian_product(
        tree, work, curvature, {full_x, full_x + n, full_x + 2 * n}, {full_y, full_y + n, full_y + 2 * n},
        scratch.template take<SumsAbove<S>>(tree.body_count), scratch.template take<SumsBelow<S>>(tree.body_count));
    for (int k = 0; k < n && tree.has_friction && lambda; ++k) {
      full_y[n + k] = full_y[n + k] + lambda[k] * friction_curvature(tree, k, in.v[k]) * full_x[n + k];
    }
    for (int k = 0; k < n && tree.has_ligament && lambda; ++k) {
      full_y[k] = full_y[k] + lambda[k] * spring_curvature(tree, k, in.q) * full_x[k];
    }
    for (int part = 0; part < 3; ++part) reduce_vector(tree, full_y + part * n, y + part * m);
  }

  static void site_derivatives(const Tree& tree, const In& given, int site, const S* point, const SiteBlocks<S>& out,
                               Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const int body = tree.sites[site].body;
    const SensitivityWork<S> work = body < 0 ? SensitivityWork<S>{} : outward_sweep(tree, in, false, scratch, body);
    const Vec3<S> p = point ? Vec3<S>::load(point) : Vec3<S>::zero();
    S* full[4];
    for (int k = 0; k < 4; ++k) full[k] = tree.coupled ? scratch.take(6 * tree.nv) : out[k];
    verne::VERNE_ISA::site_derivatives<S>(tree, work, site, p, {full[0], full[1], full[2], full[3]});
    for (int k = 0; k < 4 && tree.coupled; ++k) reduce_columns(tree, 6, full[k], out[k], 6);
  }

  static void centroidal_derivatives(const Tree& tree, const In& given, const CentroidalBlocks<S>& out,
                                     Scratch<S> scratch) {
    const In in = without_loads(tree_inputs(tree, given, scratch));
    const SensitivityWork<S> work = sensitivity_sweeps(tree, in, false, scratch);
    S* full[5];
    for (int k = 0; k < 5; ++k) full[k] = tree.coupled ? scratch.take(6 * tree.nv) : out[k];
    verne::VERNE_ISA::centroidal_derivatives<S>(tree, work, {full[0], full[1], full[2], full[3], full[4]});
    for (int k = 0; k < 5 && tree.coupled; ++k) reduce_columns(tree, k == 0 ? 3 : 6, full[k], out[k], k == 0 ? 3 : 6);
  }

  static void regressor(const Tree& tree, const In& given, const ParameterColumns& columns, const LinearBlocks<S>& out,
                        Scratch<S> scratch) {
    const In in = without_loads(tree_inputs(tree, given, scratch));
    if (out.tau) torque_regressor(tree, in, columns, out.tau, scratch);
    if (out.wrenches) wrench_regressor(tree, in, columns, out.wrenches, scratch);
  }

  static void load_derivatives(const Tree& tree, const In& given, const LinearBlocks<S>& out, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const SensitivityWork<S> work = outward_sweep(tree, in, true, scratch);
    const int columns = 9 * in.load_count;
    S* const column = scratch.take(tree.nv);
    auto* const wrenches = scratch.template take<Spatial<S>>(9);
    clear_wrenches(tree, columns, out.wrenches);
    for (int load = 0; load < in.load_count; ++load) {
      load_columns(tree, in, work, load, wrenches);
      for (int k = 0; k < 9; ++k) {
        put_wrench_column(tree, work, in.load_sites[load].site, wrenches[k], column, 9 * load + k, columns, out);
      }
    }
  }

  /// The same of what hybrid dynamics finds; without given accelerations, of forward dynamics (docs/theory/
  /// sensitivities.md, eq. 36 and 37 with loads for q).
  static void hybrid_load_derivatives(const Tree& tree, const In& given, GivenFreedoms accelerations,
                                      const LinearBlocks<S>& out, Scratch<S> scratch) {
    load_derivatives(tree, given, out, scratch);
    const int n = tree.model_nv, columns = 9 * given.load_count;
    S* const M = scratch.take(n * n);
    Algorithms<S>::mass_matrix(tree, given, M, n, scratch);
    const FoundColumns<S> find(tree, accelerations, M, n, scratch);
    for (int c = 0; c < columns; ++c) find(out.tau + static_cast<long>(c) * n);
    if (!out.wrenches) return;
    const In in = tree_inputs(tree, given, scratch);
    const SensitivityWork<S> work = sensitivity_sweeps(tree, in, true, scratch);
    const long full_size = 6 * tree.nv;
    S* const full[3] = {scratch.take(full_size), scratch.take(full_size), scratch.take(full_size)};
    S* const reduced = scratch.take(6 * n);
    for (int j = 0; j < tree.joint_count; ++j) {
      wrench_derivatives(tree, tree.joints[j], in, work, {full[0], full[1], full[2]});
      if (tree.coupled) reduce_columns(tree, 6, full[2], reduced, 6);
      const S* const by_a = tree.coupled ? reduced : full[2];
      for (int c = 0; c < columns; ++c) {
        S* const wrench = out.wrenches + 6 * (static_cast<long>(j) * columns + c);
        for (int k = 0; k < n; ++k) {
          if (accelerations[k]) continue;
          for (int i = 0; i < 6; ++i) wrench[i] = wrench[i] + by_a[6 * k + i] * out.tau[static_cast<long>(c) * n + k];
        }
      }
    }
  }

 private:
  /// a and its derivatives, with a drive of N components.
  template <int N>
  static void accelerations(const Tree& tree, const In& given, S* a, const Blocks<S>& da, Scratch<S> scratch) {
    using Value = typename ColumnBlock<S>::Value;
    const In in = tree_inputs(tree, given, scratch);
    const ResponseWork<S, N> work = take_response_work<S, N>(tree, in, scratch);
    const S* const tau = driving_torques(tree, in, NoneGiven(), scratch);
    const S* const slopes = friction_slopes(tree, in, scratch);
    response_velocities(tree, in.v, work);
    response_inwards(tree, in.v, tau, work, a);
    response_accelerations(tree, in.v, work, a);
    limb_responses(tree, work);
    root_responses(tree, work);
    const ColumnSolver<S, N> solver{tree,  work,  slopes,
                                    da.dx, da.ld, scratch.template take<ColumnMotion<Value, N>>(tree.body_count)};
    solve_columns(solver, da, scratch.template take<Value>(3 * tree.nv));
    subtract_springs(tree, in, tree.nv, da.ld, da.dx, da.dq);
  }

  /// Coupled joints: derivatives of inverse dynamics at the solution, and the dense inverse of M (36).
  static void coupled_accelerations(const Tree& tree, const In& given, S* a, const Blocks<S>& da, Scratch<S> scratch) {
    In solved = given;
    Algorithms<S>::forward_dynamics(tree, given, a, nullptr, scratch);
    solved.a = a;
    const int n = tree.model_nv;
    S* const M = scratch.take(n * n);
    const int* const order = elimination_order(tree, {nullptr}, scratch);
    inverse_dynamics(tree, solved, da, {}, scratch);
    for (long j = 0; j < n; ++j) {
      for (long i = 0; i < n; ++i) M[n * j + i] = da.dx[da.ld * j + i];
    }
    factorize(n, order, M);
    for (long j = 0; j < n; ++j) {
      for (int k = 0; k < 2; ++k) {
        S* const column = da[k] + da.ld * j;
        solve(n, order, M, column);
        for (int i = 0; i < n; ++i) column[i] = -column[i];
      }
    }
    invert(n, order, M, da.dx, static_cast<int>(da.ld));
  }

  static In without_loads(In in) {
    in.load_count = 0;
    return in;
  }

  static void torque_regressor(const Tree& tree, const In& in, const ParameterColumns& columns, S* Y,
                               Scratch<S> scratch) {
    const WorldPose<S>* const poses = poses_of(tree, in, trigonometry(tree, in.q, scratch), scratch);
    const WorldMotion<S>* const motions = motions_of(tree, in, poses, scratch);
    FreedomRows<S> freedoms;
    for (S*& row : freedoms.rows) row = scratch.take(tree.nv + ColumnBlock<S>::kWidth);
    freedoms_about_origin(tree, poses, freedoms);
    const long n = tree.model_nv, drive = 2 * columns.friction + columns.rotors, of_links = link_columns(tree, columns);
    for (long k = 0; k < n * (of_links + drive * tree.nv); ++k) Y[k] = S(0);
    for_each_link(tree, columns, [&](int link, int index) {
      add_link_torques(tree, poses, motions, freedoms, link, Y + kLinkParameters * index * n);
    });
    S* column = Y + of_links * n;
    for (int k = 0; k < tree.nv && drive > 0; ++k) {
      const TreeCoupling& c = tree.v_coupling[k];
      const auto put = [&](const S& x) { column[c.source] = x * c.ratio, column += n; };
      if (columns.friction) put(unit_coulomb(tree, k, in.v[k])), put(in.v[k]);
      if (columns.rotors) put(in.a[k]);
    }
  }

  static void wrench_regressor(const Tree& tree, const In& in, const ParameterColumns& wanted, S* wrenches,
                               Scratch<S> scratch) {
    const SensitivityWork<S> work = outward_sweep(tree, in, true, scratch);
    const int columns = kLinkParameters * tree.link_count + (2 * wanted.friction + wanted.rotors) * tree.nv;
    auto* const unit = scratch.template take<Spatial<S>>(kLinkParameters);
    clear_wrenches(tree, columns, wrenches);
    for (int link = 0; link < tree.link_count; ++link) {
      link_wrenches(tree, work, link, unit);
      for (int k = 0; k < kLinkParameters; ++k) {
        put_joint_wrenches(tree, work, link, unit[k], kLinkParameters * link + k, columns, wrenches);
      }
    }
  }

  static void clear_wrenches(const Tree& tree, int columns, S* wrenches) {
    for (long k = 0; k < 6L * columns * tree.joint_count && wrenches; ++k) wrenches[k] = S(0);
  }

  /// Column `index` for a wrench about O that a link or frame takes: the torques, and the wrench in every joint that
  /// carries it.
  static void put_wrench_column(const Tree& tree, const SensitivityWork<S>& work, int site, const Spatial<S>& wrench,
                                S* column, int index, int columns, const LinearBlocks<S>& out) {
    if (out.tau) {
      project_wrench(tree, work, tree.sites[site].body, wrench, column);
      reduce_vector(tree, column, out.tau + static_cast<long>(index) * tree.model_nv);
    }
    if (out.wrenches) put_joint_wrenches(tree, work, site, wrench, index, columns, out.wrenches);
  }

  static void put_joint_wrenches(const Tree& tree, const SensitivityWork<S>& work, int site, const Spatial<S>& wrench,
                                 int index, int columns, S* wrenches) {
    for (int j = 0; j < tree.joint_count; ++j) {
      if (!carries(tree.joints[j], tree.sites[site].link)) continue;
      put_wrench(joint_frame(tree, tree.joints[j], work), wrench,
                 wrenches + 6 * (static_cast<long>(j) * columns + index));
    }
  }

  static const S* tree_lambda(const Tree& tree, const Weights<S>& weights, Scratch<S>& scratch) {
    if (!weights.lambda || !tree.coupled) return weights.lambda;
    return expanded(tree.v_coupling, tree.nv, weights.lambda, false, scratch);
  }

  static FreedomCurvature<S>* curvatures_of(const Tree& tree, const In& in, const SensitivityWork<S>& work,
                                            const S* lambda, const S* mu, Scratch<S>& scratch) {
    auto* const states = scratch.template take<WeightState<S>>(tree.body_count);
    auto* const out = scratch.template take<FreedomCurvature<S>>(tree.nv);
    gather_weights(tree, work, lambda, mu, states);
    for (int i = 0; i < tree.body_count; ++i) weigh_body(tree, i, work, states[i]);
    weigh_merged(tree, work, mu, states);
    weigh_loads(tree, in, work, mu, states);
    curvatures(tree, work, states, out);
    return out;
  }

  static void tree_torques(const Tree& tree, const In& in, const SensitivityWork<S>& work, const Blocks<S>& out) {
    torque_derivatives(tree, work, out);
    const auto diagonal = [&](S* matrix, int k) -> S& { return matrix[k * out.ld + k]; };
    for (int k = 0; k < tree.nv && tree.has_rotor; ++k) {
      diagonal(out.dx, k) = diagonal(out.dx, k) + tree.rotor_inertia[k];
    }
    for (int k = 0; k < tree.nv && tree.has_friction; ++k) {
      diagonal(out.dv, k) = diagonal(out.dv, k) + friction_slope(tree, k, in.v[k]);
    }
    for (int k = 0; k < tree.nv && tree.has_spring; ++k) {  // docs/theory/structures.md, eq. 10
      diagonal(out.dq, k) = diagonal(out.dq, k) + spring_slope(tree, k, in.q);
    }
  }

  static void joint_wrenches(const Tree& tree, const In& in, const SensitivityWork<S>& work, const Blocks<S>& out,
                             Scratch<S> scratch) {
    const long full_size = 6 * tree.nv, size = 6 * tree.model_nv;
    S* const full[3] = {scratch.take(full_size), scratch.take(full_size), scratch.take(full_size)};
    const int count = out.joints ? out.joint_count : tree.joint_count;
    for (int i = 0; i < count; ++i) {
      const TreeJoint& joint = tree.joints[out.joints ? out.joints[i] : i];
      if (tree.coupled) {
        wrench_derivatives(tree, joint, in, work, {full[0], full[1], full[2]});
        for (int k = 0; k < 3; ++k) reduce_columns(tree, 6, full[k], out[k] + i * size, 6);
      } else {
        wrench_derivatives(tree, joint, in, work, {out.dq + i * size, out.dv + i * size, out.dx + i * size});
      }
    }
  }

  /// (37), and (7) of docs/theory/structures.md: from the derivatives of W at given a, those at what is given. Entries
  /// of `found` that are torques do not matter.
  static void wrenches_of_found(const Tree& tree, GivenFreedoms given, const Blocks<S>& found, const Blocks<S>& out,
                                Scratch<S> scratch) {
    const long n = tree.model_nv;
    S* const row = scratch.take(n);
    for (long j = 0; j < tree.joint_count; ++j) {
      for (int component = 0; component < 6; ++component) {
        const long first = 6 * n * j + component;
        for (long k = 0; k < n; ++k) row[k] = out.dx[first + 6 * k];
        for (long c = 0; c < n; ++c) {
          S dq = out.dq[first + 6 * c], dv = out.dv[first + 6 * c], dx = given[static_cast<int>(c)] ? row[c] : S(0);
          for (long k = 0; k < n; ++k) {
            if (given[static_cast<int>(k)]) continue;
            dq = dq + row[k] * found.dq[c * found.ld + k];
            dv = dv + row[k] * found.dv[c * found.ld + k];
            dx = dx + row[k] * found.dx[c * found.ld + k];
          }
          out.dq[first + 6 * c] = dq, out.dv[first + 6 * c] = dv, out.dx[first + 6 * c] = dx;
        }
      }
    }
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
