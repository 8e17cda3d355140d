/// SYMORO's `.par`: a robot as a table of modified Denavit-Hartenberg parameters [KK86], one column a frame.
///
///   (* comment *)   NAME = value   NAME = {value, value, ...}
///
/// Links 1 ... NL hang on frames of their own; a joint NL < j <= NJ closes a loop: frame j is where it is on one side,
/// frame j + NJ - NL (sigma = 2) on the other.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "io/expression.h"
#include "io/number.h"
#include "verne/io/par.h"
#include "verne/spatial/dh.h"
#include "verne/spatial/inertia.h"

namespace verne {

namespace {

struct ParRow {
  std::vector<std::string> entries;
  int line = 0;
};

/// Comments become blanks, lines stay.
std::string without_comments(const std::string& text, Diagnostics& diagnostics) {
  std::string out = text;
  std::size_t begin = 0;
  while ((begin = out.find("(*", begin)) != std::string::npos) {
    const std::size_t end = out.find("*)", begin + 2);
    if (end == std::string::npos) {
      diagnostics.error(static_cast<int>(std::count(out.begin(), out.begin() + static_cast<long>(begin), '\n')) + 1,
                        "a comment (* does not end");
      return out.substr(0, begin);
    }
    for (std::size_t k = begin; k < end + 2; ++k) {
      if (out[k] != '\n') out[k] = ' ';
    }
  }
  return out;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Name by name; what is not `NAME = ...` is reported.
std::map<std::string, ParRow> read_rows(const std::string& text, Diagnostics& diagnostics) {
  std::map<std::string, ParRow> rows;
  std::size_t at = 0;
  int line = 1;
  const auto advance = [&](std::size_t to) {
    line +=
        static_cast<int>(std::count(text.begin() + static_cast<long>(at), text.begin() + static_cast<long>(to), '\n'));
    at = to;
  };
  while (true) {
    const std::size_t first = text.find_first_not_of(" \t\r\n;", at);
    if (first == std::string::npos) return rows;
    advance(first);
    const std::size_t equals = text.find('=', at), line_end = std::min(text.find('\n', at), text.size());
    if (equals == std::string::npos || equals > line_end) {
      diagnostics.error(line, "expected NAME = value, found " + in_quotes(trimmed(text.substr(at, line_end - at))));
      advance(line_end);
      continue;
    }
    const std::string name = trimmed(text.substr(at, equals - at));
    const int row_line = line;
    std::size_t value = text.find_first_not_of(" \t\r\n", equals + 1);
    ParRow row{{}, row_line};
    if (value != std::string::npos && text[value] == '{') {
      const std::size_t close = text.find('}', value);
      if (close == std::string::npos) {
        diagnostics.error(row_line, name + ": { does not end");
        return rows;
      }
      std::string entry;
      for (std::size_t k = value + 1; k <= close; ++k) {
        if (text[k] == ',' || k == close) {
          row.entries.push_back(trimmed(entry));
          entry.clear();
        } else {
          entry += text[k];
        }
      }
      advance(close + 1);
    } else {
      const std::size_t end = std::min(text.find('\n', equals), text.size());
      row.entries.push_back(trimmed(text.substr(equals + 1, end - equals - 1)));
      advance(end);
    }
    if (!rows.emplace(name, std::move(row)).second) diagnostics.error(row_line, name + " is given twice");
  }
}

class ParReader {
 public:
  ParReader(const std::string& text, const std::string& file, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), rows_(read_rows(without_comments(text, diagnostics), diagnostics)) {
    spec_.file = file;
    spec_.name = name_of(text);
  }

  ModelSpec read() {
    links_ = count("NL"), joints_ = count("NJ"), frames_ = count("NF");
    if (!diagnostics_.errors().empty()) return spec_;
    if (joints_ < links_ || frames_ != 2 * joints_ - links_) {
      diagnostics_.error(line_of("NF"), "NL, NJ, NF: expected NL <= NJ and NF = 2 NJ - NL, found " +
                                            std::to_string(links_) + ", " + std::to_string(joints_) + ", " +
                                            std::to_string(frames_));
      return spec_;
    }
    read_gravity();
    read_geometry();
    for (const char* const name : kInertial) numbers_[name] = numbers(name, links_);
    for (const char* const name : {"IA", "FS", "FV"}) {
      numbers_[name] =
          rows_.contains(name) ? numbers(name, links_) : std::vector<double>(static_cast<std::size_t>(links_));
    }
    if (!diagnostics_.errors().empty()) return spec_;
    LinkSpec base;
    base.name = "base", base.joint.name = "root";
    spec_.links.push_back(base);
    for (int j = 1; j <= links_; ++j) spec_.links.push_back(link(j));
    for (int j = links_ + 1; j <= joints_; ++j) spec_.loops.push_back(loop(j));
    return spec_;
  }

 private:
  static constexpr std::array kGeometry{"gamma", "B", "Alpha", "d", "Theta", "R"};
  static constexpr std::array kInertial{"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M"};

  static std::string name_of(const std::string& text) {
    const std::size_t key = text.find("Robotname");
    const std::size_t begin = key == std::string::npos ? key : text.find('\'', key);
    const std::size_t end = begin == std::string::npos ? begin : text.find_first_of("'\n", begin + 1);
    return end == std::string::npos ? "" : text.substr(begin + 1, end - begin - 1);
  }

  int line_of(const std::string& name) const {
    const auto row = rows_.find(name);
    return row == rows_.end() ? 0 : row->second.line;
  }

  int count(const std::string& name) {
    const std::vector<double> values = numbers(name, 1);
    const double value = values[0];
    if (value >= 0 && value <= 10000 && value == static_cast<int>(value)) return static_cast<int>(value);
    diagnostics_.error(line_of(name), name + ": expected a number of frames");
    return 0;
  }

  /// `known` are variables of joints, which are zero here.
  std::vector<double> numbers(const std::string& name, int size, const std::map<std::string, double>* known = nullptr) {
    std::vector<double> out(static_cast<std::size_t>(size));
    const auto row = rows_.find(name);
    if (row == rows_.end()) {
      diagnostics_.error(0, "the row " + name + " is missing");
      return out;
    }
    const ParRow& found = row->second;
    if (static_cast<int>(found.entries.size()) < size) {
      diagnostics_.error(found.line, name + ": expected " + std::to_string(size) + " entries, found " +
                                         std::to_string(found.entries.size()));
      return out;
    }
    for (std::size_t k = 0; k < out.size(); ++k) {
      const Evaluated value = evaluate_expression(found.entries[k], {.names = known});
      if (!value.problem.empty()) {
        diagnostics_.error(found.line, name + ", entry " + std::to_string(k + 1) + ": " + value.problem +
                                           " (symbols need a number here)");
      }
      out[k] = value.value;
    }
    return out;
  }

  void read_gravity() {
    if (!rows_.contains("G")) return;
    const std::vector<double> g = numbers("G", 3);
    spec_.gravity = {g[0], g[1], g[2]};
  }

  void read_geometry() {
    antecedent_ = numbers("Ant", frames_);
    sigma_ = numbers("Sigma", frames_);
    mu_ = numbers("Mu", joints_);
    std::map<std::string, double> variables;  // those of SYMORO: t1 or th1 of an angle, r1 of a distance
    for (int j = 1; j <= frames_; ++j) {
      for (const char* const letter : {"t", "th", "r"}) variables[letter + std::to_string(j)] = 0;
    }
    for (const char* const name : kGeometry) numbers_[name] = numbers(name, frames_, &variables);
    for (int j = 1; j <= frames_; ++j) {
      const double before = antecedent_[at(j)], sigma = sigma_[at(j)];
      if (before != std::floor(before) || before < 0 || before > links_ || (j <= links_ && before >= j)) {
        diagnostics_.error(line_of("Ant"),
                           "Ant, entry " + std::to_string(j) + ": expected the number of a link before it");
      }
      const bool fixed_frame = j > joints_;
      if (fixed_frame ? sigma != 2 : sigma != 0 && sigma != 1 && !(sigma == 2 && j <= links_)) {
        diagnostics_.error(line_of("Sigma"), "Sigma, entry " + std::to_string(j) + ": expected " +
                                                 (fixed_frame ? "2" : "0 (revolute), 1 (prismatic) or 2 (fixed)"));
      }
    }
  }

  static std::size_t at(int j) { return static_cast<std::size_t>(j - 1); }
  double number(const char* name, int j) const { return numbers_.at(name)[at(j)]; }

  Transform<double> placement(int j) const {
    return mdh_transform({.gamma = number("gamma", j),
                          .b = number("B", j),
                          .alpha = number("Alpha", j),
                          .d = number("d", j),
                          .theta = number("Theta", j),
                          .r = number("R", j)});
  }
  std::string link_name(int j) const { return j == 0 ? "base" : "link" + std::to_string(j); }

  LinkSpec link(int j) const {
    LinkSpec out;
    out.name = link_name(j), out.parent = link_name(static_cast<int>(antecedent_[at(j)]));
    out.line = out.joint.line = line_of("Ant");
    out.joint.name = "joint" + std::to_string(j);
    out.joint.type = sigma_[at(j)] == 0   ? JointType::revolute
                     : sigma_[at(j)] == 1 ? JointType::prismatic
                                          : JointType::fixed;
    out.joint.actuated = mu_[at(j)] != 0;
    out.X_PJ = placement(j);
    if (out.joint.type != JointType::fixed) {
      out.joint.dofs.resize(1);
      out.joint.dofs[0].rotor_inertia = number("IA", j);
      out.joint.dofs[0].coulomb = number("FS", j), out.joint.dofs[0].viscous = number("FV", j);
    }
    const Vec3<double> mc{number("MX", j), number("MY", j), number("MZ", j)};
    const Sym3<double> I{number("XX", j), number("XY", j), number("XZ", j),
                         number("YY", j), number("YZ", j), number("ZZ", j)};
    out.mass = number("M", j), out.inertia = I;
    out.has_inertial = true;
    if (out.mass > 0) {
      out.com = mc * (1 / out.mass);
      out.inertia += steiner(mc * -1.0, out.com);
    } else if (mc.x != 0 || mc.y != 0 || mc.z != 0) {
      out.first_moment = mc;
    }
    return out;
  }

  LoopSpec loop(int j) const {
    const int other = j + joints_ - links_;
    LoopSpec out;
    out.name = "joint" + std::to_string(j);
    out.type = sigma_[at(j)] == 0 ? LoopType::revolute : LoopType::prismatic;
    out.a = {link_name(static_cast<int>(antecedent_[at(j)])), placement(j)};
    out.b = {link_name(static_cast<int>(antecedent_[at(other)])), placement(other)};
    for (LoopEnd* const end : {&out.a, &out.b}) {
      if (end->link == "base") end->link = "world";
    }
    out.line = line_of("Sigma");
    return out;
  }

  Diagnostics& diagnostics_;
  std::map<std::string, ParRow> rows_;
  ModelSpec spec_;
  int links_ = 0, joints_ = 0, frames_ = 0;
  std::vector<double> antecedent_, sigma_, mu_;
  std::map<std::string, std::vector<double>> numbers_;
};

}  // namespace

ModelSpec read_par(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  return ParReader(text, file, diagnostics).read();
}

}  // namespace verne
