/// Errors in the four documents: each printed equation is wrong and each correction right, and docs/errata.md names
/// all.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "reproduce/erratum.h"
#include "support/paths.h"

namespace verne::test {
namespace {

std::vector<reproduce::Erratum> all_errata() {
  std::vector<reproduce::Erratum> all;
  for (auto* const errata :
       {&reproduce::barman_errata, &reproduce::khalil_errata, &reproduce::nasser_errata, &reproduce::lie_errata}) {
    for (reproduce::Erratum& erratum : errata()) all.push_back(std::move(erratum));
  }
  return all;
}

TEST(Errata, AreProven) {
  for (const reproduce::Erratum& erratum : all_errata()) {
    EXPECT_LE(erratum.proof.corrected, reproduce::kCorrected) << erratum.name;
    if (!erratum.proof.printed) continue;
    EXPECT_GE(*erratum.proof.printed, reproduce::kClearlyWrong) << erratum.name << ": what is printed agrees";
  }
}

TEST(Errata, AProofCanFail) {
  reproduce::Proof right_as_printed, wrong_as_corrected;
  right_as_printed.add(1.0, 1.0, 1.0);
  EXPECT_FALSE((reproduce::Erratum{"", "", right_as_printed}.proven()));
  wrong_as_corrected.add(2.0, 1.0 + 1e-9, 1.0);
  EXPECT_FALSE((reproduce::Erratum{"", "", wrong_as_corrected}.proven()));
}

/// What stands between backticks.
std::vector<std::string> between_backticks(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream parts(line);
  bool inside = false;
  for (std::string part; std::getline(parts, part, '`'); inside = !inside) {
    if (inside) words.push_back(part);
  }
  return words;
}

TEST(Errata, AreThoseOfThePage) {
  std::set<std::string> proofs, named;
  for (const reproduce::Erratum& erratum : all_errata()) proofs.insert(erratum.name);
  std::ifstream page(source_dir() + "/docs/errata.md");
  const std::string heading = "proof `", dots = "…`";
  std::string prefix;
  for (std::string line; std::getline(page, line);) {
    if (const std::size_t at = line.find(heading), end = line.find(dots); at != std::string::npos) {
      prefix = line.substr(at + heading.size(), end - at - heading.size());
      continue;
    }
    for (const std::string& word : between_backticks(line)) {
      if (!prefix.empty() && word.find('.') != std::string::npos) named.insert(prefix + word);
    }
  }
  EXPECT_FALSE(proofs.empty());
  EXPECT_EQ(named, proofs);
}

}  // namespace
}  // namespace verne::test
