/// The errata of docs/errata.md with the numbers that prove them.
#include <cmath>

#include "reproduce/erratum.h"
#include "reproduce/rows.h"

namespace verne::reproduce {

namespace {

/// The printed equation is off by so much, the corrected one is not.
std::function<void(Sources&, Answer&)> proofs(std::vector<Erratum> (*all)()) {
  return [all](Sources&, Answer& answer) {
    for (const Erratum& erratum : all()) {
      Finding& finding = answer.add_disagreement(erratum.equation, erratum.proof.corrected, kCorrected);
      finding.printed = erratum.proof.printed;
      if (!erratum.proven()) finding.tolerance = -1;  // what is printed agrees
    }
    answer.erratum = "the corrections of docs/errata.md";
  };
}

}  // namespace

std::vector<Row> errata_rows() {
  constexpr const char* kSays =
      "Equations as printed and as corrected, each relative to an independent answer: by how much both are off";
  return {
      {"errata-thesis", Document::thesis, "docs/errata.md, Barman 2020", kSays, proofs(barman_errata)},
      {"errata-khalil", Document::khalil, "docs/errata.md, Khalil 2010", kSays, proofs(khalil_errata)},
      {"errata-nasser", Document::nasser, "docs/errata.md, Nasser", kSays, proofs(nasser_errata)},
      {"errata-lie", Document::lie, "docs/errata.md, Lie algebra notes", kSays, proofs(lie_errata)},
  };
}

}  // namespace verne::reproduce
