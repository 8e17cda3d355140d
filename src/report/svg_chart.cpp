#include "report/svg_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/ticks.h"

namespace verne {

namespace {

constexpr double kPointsPerMm = 72 / 25.4;
constexpr double kFont = 8, kLegendRow = 11;  // points
/// Okabe and Ito (2008), with yellow and black exchanged for shades that show on white beside black axes.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#008a65", "#b0538a",
                                    "#a87000", "#2b8cc4", "#3c4043", "#7a5cc0"};
constexpr const char* kDashes[] = {"", "5 2.5", "1.2 1.8", "6 2 1.2 2", "3 2", "9 2.5", "2 2 5 2", "0.8 2.6"};
constexpr int kStyles = 8;

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void include(double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  double span() const { return high - low; }
  /// Something to draw even when nothing or only one value was included.
  void settle() {
    if (!(low <= high)) low = 0, high = 1;
    const double least = 1e-9 * std::max({1.0, std::abs(low), std::abs(high)});
    if (span() < least) low -= 0.5, high += 0.5;
  }
  /// Values that vary by less than a tenth of their size are shown as constant, not as their last digits.
  void calm() {
    const double lacking = 0.1 * std::max(std::abs(low), std::abs(high)) - span();
    if (lacking > 0) low -= lacking / 2, high += lacking / 2;
  }
  void widen(double part) {
    const double by = part * span();
    low -= by, high += by;
  }
};

std::string label_at(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     xml_escaped(text));
}

std::string look_of(const ChartLine& line) {
  const auto dashes = [](int dash) {
    const std::string pattern = kDashes[dash % kStyles];
    return pattern.empty() ? "" : " stroke-dasharray=\"" + pattern + "\"";
  };
  if (!line.colour.empty()) {
    return fmt::format("stroke=\"{}\"{}", line.colour, line.dash < 0 ? "" : dashes(line.dash));
  }
  return fmt::format("stroke=\"{}\"{}", kColours[line.style % kStyles], dashes(line.dash < 0 ? line.style : line.dash));
}

double legend_column(const std::vector<ChartLine>& lines) {
  std::size_t longest = 0;
  for (const ChartLine& line : lines) longest = std::max(longest, line.name.size());
  return 32 + 0.56 * kFont * double(longest);
}

int legend_columns(const std::vector<ChartLine>& lines, double width) {
  return std::max(1, int((width - 50) / legend_column(lines)));
}

/// Lines with names, from `top` on.
std::string legend_of(const std::vector<ChartLine>& lines, double left, double top, double width) {
  const double column = legend_column(lines);
  const int columns = legend_columns(lines, width);
  std::string out;
  int i = 0;
  for (const ChartLine& line : lines) {
    if (line.name.empty()) continue;
    const double x = left + column * double(i % columns), y = top + kLegendRow * double(i / columns);
    out += fmt::format("<path d=\"M{:.2f} {:.2f}h20\" {} stroke-width=\"1.3\"/>\n", x, y - 2.8, look_of(line));
    out += label_at(x + 24, y, "start", line.name);
    ++i;
  }
  return out;
}

/// Of the whole file, whose contents are in points.
std::string svg_file(const std::string& contents, double width_mm, double height_mm) {
  const double width = width_mm * kPointsPerMm, height = height_mm * kPointsPerMm;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {:.2f} {:.2f}\" "
             "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{}\">\n"
             "<rect width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#fff\"/>\n",
             width_mm, height_mm, width, height, kFont, width, height) +
         contents + "</svg>\n";
}

class Drawing {
 public:
  /// `box`: what nothing else in the file is called.
  explicit Drawing(const ChartSpec& spec, std::string box = "box") : spec_(spec), box_(std::move(box)) {
    width_ = spec.width_mm * kPointsPerMm, height_ = spec.height_mm * kPointsPerMm;
    find_ranges();
    find_box();
    if (spec.equal_axes) equalise();
  }

  std::string text() {
    out_ = fmt::format(
        "<clipPath id=\"{}\"><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/></clipPath>\n", box_,
        left_, top_, right_ - left_, bottom_ - top_);
    draw_grid();
    for (const ChartBand& band : spec_.bands) draw_band(band);
    draw_stretches();
    draw_bounds();
    for (const ChartLine& line : spec_.lines) draw_line(line);
    out_ +=
        fmt::format("<path d=\"M{:.2f} {:.2f}V{:.2f}H{:.2f}\" fill=\"none\" stroke=\"#000\" stroke-width=\"0.7\"/>\n",
                    left_, top_, bottom_, right_);
    draw_labels();
    draw_legend();
    return std::move(out_);
  }

