#include <cmath>

#include "motion/terms/costs/cost_type.h"
#include "motion/terms/squared_rate.h"

namespace verne {

extern const CostType kGroundRateCost{
    .name = "ground_rate",
    .integrand =
        "Σ \\|Ḟ\\|²/G², how fast the forces of the ground on its supports change, in weights G of the model; with "
        "`forces: variables`, else there is none",
    .read = [](const CostReading& from, CostSpec& cost) { cost.scale.assign(from.joints.count(), 0); },
    .add =
        [](const Task& task, const CostSpec&, ChannelLayout& channels, CostTerms& terms) {
          const ContactCurve& contacts = channels.ground().contacts();
          const Vec3<double> g = task.model.gravity();
          const double weight = task.model.mass() * std::sqrt(dot(g, g));
          for (int i = 0; i < channels.ground().supports() && contacts.contacts() > 0; ++i) {
            std::vector<int> inputs;
            std::vector<double> factors[3];
            for (int k = 0; k < contacts.components(); ++k) {
              if (contacts.support(k / ContactCurve::kEdges) != i) continue;
              const Vec3<double> part = contacts.edge(k) * (1 / weight);
              inputs.push_back(channels.contact(k));
              factors[0].push_back(part.x), factors[1].push_back(part.y), factors[2].push_back(part.z);
            }
            for (std::vector<double>& of_axis : factors) {
              terms.push_back(std::make_unique<SquaredRate>(inputs, std::move(of_axis)));
            }
          }
        },
};

}  // namespace verne
