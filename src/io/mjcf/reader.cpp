#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>

#include "io/mjcf/contents.h"
#include "io/xml/document.h"
#include "verne/io/model_io.h"

namespace verne {

namespace {

/// Bodies that may touch, and shapes that do whatever their masks say.
void read_contacts(MjcfContents& m, const MjcfElement& section) {
  constexpr int kFirstBit = 32, kBits = 32;  // more pairs share them
  m.file().files.for_each_child(section.xml(), section.file(), [&](const tinyxml2::XMLElement& xml, MjcfFile& in) {
    const MjcfElement element(xml, in, m.file().base, kMjcfMain);
    if (element.tag() == "exclude") {
      m.contacts.allowed.emplace_back(element.word("body1", ""), element.word("body2", ""));
    } else if (element.tag() == "pair") {
      const std::uint64_t bit = std::uint64_t{1} << (kFirstBit + m.pairs++ % kBits);
      for (const char* const geom : {"geom1", "geom2"}) m.in_pairs[element.word(geom, "")] |= bit;
    }
  });
}

void read_sections(MjcfContents& m, XmlLeftovers& leftovers) {
  static const std::set<std::string> kRead = {"compiler", "default", "option",   "asset",   "worldbody",
                                              "equality", "tendon",  "actuator", "keyframe"};
  static const std::set<std::string> kUnneeded = {"size", "visual", "statistic", "sensor", "custom", "extension"};
  MjcfDocument& file = m.file();
  std::optional<MjcfElement> option;
  for (const auto& [xml, in] : file.sections) {
    const MjcfElement section(*xml, *in, file.base, kMjcfMain);
    const std::string tag = section.tag();
    if (tag == "option") {
      m.options.read(section, m.spec.gravity);
      option = section;
    }
    if (tag == "contact") {
      read_contacts(m, section);
    } else if (tag == "deformable") {
      m.notes.not_modelled(section, "deformable bodies", "section", tag);
    } else if (kUnneeded.count(tag)) {
      leftovers.ignored(tag);
    } else if (!kRead.count(tag)) {
      m.notes.not_understood(section, "<" + tag + ">");
    }
  }
  const bool fluid = m.options.density > 0 || m.options.viscosity > 0;
  if (fluid && m.options.passive_forces()) {
    m.notes.not_modelled(*option, "forces of the fluid around the bodies", "option", "density and viscosity");
  }
  if (!m.options.gravity()) m.spec.gravity = {0, 0, 0};
}

void scale_to_total_mass(MjcfContents& m) {
  const double wanted = m.file().compiler.total_mass;
  double all = 0;
  for (const LinkSpec& link : m.spec.links) all += link.mass;
  if (wanted <= 0 || all == 0) return;
  const double factor = wanted / all;
  for (LinkSpec& link : m.spec.links) {
    link.mass *= factor;
    Sym3<double>& i = link.inertia;
    i = {i.xx * factor, i.xy * factor, i.xz * factor, i.yy * factor, i.yz * factor, i.zz * factor};
  }
}

}  // namespace

namespace {

ModelSpec read_whole(const std::string& text, const std::string& file, Diagnostics& diagnostics, Srdf& beside) {
  ModelSpec spec;
  spec.file = file;
  auto first = std::make_unique<MjcfFile>(file, std::filesystem::path(file).parent_path().string());
  if (!parse_xml(text, diagnostics, first->document)) return spec;
  const tinyxml2::XMLElement* root = first->document.RootElement();
  if (!root || std::strcmp(root->Name(), "mujoco") != 0) {
    diagnostics.error(root ? root->GetLineNum() : 0, "not MJCF: expected <mujoco>");
    return spec;
  }
  if (const char* name = root->Attribute("model")) spec.name = name;
  MjcfContents contents{spec, diagnostics};
  contents.documents.push_back(std::make_unique<MjcfDocument>(std::move(first)));
  contents.file().read();
  XmlLeftovers leftovers;
  read_sections(contents, leftovers);
  read_mjcf_bodies(contents);
  read_mjcf_constraints(contents);
  scale_to_total_mass(contents);
  contents.notes.report();
  leftovers.report(diagnostics);
  for (const auto& document : contents.documents) document->files.report(diagnostics);
  beside = {std::move(contents.states), std::move(contents.contacts)};
  return spec;
}

}  // namespace

ModelSpec read_mjcf(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  Srdf beside;
  return read_whole(text, file, diagnostics, beside);
}

void add_mjcf(const std::string& text, const std::string& file, Srdf& srdf) {
  Srdf beside;
  Diagnostics diagnostics(file);
  if (xml_root_name(text) != "mujoco") return;
  read_whole(text, file, diagnostics, beside);
  std::ranges::move(beside.states, std::back_inserter(srdf.states));
  std::ranges::move(beside.contacts.allowed, std::back_inserter(srdf.contacts.allowed));
  srdf.contacts.masks.merge(beside.contacts.masks);
}

}  // namespace verne
