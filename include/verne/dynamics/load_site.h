/// Where an external load acts. Read by files built for several instruction sets: no standard library here.
#pragma once

namespace verne {

/// Where one load acts.
struct LoadSite {
  int site;         ///< a link or a named frame (Model::site)
  int world_point;  ///< 1: the point is given in world coordinates, 0: in coordinates of the site
};

}  // namespace verne
