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
  int dash = -1;             ///< instead of that of the style
  std::string colour;        ///< instead of that of the style, without a dash unless `dash` says so
  bool joints = false;       ///< dots at the corners
  bool lone = false;         ///< only these
  /// Lines at these heights, grey where they are the same for all, and a bar on the nearer one in each of these
  /// stretches of x.
  std::vector<ChartBound> bounds;
  std::vector<std::pair<double, double>> active;
};

/// A stretch of x with a name; a thin line stands where it begins.
struct ChartStretch {
  std::string name;
  double from = 0;

  bool operator==(const ChartStretch&) const = default;
};

/// A grey band behind the lines.
struct ChartBand {
  std::vector<double> x, low, high;
};

struct ChartSpec {
  std::string x_label, y_label;
  std::vector<ChartLine> lines;
  std::vector<ChartLine> key;  ///< names in the legend, where they are not those of the lines
  std::vector<ChartBand> bands;
  std::vector<ChartStretch> stretches;
  double width_mm = 120, height_mm = 75;
  bool equal_axes = false;  ///< one metre is as long across as upwards
};

std::string svg_chart(const ChartSpec& spec);
/// Several as one drawing, in rows of so many, with one legend below: a name looks alike in all.
std::string svg_charts(std::vector<ChartSpec> specs, int columns, double width_mm, double height_mm);

/// A colour from light (0) to dark (1), for lines that follow one another.
std::string shade_of(double part);

/// Text inside an XML element or attribute. Bytes that XML cannot hold are left out.
std::string xml_escaped(const std::string& text);

}  // namespace verne
