/// Contacts for tests.
#pragma once

#include "structures/contacts.h"
#include "structures/mechanism_support.h"
#include "support/derivatives.h"

namespace verne::test {

/// Components of the motion of its frame that a contact holds.
inline int held_components(ContactType type) {
  return type == ContactType::point ? 3 : type == ContactType::line ? 5 : 6;
}

/// A chain on a free base with contacts of all types, seven joints from one to the next: all are independent.
inline ModelSpec chain_in_contact(std::mt19937_64& rng, bool coupled) {
  using T = JointType;
  ModelSpec spec = random_tree(rng, 21,
                               {.kinds = {T::revolute, T::prismatic, T::helical, T::universal, T::cylindrical},
                                .root = T::free,
                                .chain = true,
                                .coupled_joints = coupled,
                                .friction = true});
  spec.links[0].joint.actuated = false;
  spec.contacts.clear();
  for (const ContactType type : {ContactType::point, ContactType::line, ContactType::rigid}) {
    const std::string& link = spec.links[7 * (spec.contacts.size() + 1)].name;
    spec.contacts.push_back({to_string(type), link, random_vector(rng, 0.3), 0, type, random_rotation(rng)});
  }
  return spec;
}

}  // namespace verne::test