 private:
  void find_ranges() {
    for (const ChartLine& line : spec_.lines) {
      for (const double x : line.x) x_.include(x);
      for (const double y : line.y) y_.include(y);
    }
    for (const ChartBand& band : spec_.bands) {
      for (const std::vector<double>* edge : {&band.low, &band.high}) {
        for (const double y : *edge) y_.include(y);
      }
    }
    x_.settle(), y_.settle();
    if (!spec_.equal_axes) y_.calm();
    // A limit that the curves come near to is part of the picture; a far one would flatten them.
    const Range curves = y_;
    for (const ChartLine& line : spec_.lines) {
      for (const auto& [bound, from, to] : line.bounds) {
        if (bound > curves.low - 0.35 * curves.span() && bound < curves.high + 0.35 * curves.span()) y_.include(bound);
      }
    }
    y_.widen(0.05);
    if (spec_.equal_axes) x_.widen(0.05);
  }

  void find_box() {
    const double columns = legend_columns(key(), width_);
    const auto named = std::ranges::count_if(key(), [](const ChartLine& line) { return !line.name.empty(); });
    legend_rows_ = int(std::ceil(double(named) / columns));
    left_ = 46, right_ = width_ - 10, top_ = 10;
    bottom_ = std::max(top_ + 20, height_ - 34 - kLegendRow * legend_rows_);
  }

  const std::vector<ChartLine>& key() const { return spec_.key.empty() ? spec_.lines : spec_.key; }

  /// Widens the range that has room to spare.
  void equalise() {
    const double per_x = x_.span() / (right_ - left_), per_y = y_.span() / (bottom_ - top_);
    if (per_x < per_y) {
      x_.widen((per_y / per_x - 1) / 2);
    } else {
      y_.widen((per_x / per_y - 1) / 2);
    }
  }

  double px(double x) const { return left_ + (x - x_.low) / x_.span() * (right_ - left_); }
  double py(double y) const { return bottom_ - (y - y_.low) / y_.span() * (bottom_ - top_); }

  void label(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
    out_ += label_at(x, y, anchor, text, more);
  }

  void draw_grid() {
    const auto xs = ticks(x_.low, x_.high, 6), ys = ticks(y_.low, y_.high, 5);
    const auto step = [](const std::vector<double>& t) { return t.size() > 1 ? t[1] - t[0] : 1.0; };
    std::string grid;
    for (const double x : xs) grid += fmt::format("M{:.2f} {:.2f}V{:.2f}", px(x), top_, bottom_ + 3);
    for (const double y : ys) grid += fmt::format("M{:.2f} {:.2f}H{:.2f}", left_ - 3, py(y), right_);
    out_ += "<path d=\"" + grid + "\" fill=\"none\" stroke=\"#ddd\" stroke-width=\"0.5\"/>\n";
    for (const double x : xs) label(px(x), bottom_ + 11, "middle", tick_label(x, step(xs)));
    for (const double y : ys) label(left_ - 5, py(y) + 0.35 * kFont, "end", tick_label(y, step(ys)));
  }

  void draw_labels() {
    label((left_ + right_) / 2, bottom_ + 23, "middle", spec_.x_label);
    const std::string turned = fmt::format(" transform=\"rotate(-90 11 {:.2f})\"", (top_ + bottom_) / 2);
    label(11, (top_ + bottom_) / 2, "middle", spec_.y_label, turned.c_str());
  }

  void draw_stretches() {
    for (const auto& [name, from] : spec_.stretches) {
      const double x = std::clamp(px(from), left_, right_);
      if (x > left_) {
        out_ +=
            fmt::format("<path class=\"border\" d=\"M{:.2f} {:.2f}V{:.2f}\" stroke=\"#999\" stroke-width=\"0.6\"/>\n",
                        x, top_, bottom_);
      }
      label(x + 3, top_ + 6, "start", name, " font-size=\"6.5\" fill=\"#555\"");
    }
  }

  /// Limits that all lines share are grey and drawn once; others have the look of their line, so that nobody takes one
  /// line's limit for another's.
  void draw_bounds() {
    const std::vector<ChartLine>& lines = spec_.lines;
    const auto same = [&](const ChartLine& line) { return line.bounds == lines.front().bounds; };
    const bool shared = std::all_of(lines.begin(), lines.end(), same);
    for (std::size_t i = 0; i < (shared ? 1 : lines.size()); ++i) {
      const auto drawn = [&](const ChartLine& other) {  // of the same joint in another solution
        return other.style == lines[i].style && other.bounds == lines[i].bounds;
      };
      if (std::any_of(lines.begin(), lines.begin() + std::ptrdiff_t(i), drawn)) continue;
      for (const ChartBound& bound : lines[i].bounds) {
        draw_bound(bound, shared ? "stroke=\"#777\" stroke-dasharray=\"2 2\"" : look_of(lines[i]));
      }
    }
  }

  void draw_bound(const ChartBound& bound, const std::string& look) {
    if (bound.value < y_.low || bound.value > y_.high) return;
    const auto across = [&](double x) { return px(std::clamp(x, x_.low, x_.high)); };
    out_ += fmt::format("<path class=\"limit\" d=\"M{:.2f} {:.2f}H{:.2f}\" {} stroke-width=\"0.7\"/>\n",
                        across(bound.from), py(bound.value), across(bound.to), look);
  }

