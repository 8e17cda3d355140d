#include "reproduce/row.h"

#include <fmt/core.h>

#include <chrono>
#include <cmath>

#include "verne/base/error.h"

namespace verne::reproduce {

std::string title_of(Document document) {
  switch (document) {
    case Document::thesis:
      return "Barman 2020 [B20]: Recursive Newton-Euler Dynamics and Sensitivity Analysis for Dynamic Motion Planning";
    case Document::khalil:
      return "Khalil 2010 [K10]: Dynamic Modeling of Robots Using Recursive Newton-Euler Techniques";
    case Document::nasser:
      return "Nasser [Nasser]: Recursive Newton-Euler Formulation of Manipulator Dynamics";
    case Document::lie:
      return "Notes [L]: Recursive Newton-Euler Algorithm, Lie Algebra Formulation";
  }
  return "";
}

bool Finding::holds() const {
  return std::abs(obtained - expected()) <= tolerance;
}

bool Finding::as_printed() const {
  return !printed || std::abs(obtained - *printed) <= std::max(known ? 0 : tolerance, rounding);
}

Finding& Answer::add_printed(std::string of, std::string unit, double printed, double obtained, double tolerance) {
  Finding finding;
  finding.of = std::move(of), finding.unit = std::move(unit), finding.printed = printed;
  finding.obtained = obtained, finding.tolerance = tolerance;
  findings.push_back(std::move(finding));
  return findings.back();
}

Finding& Answer::add_disagreement(std::string of, double obtained, double tolerance) {
  Finding finding;
  finding.of = std::move(of), finding.obtained = obtained, finding.known = 0, finding.tolerance = tolerance;
  findings.push_back(std::move(finding));
  return findings.back();
}

std::string to_string(Verdict verdict, const std::string& why) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::agrees_after_erratum:
      return "agrees after " + why;
    case Verdict::differs:
      return "differs because " + why;
    case Verdict::disagrees:
      return "disagrees: " + why;
    case Verdict::not_available:
      return "not available: " + why;
  }
  return "";
}

namespace {

/// The verdict that follows from the findings, and what it rests on.
void judge(Result& result) {
  const Answer& answer = result.answer;
  bool as_printed = true;
  for (const Finding& finding : answer.findings) {
    if (!finding.holds()) {
      result.verdict = Verdict::disagrees;
      result.why = fmt::format("{} is {:.9g}{}{}, expected {:.9g} within {:.2g}", finding.of, finding.obtained,
                               finding.unit.empty() ? "" : " ", finding.unit, finding.expected(), finding.tolerance);
      return;
    }
    as_printed = as_printed && finding.as_printed();
  }
  if (as_printed) return;
  if (!answer.erratum.empty()) {
    result.verdict = Verdict::agrees_after_erratum, result.why = answer.erratum;
  } else if (!answer.reason.empty()) {
    result.verdict = Verdict::differs, result.why = answer.reason;
  } else {
    result.verdict = Verdict::disagrees, result.why = "the print says something else";
  }
}

}  // namespace

Result run_row(const Row& row, Sources& sources) {
  Result result;
  result.row = &row;
  const auto start = std::chrono::steady_clock::now();
  try {
    row.run(sources, result.answer);
    judge(result);
  } catch (const NotAvailable& missing) {
    result.verdict = Verdict::not_available, result.why = missing.why;
  } catch (const InputError& error) {
    result.verdict = Verdict::disagrees, result.why = error.problems().at(0).text;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string command_of(const Row& row) {
  return "verne reproduce --only " + row.name;
}

}  // namespace verne::reproduce
