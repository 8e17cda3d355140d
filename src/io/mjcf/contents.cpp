#include "io/mjcf/contents.h"

#include <algorithm>

#include "model/names_text.h"
#include "verne/io/model_io.h"

namespace verne {

namespace {

constexpr std::size_t kNamesOfNotes = 20;

}  // namespace

bool MjcfContents::have_errors() const {
  return std::ranges::any_of(documents, [](const auto& document) { return document->files.have_errors(); });
}

void MjcfOptions::read(const MjcfElement& option, Vec3<double>& gravity) {
  gravity = option.vector("gravity", gravity);
  density = option.number("density", density);
  viscosity = option.number("viscosity", viscosity);
  const tinyxml2::XMLElement* flags = option.xml().FirstChildElement("flag");
  for (auto* a = flags ? flags->FirstAttribute() : nullptr; a; a = a->Next()) {
    if (std::strcmp(a->Value(), "disable") == 0) {
      disabled_.insert(a->Name());
    } else {
      disabled_.erase(a->Name());
    }
  }
}

MjcfNotes::Found& MjcfNotes::find(std::map<std::string, Found>& kinds, const MjcfElement& element,
                                  const std::string& kind) {
  Found& found = kinds[kind];
  if (found.count++ == 0) found.file = &element.file(), found.line = element.line();
  return found;
}

void MjcfNotes::not_modelled(const MjcfElement& element, const std::string& what, const std::string& subject,
                             const std::string& name) {
  Found& found = find(not_modelled_, element, what);
  found.subject = subject;
  if (std::ranges::find(found.names, name) == found.names.end()) found.names.push_back(name);
}

void MjcfNotes::not_understood(const MjcfElement& element, const std::string& kind) {
  find(not_understood_, element, kind);
}

void MjcfNotes::report() const {
  for (const auto& [what, found] : not_modelled_) {
    found.file->diagnostics.warning(found.line, std::string(kNotModelled) + ", although it changes the dynamics: " +
                                                    group_text(what, found.subject, found.names, kNamesOfNotes));
  }
  for (const auto& [kind, found] : not_understood_) {
    const std::string count = found.count > 1 ? ", " + std::to_string(found.count) + " times, first here" : "";
    found.file->diagnostics.warning(found.line, "not understood: " + kind + count);
  }
}

}  // namespace verne