  void draw_line(const ChartLine& line) {
    if (line.lone) return draw_joints(line);
    std::string path;
    char pen = 'M';
    for (std::size_t k = 0; k < line.x.size(); ++k) {
      if (!std::isfinite(line.y[k]) || !std::isfinite(line.x[k])) {
        pen = 'M';
        continue;
      }
      path += fmt::format("{}{:.2f} {:.2f}", pen, px(line.x[k]), py(line.y[k]));
      pen = 'L';
    }
    out_ +=
        fmt::format("<path class=\"curve\" d=\"{}\" fill=\"none\" {} stroke-width=\"1.3\" clip-path=\"url(#{})\"/>\n",
                    path, look_of(line), box_);
    if (line.joints) draw_joints(line);
    draw_active(line);
  }

  void draw_joints(const ChartLine& line) {
    std::string dots;
    for (std::size_t k = 0; k < line.x.size(); ++k) {
      if (!std::isfinite(line.y[k]) || !std::isfinite(line.x[k])) continue;
      dots += fmt::format("M{:.2f} {:.2f}h0", px(line.x[k]), py(line.y[k]));
    }
    out_ +=
        fmt::format("<path class=\"joints\" d=\"{}\" fill=\"none\" {} stroke-width=\"3\" stroke-linecap=\"round\"/>\n",
                    dots, look_of(line));
  }

  /// A thick bar where the line lies on a limit.
  void draw_active(const ChartLine& line) {
    for (const auto& [from, to] : line.active) {
      for (std::size_t k = 0; k + 1 < line.x.size(); ++k) {
        if (line.x[k] < from || line.x[k + 1] > to || !std::isfinite(line.y[k])) continue;
        const auto nearer = [&](const ChartBound& a, const ChartBound& b) {
          return std::abs(a.value - line.y[k]) < std::abs(b.value - line.y[k]);
        };
        const auto bound = std::min_element(line.bounds.begin(), line.bounds.end(), nearer);
        if (bound == line.bounds.end()) continue;
        out_ += fmt::format("<path class=\"active\" d=\"M{:.2f} {:.2f}H{:.2f}\" stroke=\"{}\" stroke-width=\"3\"/>\n",
                            px(line.x[k]), py(bound->value), px(line.x[k + 1]), kColours[line.style % kStyles]);
      }
    }
  }

  void draw_band(const ChartBand& band) {
    std::string there, back;
    for (std::size_t k = 0; k < band.x.size(); ++k) {
      if (!std::isfinite(band.low[k]) || !std::isfinite(band.high[k])) continue;
      there += fmt::format("{}{:.2f} {:.2f}", there.empty() ? 'M' : 'L', px(band.x[k]), py(band.high[k]));
      back = fmt::format("L{:.2f} {:.2f}", px(band.x[k]), py(band.low[k])) + back;
    }
    if (there.empty()) return;
    out_ += fmt::format("<path class=\"band\" d=\"{}{}Z\" fill=\"#ddd\" clip-path=\"url(#{})\"/>\n", there, back, box_);
  }

  void draw_legend() { out_ += legend_of(key(), left_, bottom_ + 36, width_); }

  const ChartSpec& spec_;
  const std::string box_;
  Range x_, y_;
  double width_ = 0, height_ = 0, left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  int legend_rows_ = 0;
  std::string out_;
};

}  // namespace

std::string svg_chart(const ChartSpec& spec) {
  return svg_file(Drawing(spec).text(), spec.width_mm, spec.height_mm);
}

std::string svg_charts(std::vector<ChartSpec> specs, int columns, double width_mm, double height_mm) {
  std::vector<ChartLine> key;
  for (const ChartSpec& spec : specs) {
    for (const ChartLine& line : spec.lines) {
      if (std::ranges::find(key, line.name, &ChartLine::name) == key.end()) key.push_back(line);
    }
  }
  const double width = width_mm * kPointsPerMm, height = height_mm * kPointsPerMm;
  const int legend_rows = (int(key.size()) + legend_columns(key, width) - 1) / legend_columns(key, width);
  const int rows = (int(specs.size()) + columns - 1) / columns;
  const double foot = kLegendRow * legend_rows + 6, across = width / columns, down = (height - foot) / rows;
  std::string contents;
  for (int i = 0; i < int(specs.size()); ++i) {
    ChartSpec& spec = specs[std::size_t(i)];
    for (ChartLine& line : spec.lines) line.name.clear();
    spec.width_mm = across / kPointsPerMm, spec.height_mm = down / kPointsPerMm;
    contents += fmt::format("<g transform=\"translate({:.2f} {:.2f})\">\n{}</g>\n", across * (i % columns),
                            down * (i / columns), Drawing(spec, fmt::format("box{}", i)).text());
  }
  return svg_file(contents + legend_of(key, 46, height - foot + kLegendRow, width), width_mm, height_mm);
}

std::string shade_of(double part) {
  const auto mix = [part](int light, int dark) { return int(std::lround(light + part * (dark - light))); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0xc4, 0x08), mix(0xd2, 0x3c), mix(0xe0, 0x66));
}

std::string xml_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

}  // namespace verne
