#include "verne/study/sample.h"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "verne/base/error.h"

namespace verne {

namespace {

using Generator = std::mt19937_64;  // the same numbers everywhere, unlike the standard library's distributions
using Kind = SampleSpec::Kind;

constexpr int kMorrisLevels = 4;  // of which a step crosses half

/// The middle of one of 2^53 parts of [0, 1]: neither 0 nor 1.
double share_of(std::uint64_t bits) {
  return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
}

/// 0 … count − 1, each as likely to within 2^-64 count.
std::size_t choice(Generator& generator, std::size_t count) {
  return static_cast<std::size_t>(share_of(generator()) * static_cast<double>(count));
}

void shuffle(std::vector<int>& list, Generator& generator) {
  for (std::size_t k = list.size(); k > 1; --k) std::swap(list[k - 1], list[choice(generator, k)]);
}

/// The sequence of Sobol, each coordinate shifted digit by digit by one random number: still as even, and another
/// sample for each seed. It begins with the point 0 of the sequence, so that 2^m points are a net.
std::vector<double> sobol(int count, int dimensions, unsigned long long seed) {
  boost::random::sobol sequence(static_cast<std::size_t>(dimensions));
  Generator generator(seed);
  std::vector<std::uint64_t> shifts(static_cast<std::size_t>(dimensions));
  for (std::uint64_t& shift : shifts) shift = generator();
  std::vector<double> shares;
  shares.reserve(static_cast<std::size_t>(count) * shifts.size());
  for (int k = 0; k < count; ++k) {
    for (const std::uint64_t shift : shifts) {
      const std::uint64_t digits = k == 0 ? 0 : sequence();  // that of Boost begins with point 1
      shares.push_back(share_of(digits ^ shift));
    }
  }
  return shares;
}

std::vector<double> latin_hypercube(int count, int dimensions, unsigned long long seed) {
  Generator generator(seed);
  std::vector<double> shares(static_cast<std::size_t>(count) * static_cast<std::size_t>(dimensions));
  std::vector<int> order(static_cast<std::size_t>(count));
  for (int c = 0; c < dimensions; ++c) {
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, generator);
    for (int k = 0; k < count; ++k) {
      shares[static_cast<std::size_t>(k * dimensions + c)] =
          (order[static_cast<std::size_t>(k)] + share_of(generator())) / count;
    }
  }
  return shares;
}

std::vector<double> random_shares(int count, int dimensions, unsigned long long seed) {
  Generator generator(seed);
  std::vector<double> shares(static_cast<std::size_t>(count) * static_cast<std::size_t>(dimensions));
  for (double& share : shares) share = share_of(generator());
  return shares;
}

/// For each row of 2d shares (a, b): a, b, and for each parameter a with that of b.
std::vector<double> saltelli(int rows, int dimensions, unsigned long long seed) {
  const std::vector<double> pairs = sobol(rows, 2 * dimensions, seed);
  std::vector<double> shares;
  for (int r = 0; r < rows; ++r) {
    const auto a = pairs.begin() + 2 * r * dimensions, b = a + dimensions;
    shares.insert(shares.end(), a, b);
    shares.insert(shares.end(), b, b + dimensions);
    for (int c = 0; c < dimensions; ++c) {
      shares.insert(shares.end(), a, b);
      *(shares.end() - dimensions + c) = b[c];
    }
  }
  return shares;
}

/// Paths of dimensions + 1 points: each step takes another parameter across half of its range.
std::vector<double> morris(int paths, int dimensions, unsigned long long seed) {
  constexpr int kStep = kMorrisLevels / 2;
  Generator generator(seed);
  std::vector<double> shares;
  std::vector<int> order(static_cast<std::size_t>(dimensions)), level(order.size());
  const auto add = [&] {
    for (const int at : level) shares.push_back((at + 0.5) / kMorrisLevels);
  };
  for (int p = 0; p < paths; ++p) {
    for (int& at : level) at = static_cast<int>(choice(generator, kMorrisLevels));
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, generator);
    add();
    for (const int c : order) {
      int& at = level[static_cast<std::size_t>(c)];
      at += at < kStep ? kStep : -kStep;
      add();
    }
  }
  return shares;
}

