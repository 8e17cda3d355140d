#include "codegen/traced_model.h"

#include <algorithm>
#include <cmath>

namespace verne::codegen {

namespace {

/// What is left where numbers cancel, relative to the largest of them: the rounding of a file and of a few products.
constexpr double kRest = 4e-15;

/// Cosines of right angles are not quite zero, and sines not quite one.
double clean_cosine(double x) {
  if (std::abs(x) < kRest) return 0;
  return std::abs(std::abs(x) - 1) < kRest ? std::copysign(1.0, x) : x;
}

double largest(double so_far, double x) {
  return std::max(so_far, std::abs(x));
}

void clean_geometry(std::vector<TreeBody>& bodies) {
  double length = 0;
  for (const TreeBody& b : bodies) {
    for (const double x : b.p) length = largest(length, x);
  }
  for (TreeBody& b : bodies) {
    for (double& x : b.R) x = clean_cosine(x);
    for (double& x : b.p) x = std::abs(x) <= kRest * length ? 0 : x;
  }
}

template <class Visit>
void for_each_entry(RigidInertia<double>& in, Visit&& visit) {
  visit(in.mass, 0, "M", "kg");
  visit(in.mc.x, 1, "MX", "kg m");
  visit(in.mc.y, 1, "MY", "kg m");
  visit(in.mc.z, 1, "MZ", "kg m");
  visit(in.I.xx, 2, "XX", "kg m^2");
  visit(in.I.xy, 2, "XY", "kg m^2");
  visit(in.I.xz, 2, "XZ", "kg m^2");
  visit(in.I.yy, 2, "YY", "kg m^2");
  visit(in.I.yz, 2, "YZ", "kg m^2");
  visit(in.I.zz, 2, "ZZ", "kg m^2");
}

/// Moving parts from body to body leaves rests of the size of the largest parts that ever met there.
void clean_inertias(TreeParameters& parameters, double (&sizes)[3]) {
  for (RigidInertia<double>& in : parameters.bodies) {
    for_each_entry(in, [&](double& x, int kind, const char*, const char*) {
      if (std::abs(x) <= kRest * sizes[kind]) x = 0;
    });
  }
}

}  // namespace

TracedModel::TracedModel(const Tree& source, const ParameterOptions& options)
    : bodies(source.bodies, source.bodies + source.body_count), tree(source) {
  clean_geometry(bodies);
  tree.bodies = bodies.data();
  TreeParameters parameters = parameters_of(tree);
  double sizes[3] = {0, 0, 0};
  for (RigidInertia<double>& in : parameters.bodies) {
    for_each_entry(in, [&](double& x, int kind, const char*, const char*) { sizes[kind] = largest(sizes[kind], x); });
  }
  if (options.grouped) group(tree, MassOf::every_body, parameters);
  clean_inertias(parameters, sizes);

  const auto traced = [&](double x, const std::string& name, const char* unit) {
    if (!options.symbolic || x == 0) return Traced(x);
    symbols.push_back({name, unit, x});
    return Traced(Tracing::graph().input(kParameters, static_cast<int>(symbols.size()) - 1));
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::vector<Traced> entries;
    for_each_entry(parameters.bodies[i], [&](double& x, int, const char* name, const char* unit) {
      entries.push_back(traced(x, name + std::to_string(i + 1), unit));
    });
    inertias.push_back({entries[0],
                        {entries[1], entries[2], entries[3]},
                        {entries[4], entries[5], entries[6], entries[7], entries[8], entries[9]}});
  }
  for (int k = 0; k < tree.nv; ++k) {
    const std::string number = std::to_string(k + 1);
    rotors.push_back(traced(parameters.rotors[static_cast<std::size_t>(k)], "IA" + number, "kg m^2 or kg"));
    coulomb.push_back(traced(tree.coulomb[k], "FS" + number, "N m or N"));
    viscous.push_back(traced(tree.viscous[k], "FV" + number, "N m s/rad or N s/m"));
  }
}

}  // namespace verne::codegen
