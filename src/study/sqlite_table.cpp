#include <sqlite3.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>

#include "study/tables.h"
#include "verne/base/error.h"

namespace verne {

namespace {

namespace fs = std::filesystem;

std::string quoted_name(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

/// To SQL, names that differ by case alone are one; what comes later then gets a number.
class ColumnNames {
 public:
  std::string distinct(const std::string& name) {
    std::string candidate = name;
    for (int k = 2; !seen_.insert(lower(candidate)).second; ++k) candidate = name + "_" + std::to_string(k);
    return quoted_name(candidate);
  }

 private:
  static std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }
  std::set<std::string> seen_{"point", "status", "success", "binding", "started_from", "reason"};
};

class Database {
 public:
  explicit Database(std::string path) : path_(std::move(path)) {
    if (sqlite3_open(path_.c_str(), &handle_) != SQLITE_OK) fail();
    run("PRAGMA journal_mode=OFF");
    run("PRAGMA synchronous=OFF");
    run("BEGIN");
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& statement) {
    if (sqlite3_exec(handle_, statement.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }
  void finish() {
    run("COMMIT");
    if (sqlite3_close(handle_) != SQLITE_OK) fail();
    handle_ = nullptr;
  }
  [[noreturn]] void fail() const { throw EnvironmentError(path_ + ": " + sqlite3_errmsg(handle_)); }
  sqlite3* handle() const { return handle_; }

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

/// Rows into one table, one after the other.
class Insertion {
 public:
  /// `columns` as SQL has them, with types.
  Insertion(Database& database, const std::string& table, const std::vector<std::string>& columns)
      : database_(database) {
    std::string definition, places;
    for (const std::string& column : columns) {
      definition += (definition.empty() ? "" : ", ") + column;
      places += places.empty() ? "?" : ",?";
    }
    database.run("CREATE TABLE " + table + " (" + definition + ")");
    const std::string insert = "INSERT INTO " + table + " VALUES (" + places + ")";
    if (sqlite3_prepare_v2(database.handle(), insert.c_str(), -1, &statement_, nullptr) != SQLITE_OK) database.fail();
  }
  ~Insertion() { sqlite3_finalize(statement_); }
  Insertion(const Insertion&) = delete;
  Insertion& operator=(const Insertion&) = delete;

  Insertion& put(double value) {
    std::isfinite(value) ? sqlite3_bind_double(statement_, ++at_, value) : sqlite3_bind_null(statement_, ++at_);
    return *this;
  }
  Insertion& put(int value) { return sqlite3_bind_int(statement_, ++at_, value), *this; }
  Insertion& put(const std::string& text) {
    sqlite3_bind_text(statement_, ++at_, text.c_str(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    return *this;
  }
  void end_row() {
    if (sqlite3_step(statement_) != SQLITE_DONE) database_.fail();
    sqlite3_reset(statement_);
    at_ = 0;
  }

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int at_ = 0;
};

void insert_points(Database& database, const Study& study, const StudyOutcome& outcome) {
  ColumnNames names;
  std::vector<std::string> columns{"point INTEGER PRIMARY KEY"};
  for (const ParameterRange& range : study.spec.parameters) {
    columns.push_back(names.distinct(range.name) + " REAL");
  }
  columns.insert(columns.end(), {"status TEXT", "success INTEGER"});
  for (const std::string& column : study.work->columns()) {
    columns.push_back(names.distinct(column) + " REAL");
  }
  columns.insert(columns.end(), {"binding TEXT", "started_from INTEGER", "reason TEXT"});
  Insertion points(database, "points", columns);
  for (std::size_t k = 0; k < outcome.rows.size(); ++k) {
    const StudyRow& row = outcome.rows[k];
    if (!row.done) continue;
    points.put(static_cast<int>(k));
    for (const double value : study.points.point(static_cast<int>(k))) points.put(value);
    points.put(row.result.status).put(static_cast<int>(row.result.success));
    for (const double value : row.result.results) points.put(value);
    points.put(row.result.binding);
    row.started_from >= 0 ? points.put(row.started_from) : points.put(NAN);
    points.put(row.result.reason).end_row();
  }
}

void insert_times(Database& database, const StudyOutcome& outcome) {
  Insertion times(database, "times", {"point INTEGER PRIMARY KEY", "seconds REAL", "tries INTEGER"});
  for (std::size_t k = 0; k < outcome.rows.size(); ++k) {
    const StudyRow& row = outcome.rows[k];
    if (row.done) times.put(static_cast<int>(k)).put(row.seconds).put(row.tries).end_row();
  }
}

void insert_sensitivity(Database& database, const Study& study, const StudyOutcome& outcome) {
  const std::vector<std::string> names = sensitivity_columns(study);
  if (names.empty()) return;
  std::vector<std::string> columns{"result TEXT", "parameter TEXT"};
  for (const std::string& name : names) columns.push_back(name + " REAL");
  Insertion sensitivity(database, "sensitivity", columns);
  for (const SensitivityRow& row : sensitivity_rows(study, outcome)) {
    sensitivity.put(row.result).put(row.parameter);
    for (const double value : row.values) sensitivity.put(value);
    sensitivity.end_row();
  }
}

}  // namespace

void write_sqlite(const Study& study, const StudyOutcome& outcome, const std::string& folder) {
  const std::string path = (fs::path(folder) / "study.sqlite").string();
  const std::string temporary = path + ".new";  // one process at a time writes here: it has the journal
  std::error_code error;
  fs::remove(temporary, error);
  try {
    Database database(temporary);
    insert_points(database, study, outcome);
    insert_times(database, outcome);
    insert_sensitivity(database, study, outcome);
    database.finish();
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
  fs::rename(temporary, path, error);
  if (error) throw EnvironmentError(path + ": " + error.message());
}

}  // namespace verne
