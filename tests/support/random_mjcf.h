/// Random files of MuJoCo's format, with everything that the reader claims to read as MuJoCo does.
#pragma once

#include <random>
#include <string>

namespace verne::test {

struct RandomMjcf {
  std::string text;      ///< the file
  std::string attached;  ///< the file `attached.xml` beside it; "" when it attaches none
  /// The same for MuJoCo 2.2, which knows no frames, copies and attached models: these are written out.
  std::string flat;
  bool limits = true, friction = true;  ///< not switched off
};

/// `newer`: with frames, copies and attached models.
RandomMjcf random_mjcf(std::mt19937_64& rng, bool newer);

}  // namespace verne::test
