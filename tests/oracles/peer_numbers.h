/// Numbers of another library or of a closed form, stored as JSON.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace verne::test {

using Json = nlohmann::json;

inline Json read_json(const std::filesystem::path& path) {
  std::ifstream in(path);
  return Json::parse(in);
}

/// A number, or a string that holds one with more digits than a double has.
inline double number_in(const Json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}
inline Eigen::VectorXd vector_in(const Json& array) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(array.size()));
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = number_in(array[static_cast<std::size_t>(i)]);
  return out;
}
/// An array of rows.
inline Eigen::MatrixXd matrix_in(const Json& rows) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (Eigen::Index i = 0; i < out.rows(); ++i) out.row(i) = vector_in(rows[static_cast<std::size_t>(i)]);
  return out;
}

}  // namespace verne::test
