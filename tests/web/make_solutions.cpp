/// Writes the folders that the browser tests show: make_solutions MODELS DIR
#include <cstdio>
#include <filesystem>
#include <string>

#include "report/made_up_solution.h"
#include "support/mesh_files.h"
#include "verne/io/file.h"
#include "verne/io/model_io.h"
#include "verne/report/meshes.h"

namespace {

using verne::test::made_up_solution;
using verne::test::MadeUpMotion;

void write(const std::filesystem::path& folder, const verne::Model& model, const MadeUpMotion& motion) {
  std::filesystem::create_directories(folder);
  verne::write_text_file((folder / "solution.json").string(), made_up_solution(model, motion));
}

/// A model whose names would be markup if somebody forgot to escape them, without shapes.
verne::Model hostile(const std::string& path) {
  verne::ModelSpec spec = verne::load_spec(path);
  spec.name = "<img src=x onerror=document.title='owned'>";
  for (verne::LinkSpec& link : spec.links) {
    const std::string evil = "<script>document.title='owned'</script>" + link.name;
    for (verne::LinkSpec& other : spec.links) {
      if (other.parent == link.name) other.parent = evil;
    }
    for (verne::FrameSpec& frame : spec.frames) {
      if (frame.link == link.name) frame.link = evil;
    }
    link.name = evil;
    link.joint.name = "</script><b>" + link.joint.name;
    link.visuals.clear();
  }
  return verne::build_model(spec);
}

/// The last link has a mesh in place of its shapes.
verne::Model with_mesh(const std::string& path) {
  verne::ModelSpec spec = verne::load_spec(path);
  verne::VisualSpec mesh;
  mesh.shape = verne::VisualSpec::Shape::mesh, mesh.mesh = "hand.stl", mesh.size = {1, 1, 1};
  spec.links.back().visuals = {mesh};
  spec.links.back().collisions = {mesh};
  return verne::build_model(spec);
}

/// The mesh that with_mesh() names, a plate along the link, and what the page needs of it.
void write_meshes(const std::filesystem::path& folder, const verne::Model& model) {
  verne::ModelSpec spec = model.spec();
  spec.file = (folder / "model.yaml").string();
  const verne::test::Triangles plate{{{-0.4F, -0.03F, 0}, {0, -0.03F, 0}, {0, 0.03F, 0}, {-0.4F, 0.03F, 0}},
                                     {{0, 1, 2}, {0, 2, 3}}};
  verne::write_text_file((folder / "hand.stl").string(), verne::test::stl_bytes(plate));
  std::vector<verne::Diagnostic> notes;
  verne::write_text_file((folder / "meshes.json").string(), verne::meshes_json(verne::build_model(spec), {}, notes));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: %s MODELS DIR\n", argv[0]), 2;
  const std::string models = argv[1];
  const std::filesystem::path out = argv[2];
  const verne::Model arm = verne::load_model(models + "/two_link.yaml");
  write(out / "two_link", arm, {.task = "reach", .gap = true});
  write(out / "slower", arm, {.frames = 150, .duration = 1.5, .amplitude = 0.8, .task = "reach_slower"});
  write(out / "mesh", with_mesh(models + "/two_link.yaml"), {.task = "reach"});
  write(out / "meshed", with_mesh(models + "/two_link.yaml"), {.task = "reach"});
  write_meshes(out / "meshed", with_mesh(models + "/two_link.yaml"));
  write(out / "human", verne::load_model(models + "/human55.yaml"), {.duration = 1.1, .task = "walk"});
  write(out / "hostile", hostile(models + "/two_link.yaml"), {.task = "<i>task</i>", .status = "failed"});
  for (int i = 0; i < 4; ++i) {
    write(out / "front" / ("0" + std::to_string(i)), arm, {.frames = 60, .duration = 1 + 0.1 * i, .task = "sweep"});
  }
  verne::write_text_file((out / "front" / "front.json").string(), verne::test::made_up_front(4));
}
