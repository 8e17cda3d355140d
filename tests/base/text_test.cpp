#include "verne/base/text.h"

#include <gtest/gtest.h>

#include "verne/base/error.h"

namespace verne {
namespace {

TEST(Text, KnowsUtf8) {
  const std::string sound[] = {
      "", "abc", "knee ü €", "\xF0\x9F\xA4\x96", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"};
  for (const std::string& text : sound) EXPECT_EQ(find_invalid_utf8(text), std::string::npos) << text;
  const std::string bad[] = {"\x80",
                             "\xFF",
                             "\xC3",
                             "\xE2\x82",
                             "\xE2\x28\xA1",
                             "\xC0\xAF",
                             "\xE0\x80\xAF",
                             "\xED\xA0\x80",
                             "\xF4\x90\x80\x80",
                             "\xF8\x88\x80\x80\x80",
                             "\xF0\x80\x80\x80"};
  for (const std::string& text : bad) EXPECT_EQ(find_invalid_utf8("ok " + text), 3u) << testing::PrintToString(text);
}

TEST(Text, EveryCodeIsReadBack) {
  for (const char32_t code : {0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    std::string text;  // as the standard defines it
    if (code < 0x80) {
      text = {char(code)};
    } else if (code < 0x800) {
      text = {char(0xC0 | code >> 6), char(0x80 | (code & 0x3F))};
    } else if (code < 0x10000) {
      text = {char(0xE0 | code >> 12), char(0x80 | (code >> 6 & 0x3F)), char(0x80 | (code & 0x3F))};
    } else {
      text = {char(0xF0 | code >> 18), char(0x80 | (code >> 12 & 0x3F)), char(0x80 | (code >> 6 & 0x3F)),
              char(0x80 | (code & 0x3F))};
    }
    const std::string longer = text + "x";  // the character is a part of it
    const Utf8Character character = first_character(longer);
    EXPECT_TRUE(character.valid);
    EXPECT_EQ(character.code, code);
    EXPECT_EQ(character.bytes, text);
  }
}

TEST(Text, WhatSteersIsShown) {
  EXPECT_EQ(escaped("Knie \"ü\" 膝\\"), "Knie \"ü\" 膝\\");
  EXPECT_EQ(escaped("\x1b[31m"), "\\u001b[31m");
  EXPECT_EQ(escaped("a\tb\nc\x7f"), "a\\u0009b\\u000ac\\u007f");
  EXPECT_EQ(escaped("a\tb\nc", "\n"), "a\\u0009b\nc");
  EXPECT_EQ(escaped("\xC2\x9B"), "\\u009b");  // the one-character form of ESC [
  EXPECT_EQ(escaped("a\u202Eb\u2066c\u200F"), "a\\u202eb\\u2066c\\u200f");
  EXPECT_EQ(escaped("a\u2028b"), "a\\u2028b");
  EXPECT_EQ(escaped("a\xFFz"), "a\\xffz");
}

TEST(Text, AProblemIsOneLine) {
  EXPECT_EQ(to_string(Diagnostic{"a\nb.yaml", 3, "link '\x1b]0;x'"}, "error"),
            "a\\u000ab.yaml:3: error: link '\\u001b]0;x'");
}

}  // namespace
}  // namespace verne
