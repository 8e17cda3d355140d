#include "wants.h"

#include <algorithm>

namespace verne::cli {

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<Want> parse_wants(const std::string& list, const Model& model) {
  std::vector<Want> wants;
  std::vector<Diagnostic> problems;
  for (const std::string& word : split_list(list)) {
    const bool repeated = std::any_of(wants.begin(), wants.end(), [&](const Want& w) { return w.key == word; });
    if (repeated) continue;
    try {
      wants.push_back(wanted_quantity(word, model, "--want"));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return wants;
}

}  // namespace verne::cli
