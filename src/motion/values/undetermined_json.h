/// Which components of wrenches nothing tells, as JSON.
#pragma once

#include <cstddef>

#include "verne/io/json_writer.h"

namespace verne {

/// By name, the components of wrenches that motion and torques do not tell; determined(k, i) says it of component i.
template <class Name, class Determined>
void append_undetermined(JsonWriter& json, const char* key, std::size_t count, const Name& name,
                         const Determined& determined) {
  static constexpr const char* kComponents[] = {"fx", "fy", "fz", "mx", "my", "mz"};
  json.key(key).begin_object();
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t known = 0;
    for (std::size_t i = 0; i < 6; ++i) known += determined(k, i) ? 1 : 0;
    if (known == 6) continue;
    json.key(name(k)).begin_array();
    for (std::size_t i = 0; i < 6; ++i) {
      if (!determined(k, i)) json.value(kComponents[i]);
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace verne
