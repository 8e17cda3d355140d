/// What `verne reproduce` shows: rows, each a claim of a source document beside what is obtained here.
///
/// A row is an entry of a list (rows.h): its name, the place of the claim, the claim in words, and a function that
/// obtains the same. What the function finds are numbers with what they are held against, so that the verdict follows
/// and is nobody's opinion.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace verne::reproduce {

class Sources;

enum class Document { thesis, khalil, nasser, lie };
/// The document's title, author and year, and its key in docs/references.bib.
std::string title_of(Document document);

/// One number of a row.
struct Finding {
  std::string of, unit;
  std::optional<double> printed;  ///< by the document
  double obtained = 0;
  std::optional<double> known;  ///< from elsewhere, where the print is rounded or wrong: counts in its place
  double tolerance = 0;         ///< |obtained − known or printed| that passes
  double rounding = 0;          ///< half a unit of the last digit that is printed

  /// What it is held against: an unknown number against itself.
  double expected() const { return known ? *known : printed.value_or(obtained); }
  /// From the print where there is one.
  double difference() const { return obtained - printed.value_or(expected()); }
  bool holds() const;
  bool as_printed() const;
};

/// Seconds beside those that the document tells. They differ from run to run and are kept apart.
struct Timing {
  std::string of;
  double printed = 0, obtained = 0;
};

struct Figure {
  std::string file;     ///< its name: that of the row, and what tells it from others of the row
  std::string caption;  ///< "Figure 4.2: …"
  std::string svg;
};

/// What a row obtains.
struct Answer {
  std::vector<Finding> findings;
  std::vector<Figure> figures;
  std::vector<Timing> timings;
  std::string erratum;  ///< of docs/errata.md, after which the document agrees
  std::string reason;   ///< why what is obtained differs from the print although it holds

  /// A number that the document prints, and by how much it may be off.
  Finding& add_printed(std::string of, std::string unit, double printed, double obtained, double tolerance);
  /// A number that should vanish: a disagreement, relative unless there is a unit.
  Finding& add_disagreement(std::string of, double obtained, double tolerance);
};

/// not_available: a part of the program that the row needs was not built.
enum class Verdict { agrees, agrees_after_erratum, differs, disagrees, not_available };
/// In words: "agrees", "agrees after erratum 3.13", "differs because …", "disagrees: …".
std::string to_string(Verdict verdict, const std::string& why);

struct Row {
  std::string name;  ///< unique, for the command line
  Document document = Document::thesis;
  std::string place, says;
  std::function<void(Sources&, Answer&)> run;
};

/// A part that a row needs was not built.
struct NotAvailable {
  std::string why;
};
/// The user wishes to end.
struct Stopped {};

/// A row with what was obtained.
struct Result {
  const Row* row = nullptr;
  Answer answer;
  Verdict verdict = Verdict::agrees;
  std::string why;  ///< behind the verdict, in words
  double seconds = 0;
};

/// Runs one row: errors of models and methods are disagreements, too. Throws Stopped, and EnvironmentError.
Result run_row(const Row& row, Sources& sources);
/// The command that runs it alone.
std::string command_of(const Row& row);

}  // namespace verne::reproduce
