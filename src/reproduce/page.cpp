/// The page: the look of the report, no script, figures as images within it.
#include <fmt/core.h>

#include <cctype>

#include "report/compress.h"
#include "report/style_sheet.h"
#include "report/svg_chart.h"
#include "reproduce/output.h"

namespace verne::reproduce {

namespace {

/// Beside the style sheet of the report.
constexpr const char* kOwnStyle = R"css(
.report { max-width: 1120px; }
.rows td, .rows th { padding: 5px 10px; }
.rows .badge, .lead .badge { white-space: nowrap; }
.row h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
.row .says { margin: 6px 0 10px; }
.row .place { color: var(--ink-2); }
.row .why { margin: 0 0 10px; overflow-wrap: anywhere; }
.row footer { margin-top: 10px; display: flex; flex-wrap: wrap; gap: 4px 18px; }
.row .table { margin-bottom: 10px; }
.row tbody th { min-width: 11em; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 12px; }
.figures figure { margin: 0; max-width: 560px; }
.figures img { display: block; width: 100%; height: auto; border: 1px solid var(--edge); border-radius: 8px; background: #fff; }
.figures figcaption { margin-top: 4px; font-weight: 500; font-size: 0.87rem; }
a { color: var(--accent); }
main > h2 { margin-top: 26px; }
@media (prefers-color-scheme: dark) { .figures img { filter: invert(0.9) hue-rotate(180deg); border-color: #ccc; } }
@media print { .figures img { filter: none; } }
)css";

struct Look {
  const char *tone, *words;
};
Look look_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return {"good", "agrees"};
    case Verdict::agrees_after_erratum:
      return {"good", "agrees after erratum"};
    case Verdict::differs:
      return {"fair", "differs, explained"};
    case Verdict::disagrees:
      return {"bad", "disagrees"};
    case Verdict::not_available:
      return {"fair", "not available"};
  }
  return {"bad", ""};
}

std::string badge(Verdict verdict) {
  const Look look = look_of(verdict);
  return fmt::format("<span class=\"badge {}\">{}</span>", look.tone, look.words);
}

std::string seconds_text(double seconds) {
  return fmt::format("{:.{}f} s", seconds, seconds < 9.95 ? 2 : 1);
}

std::string tile(const char* name, const std::string& value) {
  return fmt::format("<div class=\"tile\"><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

std::string head(const Reproduction& all) {
  double seconds = 0;
  for (const Result& result : all.results) seconds += result.seconds;
  std::string text =
      "<header><h1>The papers, reproduced</h1></header>\n<section class=\"summary\">\n<p class=\"lead\">";
  const int wrong = count(all, Verdict::disagrees);
  text += wrong == 0 ? "<span class=\"badge good\">nothing disagrees</span>"
                     : fmt::format("<span class=\"badge bad\">{} of {} disagree</span>", wrong, all.results.size());
  text +=
      " Every example, table, figure and number of the four source documents, beside what Verne obtains.</p>\n"
      "<dl class=\"tiles\">\n";
  text += tile("agree", std::to_string(count(all, Verdict::agrees)));
  text += tile("agree after an erratum", std::to_string(count(all, Verdict::agrees_after_erratum)));
  text += tile("differ, explained", std::to_string(count(all, Verdict::differs)));
  text += tile("disagree", std::to_string(wrong));
  if (const int missing = count(all, Verdict::not_available)) text += tile("not available", std::to_string(missing));
  text += tile("time", seconds_text(seconds)) + "</dl>\n";
  if (all.rows_left > 0) {
    text += fmt::format("<p class=\"note\">Interrupted: {} more were not run.</p>\n", all.rows_left);
  }
  return text + "</section>\n";
}

std::string overview(const Reproduction& all) {
  std::string text =
      "<section>\n<h2>Rows</h2>\n<div class=\"table\" tabindex=\"0\"><table "
      "class=\"rows\">\n<thead><tr><th>row</th>"
      "<th>place</th><th>verdict</th><th class=\"number\">time</th></tr></thead>\n<tbody>\n";
  for (const Result& result : all.results) {
    const Row& row = *result.row;
    text += fmt::format(
        "<tr><th scope=\"row\"><a href=\"#{0}\">{0}</a></th><td>{1}</td><td>{2}</td><td "
        "class=\"number\">{3}</td></tr>\n",
        xml_escaped(row.name), xml_escaped(row.place), badge(result.verdict), seconds_text(result.seconds));
  }
  return text + "</tbody></table></div>\n</section>\n";
}

std::string findings(const Answer& answer) {
  if (answer.findings.empty() && answer.timings.empty()) return "";
  std::string text =
      "<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr><th>what</th><th class=\"number\">document says</th>"
      "<th class=\"number\">obtained</th><th class=\"number\">difference</th><th class=\"number\">held against</th>"
      "</tr></thead>\n<tbody>\n";
  const auto add = [&](const std::string& of, const std::string& unit, const std::string& printed,
                       const std::string& obtained, const std::string& difference, const std::string& known) {
    text += fmt::format("<tr><th scope=\"row\">{}{}</th>", xml_escaped(of),
                        unit.empty() ? "" : " <span class=\"quiet\">(" + xml_escaped(unit) + ")</span>");
    for (const std::string& cell : {printed, obtained, difference, known}) {
      text += "<td class=\"number\">" + cell + "</td>";
    }
    text += "</tr>\n";
  };
  for (const Finding& finding : answer.findings) {
    const bool disagreement = !finding.printed && finding.expected() == 0;  // which is its own difference from nothing
    add(finding.of, finding.unit, finding.printed ? number_text(*finding.printed) : "", number_text(finding.obtained),
        disagreement ? "" : number_text(finding.difference()),
        finding.known && !disagreement ? number_text(*finding.known) : "");
  }
  for (const Timing& timing : answer.timings) {
    add(timing.of, "s", number_text(timing.printed), fmt::format("{:.2f}", timing.obtained),
        fmt::format("{:.1f} times as fast", timing.printed / timing.obtained), "");
  }
  return text + "</tbody></table></div>\n";
}

std::string figures(const Result& result) {
  if (result.answer.figures.empty()) return "";
  std::string text = "<div class=\"figures\">\n";
  for (const Figure& figure : result.answer.figures) {
    const std::string caption = xml_escaped(figure.caption);
    text += fmt::format(
        "<figure><img alt=\"{0}\" src=\"data:image/svg+xml;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
        caption, base64(figure.svg));
  }
  return text + "</div>\n";
}

/// Verdicts begin with a small letter.
std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

std::string section(const Result& result) {
  const Row& row = *result.row;
  const std::string name = xml_escaped(row.name);
  std::string text = fmt::format("<section class=\"row\" id=\"{}\">\n<header><h3>{}</h3>{}</header>\n", name,
                                 xml_escaped(row.place), badge(result.verdict));
  text += fmt::format("<p class=\"says\">{}</p>\n", xml_escaped(row.says));
  if (!result.why.empty()) {
    const bool wrong = result.verdict == Verdict::disagrees;
    text += fmt::format("<p class=\"why{}\">{}</p>\n", wrong ? " note" : "",
                        xml_escaped(sentence(to_string(result.verdict, result.why))));
  }
  text += findings(result.answer) + figures(result);
  text += fmt::format("<footer><code>{}</code><span>{}</span></footer>\n</section>\n", xml_escaped(command_of(row)),
                      seconds_text(result.seconds));
  return text;
}

}  // namespace

std::string reproduction_page(const Reproduction& all) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
      "data:\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>The papers, reproduced</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>\n{}{}</style>\n</head>\n<body>\n<main class=\"report\">\n",
      kStyleSheet, kOwnStyle);
  text += head(all) + overview(all);
  std::optional<Document> document;
  for (const Result& result : all.results) {
    if (document != result.row->document) {
      document = result.row->document;
      text += "<h2>" + xml_escaped(title_of(*document)) + "</h2>\n";
    }
    text += section(result);
  }
  return text + "<footer>" + xml_escaped(all.program) + "</footer>\n</main>\n</body>\n</html>\n";
}

}  // namespace verne::reproduce
