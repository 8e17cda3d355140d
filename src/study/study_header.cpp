#include "study/study_header.h"

#include <filesystem>
#include <map>

#include "io/number.h"
#include "study/journal.h"
#include "study/wire.h"

namespace verne {

namespace {

namespace fs = std::filesystem;

constexpr char kFilePrefix[] = "file ";  // of identities that are fingerprints

std::string file_from(const std::string& folder, const std::string& file) {
  if (file.empty()) return "";
  const fs::path relative = fs::absolute(file).lexically_proximate(fs::absolute(folder).lexically_normal());
  return relative.string();
}

using Identity = std::vector<std::pair<std::string, std::string>>;

Identity identity_in(WireReader& in) {
  Identity identity(in.take<std::uint32_t>());
  for (auto& [name, value] : identity) {
    name = in.take_text();
    value = in.take_text();
  }
  return identity;
}

/// One line for each difference.
std::string differences(const Identity& was, const Identity& is) {
  const std::map<std::string, std::string> before(was.begin(), was.end()), now(is.begin(), is.end());
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  for (const auto& [name, value] : before) {
    const auto found = now.find(name);
    if (found == now.end()) {
      add(name + " is gone");
    } else if (found->second != value) {
      add(name.starts_with(kFilePrefix) ? name + " has changed"
                                        : name + " was " + in_quotes(value) + ", is " + in_quotes(found->second));
    }
  }
  for (const auto& [name, value] : now) {
    if (!before.contains(name)) add(name + " is new");
  }
  return text.empty() && was != is ? "the order of parameters has changed" : text;
}

}  // namespace

std::string study_header(const Study& study, const std::string& folder) {
  WireWriter out;
  out.put(file_from(folder, study.spec.file));
  out.put(static_cast<std::uint32_t>(study.spec.identity.size()));
  for (const auto& [name, value] : study.spec.identity) out.put(name).put(value);
  return out.bytes();
}

void require_same_study(const std::string& header, const Study& study, const std::string& journal) {
  WireReader in(header);
  in.take_text();
  const std::string changes = differences(identity_in(in), study.spec.identity);
  if (changes.empty()) return;
  throw InputError({{journal, 0, "was begun with another study: " + changes + ". Use another folder, or undo that"}});
}

std::string study_file_of(const std::string& folder) {
  const std::string path = (fs::path(folder) / kJournalName).string();
  const auto header = journal_header(path);
  if (!header) throw InputError({{folder, 0, "holds no study (there is no journal): name a study file"}});
  const std::string file(WireReader(*header).take_text());
  return (fs::path(folder) / file).lexically_normal().string();
}

}  // namespace verne
