#include "peers/octomap_file.h"

#include <octomap/octomap.h>

#include <sstream>

namespace verne::peers {

OctomapFile octomap_file(const std::vector<std::array<double, 3>>& occupied,
                         const std::vector<std::array<double, 3>>& free, double resolution) {
  octomap::OcTree tree(resolution);
  for (const auto& p : free) tree.updateNode(p[0], p[1], p[2], false);
  for (const auto& p : occupied) {
    for (int k = 0; k < 3; ++k) tree.updateNode(p[0], p[1], p[2], true);
  }
  tree.updateInnerOccupancy();
  tree.toMaxLikelihood();
  tree.prune();
  OctomapFile file;
  for (auto leaf = tree.begin_leafs(); leaf != tree.end_leafs(); ++leaf) {
    if (tree.isNodeOccupied(*leaf)) file.cells.push_back({leaf.getX(), leaf.getY(), leaf.getZ(), leaf.getSize()});
  }
  std::ostringstream full, binary;
  tree.write(full);
  tree.writeBinaryConst(binary);
  file.full = full.str(), file.binary = binary.str();
  return file;
}

}  // namespace verne::peers
