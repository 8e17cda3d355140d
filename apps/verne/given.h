/// `verne eval --given`: motions of which some joints' accelerations are given and the torques of the others.
#pragma once

#include <string>
#include <vector>

#include "verne/structures/system.h"
#include "wants.h"

namespace verne::cli {

/// From `acceleration=JOINT,JOINT,...`. Throws InputError with every joint that cannot be given.
GivenAccelerations parse_given(const std::string& text, const Model& model);

/// Throws InputError with every joint whose acceleration lines about a mechanism cannot give, or whose torque they
/// cannot tell, and with what is not known of motions that are given in part.
void require_given(const Mechanism& mechanism, const GivenAccelerations& given, const std::vector<Want>& wants);

}  // namespace verne::cli
