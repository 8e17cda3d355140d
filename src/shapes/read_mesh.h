/// Meshes from files: STL, OBJ, Collada, glTF.
#pragma once

#include <map>
#include <string>

#include "shapes/mesh.h"

namespace verne {

/// A file's name and contents, and those of the files beside it that it names: a reader needs nothing else.
struct MeshFiles {
  std::string name;
  std::map<std::string, std::string> contents;
};

/// Reads a mesh file; its lengths are metres and its axes as written: `unit` of Collada counts, `up_axis` does not, as
/// in rviz; glTF stays with y up. It is parsed by a child process, whose results are kept in the user's cache. Throws
/// InputError that says what is wrong.
VERNE_API Mesh read_mesh(const std::string& path);

/// The same without a child and without the cache: crashes where the parser does. Throws std::runtime_error.
Mesh import_mesh(const MeshFiles& files);

/// Loads what import_mesh() needs: a child process opens no files.
void load_mesh_reader();

}  // namespace verne
