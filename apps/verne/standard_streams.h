/// Standard input, output and error, as the program was given them.
#pragma once

namespace verne::cli {

/// Opens those that were given closed, so that no file of ours takes their numbers: reading or writing them fails.
/// The first thing that the program does.
void open_missing_streams();

}  // namespace verne::cli
