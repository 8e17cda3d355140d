/// The memory of a batch of mechanisms, and how its states are computed one by one.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "dynamics/batch_runner.h"
#include "structures/contact_parts.h"
#include "structures/elimination.h"
#include "structures/mechanism_batch.h"

namespace verne {

struct MechanismBatch::Parts {
  Parts(const Mechanism& of, const Batch& batch)
      : mechanism(of), elimination(of.contents()), kernels(closing_kernels(batch.instruction_set())) {}

  /// Memory of one thread: what the tree's kernels write of the sites of a block, and scratch for ours.
  struct Room {
    double *M, *torques, *poses, *J, *drifts, *scratch;
    ClosingTerms terms() const { return {M, torques, poses, J, drifts}; }
  };
  Room room(int worker, std::size_t site_count);
  /// The loads that were given into the memory of a worker, and what follows them there.
  double* put_given_loads(int worker, const Inputs<double>& in);
  /// Wrenches of a block's joints under all loads in the memory of a worker.
  void put_joint_wrenches(const BatchRunner& run, MechanismBatch& batch, int block, int worker, Inputs<double> in,
                          double* scratch);
  /// Whether loops are local, so that articulated clusters are quicker; values of scratch memory for either way.
  bool by_clusters() const;
  long scratch_of_loops() const;
  void make_room(int workers, std::size_t site_count, long scratch);

  /// Memory of one thread for states that are computed one by one, and the state.
  struct Single {
    explicit Single(const Mechanism& mechanism);
    void load(const BatchRunner& run, const MechanismBatch& batch, int state);
    MechanismData<double>& closed() { return held.parts().closed; }

    ContactData held;
    /// Null where all weights are 1.
    const Values* weighing() const { return weights.size() > 0 ? &weights : nullptr; }

    Eigen::VectorXd q, v, a, tree_tau, tau;
    Values weights;
    Loads<double> loads;
    Matrix6X<double> loops, joints;  ///< wrenches
  };

  Mechanism mechanism;
  Elimination elimination;
  const ClosingTable& kernels;
  int lanes = 1;
  std::vector<LaneArray> memory;
  std::vector<std::unique_ptr<Single>> single_memory;  ///< of each thread that had to do with one
  LaneArray quality;
  std::vector<LaneArray> load_memory;  ///< of each thread: loads, those of loops or contacts among them; a quality
  std::vector<LoadSite> load_sites;
  int singles = 0;
  std::size_t first_number = 0;  ///< of the first state, in messages
};

/// M, torques (bias, with loads) and the sites of a block, as forward dynamics needs them.
void put_terms(const BatchRunner& run, int block, std::span<const int> sites, int nv,
               const MechanismBatch::Parts::Room& at, double* scratch);

/// compute(state k, its memory) for each state, or for those whose quality is below one, split among the threads as
/// blocks are. Throws the InputError of the first state that has one, with its number unless it is the only one.
template <class F>
void compute_singles(const BatchRunner& run, MechanismBatch& batch, bool all, F&& compute) {
  MechanismBatch::Parts& s = batch.parts();
  struct Share {
    int done = 0, refused = -1;
    std::vector<Diagnostic> problems;
  };
  std::vector<Share> shares(static_cast<std::size_t>(run.workers()));
  s.single_memory.resize(shares.size());
  const int lanes = batch.tree.lanes(), count = batch.tree.count();
  const LaneArray& quality = s.quality;
  run.for_each_block_of_workers([&](int block, double*, int worker) {
    Share& own = shares[static_cast<std::size_t>(worker)];
    auto& memory = s.single_memory[static_cast<std::size_t>(worker)];
    for (int k = block * lanes; k < std::min((block + 1) * lanes, count) && own.refused < 0; ++k) {
      if (!all && quality(0, k) >= 1) continue;
      if (!memory) memory = std::make_unique<MechanismBatch::Parts::Single>(s.mechanism);
      memory->load(run, batch, k);
      try {
        compute(k, *memory);
        ++own.done;
      } catch (const InputError& error) {
        own.refused = k, own.problems = error.problems();
      }
    }
  });
  s.singles = 0;
  for (Share& share : shares) {
    const std::size_t number = s.first_number + static_cast<std::size_t>(std::max(share.refused, 0));
    for (Diagnostic& problem : share.problems) {
      if (count > 1) problem.text = "state " + std::to_string(number) + ": " + problem.text;
    }
    if (share.refused >= 0) throw InputError(std::move(share.problems));
    s.singles += share.done;
  }
}

/// Throws std::invalid_argument unless each is a contact of the model.
void require_contacts(const Model& model, std::span<const int> contacts);

}  // namespace verne
