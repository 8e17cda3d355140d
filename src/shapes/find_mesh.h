/// Where the file is that a model names as the mesh of a link.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"

namespace verne {

struct MeshSearch {
  std::string model_file;                    ///< as the user named it; "" or "-": the folder of now
  std::vector<std::string> package_paths{};  ///< folders that hold packages, before those of the environment
};

struct FoundMesh {
  std::string path;     ///< "" when there is none that may be read
  std::string problem;  ///< then why
};

/// `package://NAME/…` and `model://NAME/…`: in the folder NAME of a package path, of ROS_PACKAGE_PATH, in share/NAME of
/// AMENT_PREFIX_PATH, of GZ_SIM_RESOURCE_PATH, SDF_PATH or GAZEBO_MODEL_PATH, or in the nearest folder of that name
/// around the model file, in its folder or beside that. Others are relative to the model
/// file's folder, or whole (`file:///…`), and lie in the model's package: the nearest folder around the model file that
/// holds `package.xml`, without one the folder two above the file's; or in one of the package paths.
VERNE_API FoundMesh find_mesh(const std::string& name, const MeshSearch& search);
/// In the same places a model that another file includes: its file, or the folder that holds it (`model://NAME`).
VERNE_API FoundMesh find_model(const std::string& name, const MeshSearch& search);

}  // namespace verne
