#include "io/sdf/scope.h"

#include "io/number.h"

namespace verne {

namespace {

/// Poses that are given in frames of nested models, one within the other: no file of people needs more.
constexpr int kDeepestScopes = 500;

}  // namespace

void SdfScope::add(const std::string& name, SdfName what) {
  const bool carries = what.kind == SdfName::Kind::link || what.kind == SdfName::Kind::model;
  if (names_.emplace(name, Entry{std::move(what), std::nullopt, false}).second && carries) order_.push_back(name);
}

SdfScope& SdfScope::add_scope(SdfFile& file, const std::string& path) {
  return *inner_.emplace_back(std::make_unique<SdfScope>(file, path, false));
}

SdfScope::Entry* SdfScope::find(const std::string& name) {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &found->second;
}

SdfScope::Entry* SdfScope::find_nested(const std::string& name, std::size_t& rest) {
  for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at + 2)) {
    Entry* const found = find(name.substr(0, at));
    if (!found || !found->what.inner) continue;
    rest = at + 2;
    return found;
  }
  return nullptr;
}

void SdfScope::unknown(const std::string& name, int line) const {
  std::vector<std::string> names;
  for (const auto& [known, _] : names_) names.push_back(known);
  file_.diagnostics.error(line, "there is no link, joint, frame or model " + in_quotes(name) + suggestion(name, names));
}

Transform<double> SdfScope::local_pose(const SdfName& what) {
  if (what.kind != SdfName::Kind::model || !what.inner || what.placement.empty()) return what.pose.X;
  return what.pose.X * inverse(what.inner->pose(what.placement, what.pose.line));
}

Transform<double> SdfScope::pose(const std::string& name, int line) {
  std::vector<Entry*> way;
  Transform<double> X = Transform<double>::identity();
  ++depth_;
  for (std::string at = name; !is_own(at);) {
    Entry* const entry = find(at);
    std::size_t rest = 0;
    if (!entry) {
      const Entry* const nested = find_nested(at, rest);
      if (nested && depth_ < kDeepestScopes) {
        X = pose(at.substr(0, rest - 2), line) * nested->what.inner->pose(at.substr(rest), line);
      } else {
        unknown(at, line);
      }
      break;
    }
    if (entry->X) {
      X = *entry->X;
      break;
    }
    if (entry->on_way) {
      file_.diagnostics.error(entry->what.pose.line,
                              "the pose of " + in_quotes(at) + " is given in itself, in a circle");
      break;
    }
    entry->on_way = true;
    way.push_back(entry);
    line = entry->what.pose.line;
    at = entry->what.pose.relative_to.empty() ? entry->what.base : entry->what.pose.relative_to;
  }
  for (std::size_t i = way.size(); i-- > 0;) {
    X = X * local_pose(way[i]->what);
    way[i]->X = X;
    way[i]->on_way = false;
  }
  --depth_;
  return X;
}

std::optional<int> SdfScope::canonical_link(int line) {
  if (world_) return kWorld;
  if (!canonical_.empty()) {  // a link, here or within
    const Entry* const named = find(canonical_);
    std::size_t rest = 0;
    const Entry* const nested = named ? nullptr : find_nested(canonical_, rest);
    if (named && named->what.kind == SdfName::Kind::link) return named->what.link;
    if (nested) return nested->what.inner->link_of(canonical_.substr(rest), line);
    file_.diagnostics.error(line, "canonical_link: there is no link " + in_quotes(canonical_));
    return std::nullopt;
  }
  for (const std::string& name : order_) {
    const SdfName& first = names_.at(name).what;
    if (first.kind == SdfName::Kind::link) return first.link;
  }
  for (const std::string& name : order_) {
    if (SdfScope* const inner = names_.at(name).what.inner) return inner->canonical_link(line);
  }
  file_.diagnostics.error(line, "the model has no links");
  return std::nullopt;
}

std::optional<int> SdfScope::link_of(const std::string& name, int line) {
  std::string at = name;
  for (std::size_t steps = 0; steps <= names_.size(); ++steps) {
    if (is_own(at)) return canonical_link(line);
    Entry* const entry = find(at);
    if (!entry) {
      std::size_t rest = 0;
      if (const Entry* const nested = find_nested(at, rest)) return nested->what.inner->link_of(at.substr(rest), line);
      if (at == "world") return kWorld;
      unknown(at, line);
      return std::nullopt;
    }
    if (entry->what.kind == SdfName::Kind::link) return entry->what.link;
    if (entry->what.kind == SdfName::Kind::model) return entry->what.inner->canonical_link(line);
    at = entry->what.attached;
  }
  file_.diagnostics.error(line, in_quotes(name) + " is attached to itself, in a circle");
  return std::nullopt;
}

void SdfScope::place_inner() {
  for (auto& [name, entry] : names_) {
    if (!entry.what.inner) continue;
    entry.what.inner->set_place(X_WS_ * pose(name, entry.what.pose.line));
    entry.what.inner->place_inner();
  }
}

}  // namespace verne
