/// Maps of what is occupied, by the library that defines their files.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace verne::peers {

struct OctomapFile {
  std::string binary, full;                  ///< `.bt` and `.ot`
  std::vector<std::array<double, 4>> cells;  ///< that are occupied: their middles and edges
};

/// Points that were seen and points at which nothing was.
OctomapFile octomap_file(const std::vector<std::array<double, 3>>& occupied,
                         const std::vector<std::array<double, 3>>& free, double resolution);

}  // namespace verne::peers
