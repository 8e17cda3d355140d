/// The page of what a user names: the report of a folder or solution file, or a model.
#pragma once

#include <memory>

#include "errand.h"
#include "model_option.h"
#include "verne/report/live.h"

namespace verne::cli {

/// The page of a folder that `verne predict` or `simulate` wrote, of a solution file, or of a model.
class ShownPage {
 public:
  ShownPage(const ModelOption& what, const MeshOptions& meshes);

  /// To be served, as often as wanted.
  ServedPage served() const;
  const std::string& html() const { return html_; }

 private:
  std::unique_ptr<LiveModel> live_;  ///< of a model
  std::string html_;
};

}  // namespace verne::cli
