/// A line chart as SVG, sized in millimetres for a paper: black axes, round ticks, units, colours that all people can
/// tell apart and dashes that differ too.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace verne {

/// A limit of a line, and between which x it holds.
struct ChartBound {
  double value;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();

  bool operator==(const ChartBound&) const = default;
};

struct ChartLine {
  std::string name;
  std::vector<double> x, y;  ///< NaN in y leaves a gap
  int style = 0;             ///< colour and dash
  std::string colour;        ///< instead of that of the style, without a dash
  bool joints = false;       ///< dots at the corners
  /// Lines at these heights, grey where they are the same for all, and a bar on the nearer one in each of these
  /// stretches of x.
  std::vector<ChartBound> bounds;
  std::vector<std::pair<double, double>> active;
};

/// A stretch of x with a name; a thin line stands where it begins.
struct ChartStretch {
  std::string name;
  double from = 0;
};

struct ChartSpec {
  std::string x_label, y_label;
  std::vector<ChartLine> lines;
  std::vector<ChartStretch> stretches;
  double width_mm = 120, height_mm = 75;
  bool equal_axes = false;  ///< one metre is as long across as upwards
};

std::string svg_chart(const ChartSpec& spec);

/// Text inside an XML element or attribute. Bytes that XML cannot hold are left out.
std::string xml_escaped(const std::string& text);

}  // namespace verne