int grid_count(const ParameterRange& range, int count) {
  return range.kind == ParameterRange::Kind::values ? static_cast<int>(range.values.size()) : count;
}

/// The last parameter changes fastest. Ranges are taken from end to end; what has no ends, at middles of equal parts.
SamplePoints grid(const std::vector<ParameterRange>& parameters, int count) {
  SamplePoints points{static_cast<int>(parameters.size()), {}, {}};
  std::vector<int> at(parameters.size(), 0);
  while (true) {
    for (std::size_t c = 0; c < parameters.size(); ++c) {
      const int n = grid_count(parameters[c], count);
      const bool ends = n > 1 && (parameters[c].kind == ParameterRange::Kind::uniform ||
                                  parameters[c].kind == ParameterRange::Kind::log_uniform);
      const double share = ends ? static_cast<double>(at[c]) / (n - 1) : (at[c] + 0.5) / n;
      points.unit.push_back(share);
      points.values.push_back(parameters[c].at(share));
    }
    std::size_t c = parameters.size();
    while (c > 0 && ++at[c - 1] == grid_count(parameters[c - 1], count)) at[--c] = 0;
    if (c == 0) return points;
  }
}

std::vector<double> shares_of(const SampleSpec& sample, int dimensions) {
  switch (sample.kind) {
    case Kind::sobol:
      return sobol(sample.count, dimensions, sample.seed);
    case Kind::latin_hypercube:
      return latin_hypercube(sample.count, dimensions, sample.seed);
    case Kind::random:
      return random_shares(sample.count, dimensions, sample.seed);
    case Kind::saltelli:
      return saltelli(sample.count, dimensions, sample.seed);
    case Kind::morris:
      return morris(sample.count, dimensions, sample.seed);
    case Kind::grid:
    case Kind::file:
    case Kind::search:
      break;
  }
  throw std::invalid_argument("sample_points: a grid, a file or a search has no shares");
}

}  // namespace

const char* to_string(SampleSpec::Kind kind) {
  switch (kind) {
    case Kind::grid:
      return "grid";
    case Kind::sobol:
      return "sobol";
    case Kind::latin_hypercube:
      return "latin_hypercube";
    case Kind::random:
      return "random";
    case Kind::file:
      return "file";
    case Kind::saltelli:
      return "saltelli";
    case Kind::morris:
      return "morris";
    case Kind::search:
      return "search";
  }
  return "";
}

double sample_size(const std::vector<ParameterRange>& parameters, const SampleSpec& sample) {
  const auto dimensions = static_cast<double>(parameters.size());
  if (sample.kind == Kind::saltelli) return sample.count * (dimensions + 2);
  if (sample.kind == Kind::morris) return sample.count * (dimensions + 1);
  if (sample.kind != Kind::grid) return sample.count;
  double size = 1;
  for (const ParameterRange& range : parameters) size *= grid_count(range, sample.count);
  return size;
}

SamplePoints sample_points(const std::vector<ParameterRange>& parameters, const SampleSpec& sample) {
  if (parameters.empty() || sample_size(parameters, sample) > kMostPoints) {
    throw InputError(std::string("sample: ") + to_string(sample.kind) + ": no parameters, or more than 1e7 points");
  }
  if (sample.kind == Kind::grid) return grid(parameters, sample.count);
  const auto dimensions = static_cast<int>(parameters.size());
  if (sample.kind == Kind::search) {
    SamplePoints points{dimensions, {}, {}};
    if (const auto first = next_of_search(parameters, sample, {})) append_point(points, parameters, *first);
    return points;
  }
  SamplePoints points{dimensions, {}, shares_of(sample, dimensions)};
  points.values.reserve(points.unit.size());
  for (std::size_t k = 0; k < points.unit.size(); ++k) {
    points.values.push_back(parameters[k % parameters.size()].at(points.unit[k]));
  }
  return points;
}

void append_point(SamplePoints& points, const std::vector<ParameterRange>& parameters,
                  const std::vector<double>& shares) {
  points.unit.insert(points.unit.end(), shares.begin(), shares.end());
  for (std::size_t k = 0; k < shares.size(); ++k) points.values.push_back(parameters[k].at(shares[k]));
}

}  // namespace verne
