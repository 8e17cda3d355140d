#include "io/xml/document.h"

#include <algorithm>
#include <string_view>

#include "io/number.h"

namespace verne {

namespace {

/// The text with blanks in place of comments: they may stand before the XML declaration and be in any encoding, as
/// their authors' editors left them.
std::string without_comments(std::string text) {
  constexpr std::string_view kBegin = "<!--", kEnd = "-->";
  for (std::size_t begin = text.find(kBegin); begin != std::string::npos; begin = text.find(kBegin, begin)) {
    const std::size_t end = text.find(kEnd, begin + kBegin.size());
    if (end == std::string::npos) break;  // cut off, as the parser will say
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(begin),
        text.begin() + static_cast<std::ptrdiff_t>(end + kEnd.size()), [](char c) { return c != '\n'; }, ' ');
  }
  return text;
}

std::string xml_problem(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "not a model: the file has no XML element";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "XML: an attribute is malformed or given twice";
    case tinyxml2::XML_ERROR_PARSING:
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "XML: an element is not closed as it should be; is the file cut off?";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "XML: elements are nested too deeply";
    default:
      return std::string("XML: ") + document.ErrorName() + "; is the file cut off?";
  }
}

}  // namespace

bool parse_xml(const std::string& text, Diagnostics& diagnostics, tinyxml2::XMLDocument& document) {
  if (text.find('\0') != std::string::npos) {
    diagnostics.error(0, "the file contains a zero byte; it is not XML");
    return false;
  }
  const std::string contents = without_comments(text);
  if (!require_utf8(contents, diagnostics)) return false;
  if (document.Parse(contents.data(), contents.size()) != tinyxml2::XML_SUCCESS) {
    diagnostics.error(document.ErrorLineNum(), xml_problem(document));
    return false;
  }
  if (document.RootElement()) return true;
  diagnostics.error(0, "not a model: the file has no XML element");  // nothing but a declaration
  return false;
}

std::string xml_root_name(const std::string& text) {
  const std::string contents = without_comments(text);
  for (std::size_t at = contents.find('<'); at != std::string::npos; at = contents.find('<', at + 1)) {
    const std::size_t end = contents.find_first_of(" \t\r\n/>", at + 1);
    const std::string name = contents.substr(at + 1, std::min(end, contents.size()) - at - 1);
    if (!name.empty() && name[0] != '?' && name[0] != '!') return name;
  }
  return "";
}

}  // namespace verne
