#include "ptx/function_head_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ptx/constant_expression.h"

namespace warpfork::ptx {

namespace {

constexpr std::uint64_t kMaxDirectiveNumber = 0xffffffff;

/// Directives that only advise a compiler, with the most numbers that may follow.
constexpr std::pair<std::string_view, std::size_t> kIgnoredDirectives[] = {
    {"maxnctapersm", 1},      {"noreturn", 0},     {"explicitcluster", 0},     {"maxclusterrank", 1},
    {"blocksareclusters", 0}, {"abi_preserve", 1}, {"abi_preserve_control", 1}};

/// What stands before functions and variables of a module.
constexpr std::string_view kBeginnings[] = {"extern", "visible", "weak",  "common", "entry", "func",
                                            "global", "shared",  "const", "local",  "tex"};

/// Those that are not written are one.
Dim3 extents_of(std::vector<std::uint64_t> numbers) {
  numbers.resize(3, 1);
  return {static_cast<std::uint32_t>(numbers[0]), static_cast<std::uint32_t>(numbers[1]),
          static_cast<std::uint32_t>(numbers[2])};
}

std::optional<std::size_t> ignored_numbers(std::string_view word) {
  for (const auto& [text, count] : kIgnoredDirectives)
    if (text == word) return count;
  return std::nullopt;
}

}  // namespace

void skip_pragma(Cursor& cursor) {
  do {
    cursor.expect_string("a string");
  } while (cursor.accept(","));
  cursor.expect(";");
}

Function FunctionHeadParser::head(bool is_entry) {
  Function function;
  function.is_entry = is_entry;
  parameter_names_.clear();
  if (cursor_.accept_dotted("attribute")) variables_.attributes();
  if (!is_entry && cursor_.at("(")) function.returns = parameters();
  function_name_ = cursor_.expect_identifier(is_entry ? "the name of the entry" : "the name of the function");
  function.name = std::string(function_name_.text);
  function.location.line = function_name_.position.line;
  function.location.column = function_name_.position.column;
  if (cursor_.at("(")) function.parameters = parameters();
  if (is_entry) check_launched(function);
  directives(function);
  return function;
}

/// A launch writes to memory, not to registers.
void FunctionHeadParser::check_launched(const Function& entry) const {
  for (std::size_t i = 0; i < entry.parameters.size(); ++i)
    if (entry.parameters[i].space == StateSpace::Register)
      cursor_.fail(parameter_names_[i], "a parameter of an entry in a register", "declare it .param");
}

Function FunctionHeadParser::prototype() {
  Function function;
  function.is_declaration = true;
  parameter_names_.clear();
  if (cursor_.at("(")) function.returns = parameters();
  cursor_.expect_identifier("'_' as the name of the prototype");
  if (cursor_.at("(")) function.parameters = parameters();
  directives(function);
  cursor_.expect(";");
  return function;
}

std::vector<Variable> FunctionHeadParser::parameters() {
  std::vector<Variable> list;
  cursor_.expect("(");
  if (!cursor_.at(")")) {
    do {
      list.push_back(parameter());
    } while (cursor_.accept(","));
  }
  cursor_.expect(")");
  return list;
}

Variable FunctionHeadParser::parameter() {
  StateSpace space = StateSpace::Param;
  if (cursor_.accept_dotted("reg"))
    space = StateSpace::Register;
  else if (!cursor_.accept_dotted("param"))
    cursor_.fail_expected("'.param' or '.reg'");
  const Declaration declaration = variables_.declaration(space);
  const Token name = cursor_.expect_identifier("the name of a parameter");
  if (space == StateSpace::Register && declaration.vector_width > 1)
    cursor_.fail(name, "a parameter that is a vector register", "pass the elements one by one, or a .param array");
  parameter_names_.push_back(name);
  return variables_.variable(declaration, {}, name);
}

bool begins_declaration(const Token& token) {
  return std::ranges::any_of(kBeginnings, [&](std::string_view word) { return token.is_dotted(word); });
}

void FunctionHeadParser::directives(Function& function) {
  while (cursor_.peek().kind == TokenKind::Dotted && !begins_declaration(cursor_.peek()))
    directive(function, cursor_.take());
}

void FunctionHeadParser::directive(Function& function, const Token& word) {
  if (word.text == "pragma") {
    skip_pragma(cursor_);
  } else if (word.text == "attribute") {
    variables_.attributes();
  } else if (word.text == "maxntid") {
    if (function.required_threads.x != 0) fail_beside(word, "reqntid");
    std::uint64_t product = 1;
    for (std::uint64_t number : numbers(word.text, 1, 3)) product = std::min(product * number, kMaxDirectiveNumber);
    function.max_threads = static_cast<std::uint32_t>(product);
  } else if (word.text == "reqntid") {
    if (function.max_threads != 0) fail_beside(word, "maxntid");
    function.required_threads = extents_of(numbers(word.text, 1, 3));
  } else if (word.text == "reqnctapercluster") {
    function.cluster = extents_of(numbers(word.text, 1, 3));
  } else if (word.text == "maxnreg") {
    function.max_registers = static_cast<std::uint32_t>(numbers(word.text, 1, 1)[0]);
  } else if (word.text == "minnctapersm") {
    function.min_blocks = static_cast<std::uint32_t>(numbers(word.text, 1, 1)[0]);
  } else if (const auto most = ignored_numbers(word.text)) {
    if (*most > 0) numbers(word.text, 0, *most);
  } else {
    cursor_.fail(word, fmt::format("unknown directive '.{}' of a function", word.text),
                 "allowed: .maxntid .reqntid .maxnreg .minnctapersm .maxnctapersm .noreturn .pragma .attribute "
                 ".explicitcluster .reqnctapercluster .maxclusterrank .blocksareclusters .abi_preserve");
  }
}

void FunctionHeadParser::fail_beside(const Token& word, std::string_view other) const {
  cursor_.fail(word, fmt::format("'.{}' beside '.{}'", word.text, other), "an entry has one of them");
}

std::vector<std::uint64_t> FunctionHeadParser::numbers(std::string_view directive, std::uint64_t least,
                                                       std::size_t most) {
  std::vector<std::uint64_t> list;
  do {
    if (list.size() == most) cursor_.fail_here(fmt::format("more than {} numbers after .{}", most, directive));
    list.push_back(parse_count(cursor_, fmt::format("a number of .{}", directive), least, kMaxDirectiveNumber));
  } while (cursor_.accept(","));
  return list;
}

}  // namespace warpfork::ptx
