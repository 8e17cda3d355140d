/// Bodies that loops tie together, as aggregate joints of a tree (docs/theory/loops.md, section 10): numbers and
/// places, decided once. Included by files for every instruction set: no standard library here.
#pragma once

namespace verne {

/// Bodies between which loops close; a body that no loop moves is one by itself. All hang on one body, −1: the world.
struct LoopCluster {
  int parent;
  int first_body, body_count;    ///< in `bodies`
  int first_free, free_count;    ///< in `free`
  int first_step, step_count;    ///< in `steps`
  int first_loop, loop_count;    ///< in `loops`
  int first_spare, spare_count;  ///< in `spares`
};

/// An equation that repeats others, as its loop has it.
struct SpareRow {
  int part[2], axis[2];
  double coefficient[2];
  int loop;  ///< among all loops
};

struct ClusterPlan {
  int body_count, nv, count, loop_count, site_count;
  bool local;                   ///< whether there are several with loops, or bodies that no loop moves
  const LoopCluster* clusters;  ///< each after that of its parent
  const int* bodies;            ///< from the root outwards
  const int* free;              ///< independent coordinates
  const int* steps;             ///< of the elimination
  const int* loops;
  const SpareRow* spares;
  int most_spares;        ///< of a cluster
  double moment_weight;   ///< of the square of a moment beside that of a force
  const int* cluster_of;  ///< for each body
  const int* step_of;     ///< for each velocity the step that eliminates it, −1: independent
  const int* G_row;       ///< for each velocity where its row of G begins, as long as its cluster has coordinates
  int G_size;
  const int* first_D;  ///< for each cluster where its square matrix begins
  int D_size;
  const int* sites;  ///< links that loops hang on
};

/// Values of memory that the kernels may use, for `value_count` entries of J in `rank` rows and `free` coordinates.
inline long cluster_memory(const ClusterPlan& plan, int value_count, int rank, int free) {
  const long spares = plan.most_spares;
  return 60L * plan.body_count + 14L * plan.nv + value_count + 2L * rank + 2L * plan.G_size + plan.D_size + 14L * free +
         3L * plan.count + 12L * plan.site_count + (6 * (spares + 1) * plan.loop_count) + rank * (spares + 1) +
         spares * (spares + 2) + 64;
}

}  // namespace verne
