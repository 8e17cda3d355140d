#include "io/yaml/tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <map>
#include <streambuf>

#include "io/number.h"

namespace verne {

namespace {

/// The deepest place of a model file is at level 7, the largest model has some ten thousand nodes.
constexpr std::size_t kDeepest = 32;
constexpr std::size_t kMostNodes = 2'000'000;
/// A map with more keys is not ours, and looking for keys given twice would take long.
constexpr std::size_t kMostKeys = 1000;

/// Of brackets that the parser has read and not reported yet; more than files have, also in comments and in texts.
constexpr long kMostOpenAhead = 10'000;

int line_of(const YAML::Mark& mark) {
  return mark.line + 1;
}

std::size_t node_count(const YamlNode& node) {
  std::size_t count = 1;
  for (const YamlNode& item : node.items) count += node_count(item);
  for (const YamlEntry& entry : node.entries) count += 1 + node_count(entry.value);
  return count;
}

/// Hands out a text piece by piece. The parser keeps all that follows a bracket until it knows whether a key or a value
/// begins there, two hundred bytes for each character: what could only be refused later is refused here.
class GuardedText final : public std::streambuf {
 public:
  explicit GuardedText(const std::string& text) : text_(text) {}
  /// What was handed out has been reported.
  void caught_up() { open_ = 0, values_ = 0; }

 protected:
  int_type underflow() override {
    if (at_ == text_.size()) return traits_type::eof();
    const std::size_t end = std::min(at_ + kPiece, text_.size());
    for (std::size_t k = at_; k < end; ++k) look_at(text_[k]);
    char* const begin = const_cast<char*>(text_.data());  // a streambuf of input does not write
    setg(begin + at_, begin + at_, begin + end);
    at_ = end;
    return traits_type::to_int_type(*gptr());
  }

 private:
  static constexpr std::size_t kPiece = 2048;

  void look_at(char c) {
    const bool opens = c == '[' || c == '{';
    line_ += c == '\n';
    open_ += opens ? 1 : c == ']' || c == '}' ? -1 : 0;
    values_ += opens || c == ',';
    if (open_ > kMostOpenAhead) refuse("nested too deeply");
    if (values_ > kMostNodes) refuse("too many values");
  }
  [[noreturn]] void refuse(const char* why) const {
    YAML::Mark mark;
    mark.line = line_;
    throw YAML::ParserException(mark, why);
  }

  const std::string& text_;
  std::size_t at_ = 0, values_ = 0;
  long open_ = 0;
  int line_ = 0;
};

/// Puts nodes where they belong as the parser reports them.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(Diagnostics& diagnostics, GuardedText& text) : diagnostics_(diagnostics), text_(text) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(mark, anchor, {YamlNode::Kind::null, line_of(mark), "", {}, {}});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    add(mark, anchor, {YamlNode::Kind::scalar, line_of(mark), value, {}, {}});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::list);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::map);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto anchored = anchored_.find(anchor);
    if (anchored == anchored_.end()) throw YAML::ParserException(mark, "an alias inside the node that it stands for");
    YamlNode copy = anchored->second;
    count(mark, node_count(copy));
    add(mark, 0, std::move(copy));
  }

 private:
  /// A list or map whose end has not come yet, and the key that waits for its value.
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
    std::string key;
    int key_line = 0;
  };

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
    text_.caught_up();
    check_tag(mark, tag);
    if (open_.size() >= kDeepest) throw YAML::ParserException(mark, "nested too deeply");
    open_.emplace_back();
    open_.back().node.kind = kind;
    open_.back().node.line = line_of(mark);
    open_.back().anchor = anchor;
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    YAML::Mark mark;
    mark.line = done.node.line - 1;
    add(mark, done.anchor, std::move(done.node));
  }

  void add(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode node) {
    text_.caught_up();
    count(mark, 1);
    if (anchor != 0) {
      count(mark, node_count(node));
      anchored_[anchor] = node;
    }
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.is_list()) {
      open_.back().node.items.push_back(std::move(node));
    } else if (!open_.back().has_key) {
      begin_entry(mark, std::move(node));
    } else {
      end_entry(mark, std::move(node));
    }
  }

  void begin_entry(const YAML::Mark& mark, YamlNode key) {
    if (!key.is_scalar()) throw YAML::ParserException(mark, "expected a word as key, found " + describe(key));
    Open& map = open_.back();
    map.has_key = true;
    map.key = std::move(key.text);
    map.key_line = line_of(mark);
  }

  void end_entry(const YAML::Mark& mark, YamlNode value) {
    Open& map = open_.back();
    map.has_key = false;
    auto& entries = map.node.entries;
    if (entries.size() >= kMostKeys) throw YAML::ParserException(mark, "too many keys in a map");
    const auto first = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.key == map.key; });
    if (first != entries.end()) {
      diagnostics_.error(map.key_line,
                         "key " + in_quotes(map.key) + " is given twice, first in line " + std::to_string(first->line));
      return;
    }
    entries.push_back({std::move(map.key), map.key_line, std::move(value)});
  }

  void count(const YAML::Mark& mark, std::size_t more) {
    count_ += more;
    if (count_ > kMostNodes) throw YAML::ParserException(mark, "too many values");
  }

  /// Plain values have the tag ?, quoted ones the tag !, in yaml-cpp's words.
  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.size() > 1) diagnostics_.error(line_of(mark), "tag " + in_quotes(tag) + ": tags are not understood");
  }

  Diagnostics& diagnostics_;
  GuardedText& text_;
  YamlNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchored_;
  std::size_t count_ = 0;
};

}  // namespace

YamlNode parse_yaml(const std::string& text, Diagnostics& diagnostics) {
  if (!require_utf8(text, diagnostics)) return {};
  try {
    GuardedText guarded(text);
    std::istream stream(&guarded);
    YAML::Parser parser(stream);
    TreeBuilder builder(diagnostics, guarded);
    parser.HandleNextDocument(builder);
    YamlNode root = builder.take();
    TreeBuilder rest(diagnostics, guarded);
    // A printed message ends with `---`, behind which there is nothing.
    if (parser.HandleNextDocument(rest) && rest.take().kind != YamlNode::Kind::null) {
      diagnostics.error(0, "more than one YAML document in the file");
    }
    return root;
  } catch (const YAML::Exception& exception) {
    diagnostics.error(exception.mark.is_null() ? 0 : line_of(exception.mark), "YAML: " + exception.msg);
    return {};
  }
}

const YamlNode* find_entry(const YamlNode& map, const std::string& key) {
  const auto found = std::ranges::find(map.entries, key, &YamlEntry::key);
  return found == map.entries.end() ? nullptr : &found->value;
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::scalar:
      return in_quotes(node.text);
    case YamlNode::Kind::list:
      return "a list of " + std::to_string(node.items.size());
    case YamlNode::Kind::map:
      return "a map";
    case YamlNode::Kind::null:
      break;
  }
  return "nothing";
}

}  // namespace verne
