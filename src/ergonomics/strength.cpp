#include "ergonomics/strength.h"

#include <cstring>

namespace verne {

namespace {

constexpr int kMeasured = 6;  // men of three ages, then women

struct JointStrength {
  const char* joint;
  bool flexion;
  StrengthShape shapes[kMeasured];
};

constexpr JointStrength kStrengths[] = {
    {"hip_flexion",
     true,
     {{0.738, -0.214, 2.095, 4.267, 0.218},
      {0.712, -0.192, 2.038, 4.145, 0.206},
      {0.762, -0.269, 1.875, 3.819, 0.296},
      {0.65, -0.35, 2.136, 4.349, 0.156},
      {0.812, -0.196, 2.145, 4.366, 0.186},
      {0.625, -0.422, 2.084, 4.245, 0.196}}},
    {"hip_flexion",
     false,
     {{0.958, 0.932, 1.578, 3.19, 0.242},
      {0.922, 1.176, 1.601, 3.236, 0.32},
      {0.896, 1.125, 1.561, 3.152, 0.477},
      {0.697, 1.242, 1.567, 3.164, 0.164},
      {0.83, 1.241, 1.444, 2.919, 0.317},
      {0.707, 1.542, 1.613, 3.256, 0.36}}},
    {"knee_flexion",
     true,
     {{0.869, 0.522, 2.008, 5.233, 0.304},
      {0.986, 0.523, 1.83, 4.777, 0.23},
      {0.838, 0.437, 1.718, 4.476, 0.414},
      {0.873, 0.635, 1.698, 4.412, 0.175},
      {0.967, 0.402, 1.693, 4.41, 0.349},
      {0.897, 0.445, 1.121, 2.922, 0.389}}},
    {"knee_flexion",
     false,
     {{1.258, 1.133, 1.517, 3.952, 0.095},
      {1.225, 1.173, 1.518, 3.954, 0.266},
      {1.31, 1.067, 1.141, 3.152, 0.386},
      {1.187, 1.274, 1.393, 3.623, 0.173},
      {1.286, 1.141, 1.332, 3.469, 0.233},
      {1.347, 1.14, 1.066, 2.855, 0.464}}},
    {"ankle_dorsiflexion",
     true,
     {{1.51, -0.187, 0.699, 1.94, 0.828},
      {1.293, -0.284, 0.634, 1.759, 0.999},
      {1.419, -0.174, 0.561, 1.558, 1.198},
      {1.079, -0.302, 0.864, 2.399, 0.771},
      {1.308, -0.254, 0.596, 1.654, 1.006},
      {1.096, -0.369, 0.458, 1.242, 1.401}}},
    {"ankle_dorsiflexion",
     false,
     {{1.391, 0.408, 0.987, 3.558, 0.295},
      {1.444, 0.551, 0.593, 2.128, 0.35},
      {1.465, 0.498, 0.49, 1.767, 0.571},
      {1.399, 0.424, 0.862, 3.109, 0.189},
      {1.504, 0.381, 0.86, 3.126, 0.349},
      {1.299, 0.58, 0.587, 1.819, 0.348}}},
};

}  // namespace

const StrengthShape* strength_shape(const char* joint, bool flexion, const StrengthGroup& group) {
  for (const JointStrength& strength : kStrengths) {
    const std::size_t length = std::strlen(strength.joint);
    if (strength.flexion != flexion || std::strncmp(joint, strength.joint, length) != 0) continue;
    return &strength.shapes[group.age + (group.female ? kMeasured / 2 : 0)];
  }
  return nullptr;
}

}  // namespace verne
