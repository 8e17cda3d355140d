/// A model in the terms of a document, or the reason why it cannot be put in them.
#pragma once

#include <optional>
#include <string>

namespace verne::formulations {

template <class Description>
struct Expressed {
  std::optional<Description> description;
  std::string reason;  ///< when there is no description

  explicit operator bool() const { return description.has_value(); }
  const Description& operator*() const { return *description; }
  const Description* operator->() const { return &*description; }
};

}  // namespace verne::formulations
