/// The inertia of a link, however it is written down.
#pragma once

#include "verne/model/spec.h"
#include "verne/spatial/inertia.h"

namespace verne {

/// About the origin of the link frame and in its axes.
inline RigidInertia<double> inertia_of(const LinkSpec& link) {
  if (link.first_moment) return {link.mass, *link.first_moment, link.inertia};
  return inertia_from_com(link.mass, link.com, link.inertia);
}

}  // namespace verne
