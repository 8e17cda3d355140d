#include <assimp/MemoryIOWrapper.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/version.h>

#include <algorithm>
#include <array>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <stdexcept>

#include "shapes/image_colour.h"
#include "shapes/read_mesh.h"

namespace verne {

namespace {

constexpr std::size_t kMostTriangles = 10'000'000;
constexpr int kDeepestNode = 1000;

/// Files in memory, and no others.
class MemoryFiles : public Assimp::IOSystem {
 public:
  explicit MemoryFiles(const MeshFiles& files) : files_(files) {}

  bool Exists(const char* name) const override { return find(name) != nullptr; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    const std::string* text = mode[0] == 'r' ? find(name) : nullptr;
    if (!text) return nullptr;
    return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(text->data()), text->size());
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  const std::string* find(const char* name) const {
    const auto found = files_.contents.find(std::filesystem::path(name).lexically_normal().string());
    return found == files_.contents.end() ? nullptr : &found->second;
  }

  const MeshFiles& files_;
};

bool reads_any_of(const aiImporterDesc& description, const std::array<const char*, 5>& endings) {
  const std::string all = std::string(" ") + description.mFileExtensions + " ";
  return std::ranges::any_of(endings,
                             [&](const char* e) { return all.find(std::string(" ") + e + " ") != std::string::npos; });
}

void keep_four_formats(Assimp::Importer& importer) {
  for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
    if (!reads_any_of(*importer.GetImporterInfo(i), {"stl", "obj", "dae", "gltf", "glb"})) {
      importer.UnregisterLoader(importer.GetImporter(i));
    }
  }
}

/// The mean colour of a material's picture, in the file or beside it.
std::optional<Vec3<double>> texture_colour(const aiScene& scene, const aiMaterial& material, const MeshFiles& files) {
  aiString name;
  if (material.GetTexture(aiTextureType_DIFFUSE, 0, &name) != aiReturn_SUCCESS) return std::nullopt;
  if (const aiTexture* const own = scene.GetEmbeddedTexture(name.C_Str())) {
    if (own->mHeight != 0) return std::nullopt;  // pixels, which no reader of these formats makes
    return mean_colour(std::string(reinterpret_cast<const char*>(own->pcData), own->mWidth));
  }
  const auto found = files.contents.find(std::filesystem::path(name.C_Str()).lexically_normal().string());
  return found == files.contents.end() ? std::nullopt : mean_colour(found->second);
}

/// What the file says of a surface; parsers make up a material where it says nothing.
std::optional<Vec3<double>> colour_of(const aiScene& scene, const aiMaterial& material, const MeshFiles& files) {
  aiString name;
  if (material.Get(AI_MATKEY_NAME, name) != aiReturn_SUCCESS || name == aiString(AI_DEFAULT_MATERIAL_NAME)) {
    return std::nullopt;
  }
  const auto clamped = [](float x) { return std::isfinite(x) ? std::clamp<double>(x, 0, 1) : 0.5; };
  aiColor4D factor;  // of glTF: other formats have either a picture or a colour
  const bool multiplies = material.Get(AI_MATKEY_BASE_COLOR, factor) == aiReturn_SUCCESS;
  if (const auto mean = texture_colour(scene, material, files)) {
    if (!multiplies) return mean;
    return Vec3<double>{mean->x * clamped(factor.r), mean->y * clamped(factor.g), mean->z * clamped(factor.b)};
  }
  aiColor4D c;
  if (material.Get(AI_MATKEY_COLOR_DIFFUSE, c) != aiReturn_SUCCESS) return std::nullopt;
  return Vec3<double>{clamped(c.r), clamped(c.g), clamped(c.b)};
}

/// Triangles of one colour, with vertices of all.
class Gathering {
 public:
  Gathering(const aiScene& scene, const MeshFiles& files) : scene_(scene) {
    for (unsigned i = 0; i < scene.mNumMaterials; ++i) {
      colours_.push_back(colour_of(scene, *scene.mMaterials[i], files));
    }
  }

  void add(const aiNode& node, const aiMatrix4x4& outer, int depth) {
    if (depth > kDeepestNode) throw std::runtime_error("is nested too deeply");
    const aiMatrix4x4 X = outer * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) add(*scene_.mMeshes[node.mMeshes[i]], X);
    for (unsigned i = 0; i < node.mNumChildren; ++i) add(*node.mChildren[i], X, depth + 1);
  }

  Mesh all() && {
    for (auto& [colour, triangles] : by_colour_) {
      const bool known = colour[0] >= 0;
      mesh_.parts.push_back(
          {known ? std::optional(Vec3<double>{colour[0], colour[1], colour[2]}) : std::nullopt, triangles.size() / 3});
      mesh_.triangles.insert(mesh_.triangles.end(), triangles.begin(), triangles.end());
    }
    return std::move(mesh_);
  }

 private:
  void add(const aiMesh& mesh, const aiMatrix4x4& X) {
    const auto colour = mesh.mMaterialIndex < colours_.size() ? colours_[mesh.mMaterialIndex] : std::nullopt;
    auto& triangles = by_colour_[colour ? std::array{colour->x, colour->y, colour->z} : std::array{-1.0, -1.0, -1.0}];
    const std::size_t first = mesh_.vertex_count();
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D p = X * mesh.mVertices[i];
      mesh_.positions.insert(mesh_.positions.end(), {p.x, p.y, p.z});
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 3) continue;  // points and lines
      if (++count_ > kMostTriangles) throw std::runtime_error("has more than ten million triangles");
      for (unsigned k = 0; k < 3; ++k) {
        if (face.mIndices[k] >= mesh.mNumVertices) throw std::runtime_error("names a vertex that it has not");
        triangles.push_back(static_cast<std::uint32_t>(first + face.mIndices[k]));
      }
    }
  }

  const aiScene& scene_;
  std::vector<std::optional<Vec3<double>>> colours_;  // of materials
  Mesh mesh_;
  std::map<std::array<double, 3>, std::vector<std::uint32_t>> by_colour_;
  std::size_t count_ = 0;
};

}  // namespace

Mesh import_mesh(const MeshFiles& files) {
  Assimp::Importer importer;
  keep_four_formats(importer);
  importer.SetIOHandler(new MemoryFiles(files));
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* const scene = importer.ReadFile(files.name, aiProcess_Triangulate);
  if (!scene || !scene->mRootNode) throw std::runtime_error(importer.GetErrorString());
  Gathering gathering(*scene, files);
  gathering.add(*scene->mRootNode, aiMatrix4x4(), 0);
  Mesh mesh = std::move(gathering).all();
  if (mesh.triangles.empty()) throw std::runtime_error("it has no triangles");
  return mesh;
}

void load_mesh_reader() {
  aiGetVersionMajor();
  load_picture_readers();
}

}  // namespace verne
