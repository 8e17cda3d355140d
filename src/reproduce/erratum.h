/// Proofs of the entries of docs/errata.md: an equation as printed and as corrected beside an independent answer
/// (complex step, the library, Newton's and Euler's laws, another algorithm).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "formulations/screw.h"
#include "reproduce/comparison.h"

namespace verne::reproduce {

/// What is printed is clearly wrong, the correction holds to rounding; relative to the truth's largest entry.
inline constexpr double kClearlyWrong = 1e-3, kCorrected = 1e-10;

/// By how much both are off. Of several comparisons the least of what is printed and the most of the correction count.
class Proof {
 public:
  void add(const Eigen::MatrixXd& printed, const Eigen::MatrixXd& corrected, const Eigen::MatrixXd& truth);
  void add(const Vec3<double>& printed, const Vec3<double>& corrected, const Vec3<double>& truth);
  void add(double printed, double corrected, double truth);
  /// The print says too little to be wrong.
  void add_correction(const Eigen::MatrixXd& corrected, const Eigen::MatrixXd& truth);

  std::optional<double> printed;
  double corrected = 0;
};

struct Erratum {
  std::string name;      ///< in docs/errata.md, behind the prefix of its table
  std::string equation;  ///< or section
  Proof proof;

  bool proven() const { return proof.corrected <= kCorrected && (!proof.printed || *proof.printed >= kClearlyWrong); }
};

/// All of a document, by the names "BarmanErrata.Eq3_13", "LieErrataOperators.Section3_1", ….
std::vector<Erratum> barman_errata();
std::vector<Erratum> khalil_errata();
std::vector<Erratum> nasser_errata();
std::vector<Erratum> lie_errata();

/// An entry whose proof is a member of what it is shown on.
template <class Case>
struct ErratumEntry {
  const char *name, *equation;
  void (Case::*prove)(Proof&) const;
};
template <class Case, std::size_t n>
std::vector<Erratum> proven(const Case& on, const ErratumEntry<Case> (&entries)[n]) {
  std::vector<Erratum> errata;
  for (const ErratumEntry<Case>& entry : entries) {
    errata.push_back({entry.name, entry.equation, {}});
    (on.*entry.prove)(errata.back().proof);
  }
  return errata;
}

inline Eigen::Vector3d eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
inline Vec3<double> vec3(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
inline Eigen::Matrix<double, 6, 1> eigen(const formulations::Vec6<double>& v) {
  return vector_of(v);
}

}  // namespace verne::reproduce
