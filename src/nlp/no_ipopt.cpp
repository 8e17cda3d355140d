// In place of ipopt_*.cpp where Verne is built without Ipopt (VERNE_IPOPT=OFF), as the wheel for Python is.
#include "nlp/methods.h"
#include "verne/base/error.h"

namespace verne::nlp {

bool has_ipopt() {
  return false;
}

Attempt run_ipopt(Problem& /*problem*/, const Options& /*options*/, Point /*start*/, bool /*warm*/) {
  throw EnvironmentError(
      "this build of Verne has no Ipopt: leave out 'method: ipopt' and 'hessian: limited-memory' under 'solver', or "
      "build Verne with -DVERNE_IPOPT=ON");
}

}  // namespace verne::nlp
