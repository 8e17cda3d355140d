#include "motion/terms/swing_together.h"

#include "motion/terms/task_terms.h"

namespace verne {

namespace {

constexpr LimitKind kSwingTogether{.name = "swing_together", .of_posture = true};

}  // namespace

void add_swings(const Task& task, ChannelLayout& channels, LimitTerms& terms) {
  for (const SwingTogetherSpec& swing : task.swing_together) {
    std::vector<int> inputs;
    for (const int site : {swing.first.end, swing.first.start, swing.second.end, swing.second.start}) {
      const int first = channels.point(site, {0, 0, 0});
      for (int k = 0; k < 3; ++k) inputs.push_back(first + k);
    }
    const auto name = [&](int site) { return std::string(task.model.site_name(site)); };
    terms.push_back(std::make_unique<SwingTogether>(
        LimitName{kSwingTogether, name(swing.first.end) + " with " + name(swing.second.end), "m"}, std::move(inputs),
        swing.along, swing.slack));
  }
}

}  // namespace verne
