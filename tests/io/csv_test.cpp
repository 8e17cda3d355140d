/// Tables as RFC 4180 has them, both ways.
#include "io/csv.h"

#include <gtest/gtest.h>

#include <random>

#include "support/complaint.h"
#include "verne/base/error.h"

namespace verne::test {
namespace {

using Record = std::vector<std::string>;

std::vector<Record> records_of(const std::string& text, std::vector<int>* lines = nullptr) {
  CsvReader reader(text, "t.csv");
  std::vector<Record> records;
  for (Record cells; reader.next(cells);) {
    records.push_back(cells);
    if (lines) lines->push_back(reader.line());
  }
  return records;
}

/// Cells of all that could be mistaken for something else come back as they were.
TEST(Csv, WhatIsWrittenIsRead) {
  const std::vector<std::string> pieces{",", "\"", "\n", "\r", " ", "\t", "a", "é", "'", ";", "0"};
  std::mt19937_64 rng(4);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Record> records(1 + rng() % 3);
    std::string text = trial % 2 ? "\xEF\xBB\xBF" : "";
    for (Record& record : records) {
      record.resize(2 + rng() % 3);
      for (std::string& cell : record) {
        for (auto count = rng() % 5; count > 0; --count) cell += pieces[rng() % pieces.size()];
        text += csv_cell(cell) + (&cell == &record.back() ? (trial % 3 ? "\n" : "\r\n") : ",");
      }
    }
    EXPECT_EQ(records_of(text), records) << text;
  }
}

TEST(Csv, PlainCellsStayPlain) {
  EXPECT_EQ(csv_cell("q.elbow"), "q.elbow");
  EXPECT_EQ(csv_cell("power, of \"both\" motors"), "\"power, of \"\"both\"\" motors\"");
  EXPECT_EQ(csv_cell(""), "");
}

TEST(Csv, LinesAndBlanks) {
  std::vector<int> lines;
  EXPECT_EQ(records_of("\n a , \"b, \nc\" ,\r\n\r\n  \nd\re,", &lines),
            (std::vector<Record>{{"a", "b, \nc", ""}, {"d"}, {"e", ""}}));
  EXPECT_EQ(lines, (std::vector<int>{2, 6, 7}));
  EXPECT_TRUE(records_of("\xEF\xBB\xBF").empty());
}

TEST(Csv, Problems) {
  const auto problem = [](const std::string& text) { return complaint<InputError>([&] { records_of(text); }); };
  EXPECT_EQ(problem("a\n\"b\nc"), "t.csv:2: error: a cell begins with quotes that do not end");
  EXPECT_EQ(problem("a,b\"c\""),
            "t.csv:1: error: quotes inside of 'b\"c\"': a cell with quotes is in quotes, where each is written twice");
  EXPECT_EQ(problem("a\n\"b\" c"), "t.csv:2: error: text behind the quotes of 'b'");
  EXPECT_EQ(problem("\xFF\xFE"
                    "a"),
            "t.csv:1: error: the text is UTF-16: save it as UTF-8");
  EXPECT_EQ(complaint<InputError>([] {
              CsvReader reader("a,b, a", "t.csv");
              csv_header(reader, "t.csv");
            }),
            "t.csv:1: error: there are two columns of 'a'");
}

}  // namespace
}  // namespace verne::test
