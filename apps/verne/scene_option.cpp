#include "scene_option.h"

#include "input.h"
#include "io/convex_shapes.h"
#include "io/scene.h"
#include "output.h"

namespace verne::cli {

Collisions load_scene(const std::string& path, const Model& model, const Srdf& srdf,
                      const std::vector<std::string>& package_paths) {
  const Scene scene = read_scene(read_input(path), input_name(path));
  std::vector<Diagnostic> notes;
  std::vector<CollisionBody> bodies;
  for (LinkShape& shape : link_shapes(model, package_paths, notes)) {
    bodies.push_back({shape.link, "", std::move(shape.body), shape.X_LB});
  }
  for (const SceneShape& shape : scene.shapes) {
    bodies.push_back({-1, shape.object, convex_body(shape.shape), shape.shape.X_LV});
  }
  Collisions collisions(model, std::move(bodies), scene.margin, srdf.allowed);
  for (const auto& [a, b] : collisions.touching_always()) {
    notes.push_back({"", 0, "links '" + a + "' and '" + b + "' always touch: they are not kept apart"});
  }
  for (const Diagnostic& note : notes) complain(line_about(note, "note"));
  return collisions;
}

}  // namespace verne::cli
