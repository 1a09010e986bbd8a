#include "ptx/unit_outline.h"

#include <algorithm>

#include "ptx/function_head_parser.h"

namespace warpfork::ptx {

namespace {

class OutlineReader {
 public:
  explicit OutlineReader(const Source& source) : cursor_(source) {}

  UnitOutline read() {
    while (cursor_.peek().kind != TokenKind::End) {
      if (cursor_.accept(";")) continue;
      if (cursor_.peek().kind != TokenKind::Dotted) cursor_.fail_expected("a directive, as in '.entry'");
      directive();
    }
    return std::move(outline_);
  }

 private:
  using Linkage = UnitOutline::Linkage;
  using Range = UnitOutline::Range;

  void directive() {
    begin_ = cursor_.peek().position.offset;
    if (cursor_.at_dotted("version") || cursor_.at_dotted("target") || cursor_.at_dotted("address_size"))
      return head_line();
    if (cursor_.accept_dotted("file")) return file();
    if (cursor_.accept_dotted("loc")) return pass(3);
    if (cursor_.accept_dotted("section")) {
      pass(1);
      return cursor_.skip_braces();
    }
    if (cursor_.accept_dotted("pragma")) return pass_statement();
    if (cursor_.accept_dotted("alias")) {
      const std::string_view name = cursor_.expect_identifier("the alias").text;
      pass_statement();
      return add(name, Linkage::Weak, true);
    }
    declaration();
  }

  void head_line() {
    const std::string_view word = cursor_.take().text;
    Token last = cursor_.take();
    if (word == "version") outline_.version = last.text;
    if (word == "address_size") outline_.address_bits = last.value;
    if (word == "target") {
      outline_.target = last.text;
      while (cursor_.accept(",")) {
        last = cursor_.take();
        outline_.target_options.push_back(last.text);
      }
    }
    outline_.header.push_back({begin_, end_of(last)});
  }

  void file() {
    outline_.most_file = std::max(outline_.most_file, cursor_.take().value);
    pass(1);
    while (cursor_.accept(",")) pass(1);
  }

  void declaration() {
    Linkage linkage = Linkage::Local;
    while (true) {
      if (cursor_.accept_dotted("extern"))
        linkage = Linkage::Extern;
      else if (cursor_.accept_dotted("visible"))
        linkage = Linkage::Visible;
      else if (cursor_.accept_dotted("weak") || cursor_.accept_dotted("common"))
        linkage = Linkage::Weak;
      else
        break;
    }
    if (cursor_.at_dotted("entry") || cursor_.at_dotted("func")) return function(linkage);
    variables(linkage);
  }

  void function(Linkage linkage) {
    cursor_.take();
    pass_group("(", ")");
    const std::string_view name = cursor_.expect_identifier("the name of a function").text;
    while (!cursor_.at("{") && !cursor_.at(";") && !begins_declaration(cursor_.peek())) pass(1);
    const bool is_definition = pass_group("{", "}");
    if (!is_definition && cursor_.at(";")) pass(1);
    add(name, linkage, is_definition);
  }

  /// A name is the first word of what commas part, but for attributes: `.global .attribute(.managed) .u32 a = 1, b[2];`
  void variables(Linkage linkage) {
    const std::size_t first = outline_.symbols.size();
    Range type{cursor_.peek().position.offset, 0};
    bool wants_name = true, is_declarator = false;
    while (!cursor_.at(";")) {
      if (wants_name && cursor_.peek().kind == TokenKind::Identifier) {
        if (outline_.symbols.size() == first) type.end = passed_;
        const Token name = cursor_.take();
        add(name.text, linkage, linkage != Linkage::Extern);
        outline_.symbols.back().type = type;
        outline_.symbols.back().declarator = {name.position.offset, end_of(name)};
        wants_name = false;
        is_declarator = true;
      } else if (cursor_.accept(",")) {
        wants_name = true;
        is_declarator = false;
      } else {
        if (cursor_.at("=")) is_declarator = false;
        if (!pass_group("(", ")") && !pass_group("{", "}") && !pass_group("[", "]")) pass(1);
        if (is_declarator) outline_.symbols.back().declarator.end = passed_;
      }
    }
    pass(1);
    for (std::size_t i = first; i < outline_.symbols.size(); ++i) {
      outline_.symbols[i].is_variable = true;
      outline_.symbols[i].range.end = passed_;
    }
  }

  void add(std::string_view name, Linkage linkage, bool is_definition) {
    outline_.symbols.push_back({name, linkage, is_definition, false, {begin_, passed_}, {}, {}});
  }

  void pass(int tokens) {
    for (int i = 0; i < tokens; ++i) {
      if (cursor_.peek().kind == TokenKind::End) cursor_.fail_expected("more");
      passed_ = end_of(cursor_.take());
    }
  }

  void pass_statement() {
    while (!cursor_.at(";")) pass(1);
    pass(1);
  }

  /// False if the next token does not open one.
  bool pass_group(std::string_view opens, std::string_view closes) {
    if (!cursor_.at(opens)) return false;
    for (int depth = 0; true;) {
      depth += cursor_.at(opens) ? 1 : cursor_.at(closes) ? -1 : 0;
      pass(1);
      if (depth == 0) return true;
    }
  }

  /// Not of a string: no range ends with one.
  static std::size_t end_of(const Token& token) {
    return token.position.offset + token.text.size() + (token.kind == TokenKind::Dotted ? 1 : 0);
  }

  Cursor cursor_;
  UnitOutline outline_;
  std::size_t begin_ = 0, passed_ = 0;  // where the directive begins, and where what was passed last ends
};

}  // namespace

UnitOutline UnitOutline::of(const Source& source) { return OutlineReader(source).read(); }

}  // namespace warpfork::ptx
