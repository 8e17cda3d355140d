#include "io/parse_json.h"

#include <algorithm>

#include "verne/base/error.h"

namespace verne {

nlohmann::json parse_json(const std::string& text, const std::string& file) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    throw InputError(
        {Diagnostic{file, static_cast<int>(line), "not JSON (or cut off) at byte " + std::to_string(error.byte)}});
  } catch (const nlohmann::json::out_of_range&) {
    throw InputError({Diagnostic{file, 0, "a number is too large"}});
  }
}

}  // namespace verne
