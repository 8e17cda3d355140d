/// A line chart as SVG, sized in millimetres for a paper: black axes, round ticks, units, colours that all people can
/// tell apart and dashes that differ too.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace verne {

struct ChartLine {
  std::string name;
  std::vector<double> x, y;  ///< NaN in y leaves a gap
  int style = 0;             ///< colour and dash
  std::string colour;        ///< instead of that of the style, without a dash
  /// Dashed grey lines at these heights, and a bar on the nearer one in each of these stretches of x.
  std::vector<double> bounds;
  std::vector<std::pair<double, double>> active;
};

struct ChartSpec {
  std::string x_label, y_label;
  std::vector<ChartLine> lines;
  double width_mm = 120, height_mm = 75;
  bool equal_axes = false;  ///< one metre is as long across as upwards
  bool legend = true;
};

std::string svg_chart(const ChartSpec& spec);

/// Text inside an XML element or attribute. Bytes that XML cannot hold are left out.
std::string xml_escaped(const std::string& text);

}  // namespace verne
