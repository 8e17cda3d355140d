// In place of the generated page when it is not built (VERNE_WEB=OFF).
#include "report/page.h"

namespace verne {

const std::string_view kPageTemplate;

}  // namespace verne
