/// Values of SDF files, which are the texts of elements: `<mass>2.5</mass>`, `<pose>0 0 1 0 0 0</pose>`.
#pragma once

#include <string>
#include <vector>

#include "io/xml/element.h"
#include "verne/spatial/transform.h"

namespace verne {

/// A pose, and the name of the frame that it is given in ("" when the file does not say).
struct SdfPose {
  Transform<double> X = Transform<double>::identity();
  std::string relative_to;
  int line = 0;
};

/// The text of a child without the blanks around it; "" when there is none.
std::string sdf_text(const XmlElement& in, const char* child);
/// A finite number; `otherwise` without the child, or after a message.
double sdf_number(const XmlElement& in, const char* child, double otherwise);
/// As sdf_number(), but may be infinite.
double sdf_bound(const XmlElement& in, const char* child, double otherwise);
/// As many finite numbers as `otherwise` has.
std::vector<double> sdf_numbers(const XmlElement& element, std::vector<double> otherwise);
/// Three numbers of a child.
Vec3<double> sdf_vector(const XmlElement& in, const char* child, const Vec3<double>& otherwise);
/// true, false, 1 or 0.
bool sdf_flag(const XmlElement& in, const char* child, bool otherwise);
/// The child <pose>, with `degrees` and `rotation_format`; the identity without one. Versions before 1.7 say `frame`
/// for `relative_to`.
SdfPose sdf_pose(const XmlElement& in);

}  // namespace verne
