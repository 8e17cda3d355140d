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

class Drawing {
 public:
  explicit Drawing(const ChartSpec& spec) : spec_(spec) {
    width_ = spec.width_mm * kPointsPerMm, height_ = spec.height_mm * kPointsPerMm;
    find_ranges();
    find_box();
    if (spec.equal_axes) equalise();
  }

  std::string text() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {:.2f} {:.2f}\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{}\">\n",
        spec_.width_mm, spec_.height_mm, width_, height_, kFont);
    out_ += fmt::format("<rect width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#fff\"/>\n", width_, height_);
    out_ += fmt::format(
        "<clipPath id=\"box\"><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/></clipPath>\n", left_,
        top_, right_ - left_, bottom_ - top_);
    draw_grid();
    draw_stretches();
    draw_bounds();
    for (const ChartLine& line : spec_.lines) draw_line(line);
    out_ +=
        fmt::format("<path d=\"M{:.2f} {:.2f}V{:.2f}H{:.2f}\" fill=\"none\" stroke=\"#000\" stroke-width=\"0.7\"/>\n",
                    left_, top_, bottom_, right_);
    draw_labels();
    draw_legend();
    return out_ + "</svg>\n";
  }

 private:
  void find_ranges() {
    for (const ChartLine& line : spec_.lines) {
      for (const double x : line.x) x_.include(x);
      for (const double y : line.y) y_.include(y);
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
    const double columns = std::max(1.0, std::floor((width_ - 50) / column_width()));
    legend_rows_ = int(std::ceil(double(spec_.lines.size()) / columns));
    left_ = 46, right_ = width_ - 10, top_ = 10;
    bottom_ = std::max(top_ + 20, height_ - 34 - kLegendRow * legend_rows_);
  }

  double column_width() const {
    std::size_t longest = 0;
    for (const ChartLine& line : spec_.lines) longest = std::max(longest, line.name.size());
    return 32 + 0.56 * kFont * double(longest);
  }

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
    out_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                        xml_escaped(text));
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
      for (const ChartBound& bound : lines[i].bounds) {
        draw_bound(bound, shared ? "stroke=\"#777\" stroke-dasharray=\"2 2\"" : style(lines[i]));
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
        fmt::format("<path class=\"curve\" d=\"{}\" fill=\"none\" {} stroke-width=\"1.3\" clip-path=\"url(#box)\"/>\n",
                    path, style(line));
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
                    dots, style(line));
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

  static std::string style(const ChartLine& line) {
    if (!line.colour.empty()) return fmt::format("stroke=\"{}\"", line.colour);
    const std::string dash = kDashes[line.style % kStyles];
    return fmt::format("stroke=\"{}\"{}", kColours[line.style % kStyles],
                       dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
  }

  void draw_legend() {
    const double column = column_width();
    const int columns = std::max(1, int((width_ - 50) / column));
    for (std::size_t i = 0; i < spec_.lines.size(); ++i) {
      const double x = left_ + column * double(int(i) % columns),
                   y = bottom_ + 36 + kLegendRow * double(int(i) / columns);
      out_ +=
          fmt::format("<path d=\"M{:.2f} {:.2f}h20\" {} stroke-width=\"1.3\"/>\n", x, y - 2.8, style(spec_.lines[i]));
      label(x + 24, y, "start", spec_.lines[i].name);
    }
  }

  const ChartSpec& spec_;
  Range x_, y_;
  double width_ = 0, height_ = 0, left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  int legend_rows_ = 0;
  std::string out_;
};

}  // namespace

std::string svg_chart(const ChartSpec& spec) {
  return Drawing(spec).text();
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
