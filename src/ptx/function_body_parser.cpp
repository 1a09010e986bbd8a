#include "ptx/function_body_parser.h"

#include <utility>

#include "ptx/constant_expression.h"
#include "ptx/function_head_parser.h"

namespace warpfork::ptx {

namespace {

constexpr unsigned kMaxScopes = 200;
constexpr std::uint64_t kMaxSourceNumber = 0xffffffff;

}  // namespace

FunctionBodyParser::FunctionBodyParser(Cursor& cursor, Function& function, VariableParser& variables,
                                       ModuleSymbols& symbols, SourcePlaces& places, std::size_t& module_registers)
    : cursor_(cursor),
      function_(function),
      variable_parser_(variables),
      symbols_(symbols),
      places_(places),
      names_(function, cursor.source(), module_registers),
      labels_(function, cursor.source()),
      instructions_(cursor, function, names_, labels_, symbols) {}

void FunctionBodyParser::declare_registers(const std::vector<RegisterDeclaration>& of_module) {
  names_.declare_registers(of_module);
  names_.open();
}

void FunctionBodyParser::declare_parameters(const std::vector<Token>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t returns = function_.returns.size();
    const Variable& parameter = i < returns ? function_.returns[i] : function_.parameters[i - returns];
    if (parameter.space == StateSpace::Register)
      names_.declare_register(names[i], parameter.type, 1);
    else
      names_.declare_variable(names[i], false, bytes_of(parameter.type));
  }
}

void FunctionBodyParser::parse() {
  places_.begin_function();
  cursor_.expect("{");
  open_scope();
  while (depth_ > 0) statement();
  labels_.close();
}

void FunctionBodyParser::open_scope() {
  if (++depth_ > kMaxScopes) cursor_.fail_here(fmt::format("scopes nested more than {} deep", kMaxScopes));
  names_.open();
  if (depth_ > 1) labels_.open();
}

void FunctionBodyParser::close_scope() {
  names_.close();
  if (depth_ > 1) labels_.close();
  --depth_;
}

void FunctionBodyParser::statement() {
  if (cursor_.accept("{")) return open_scope();
  if (cursor_.accept("}")) return close_scope();
  if (cursor_.accept(";")) return;
  if (cursor_.accept("@")) {
    const Guard guard = instructions_.guard();
    return instructions_.parse(cursor_.expect_identifier("an instruction"), guard, source_place_);
  }
  if (cursor_.peek().kind == TokenKind::Dotted) return directive(cursor_.take());
  const Token word = cursor_.expect_identifier("an instruction, a label, a directive or '}'");
  if (cursor_.accept(":")) return label(word);
  instructions_.parse(word, std::nullopt, source_place_);
}

void FunctionBodyParser::directive(const Token& word) {
  if (word.text == "reg") return names_.declare_registers(variable_parser_.registers());
  if (word.text == "loc") return source_place();
  if (word.text == "pragma") return skip_pragma(cursor_);
  if (const auto space = VariableParser::space_from(word.text)) return variables(*space, word);
  const bool needs_label = word.text == "branchtargets" || word.text == "calltargets" || word.text == "callprototype";
  cursor_.fail(word, fmt::format("unexpected directive '.{}'", word.text),
               needs_label ? "it needs a label before it, as in 'table: .branchtargets L1, L2;'"
                           : "allowed in a body: .reg .local .shared .param .const .global .loc .pragma");
}

void FunctionBodyParser::variables(StateSpace space, const Token& word) {
  const Declaration declaration = variable_parser_.declaration(space);
  do {
    const Token first = cursor_.expect_identifier(fmt::format("the name of a .{} variable", word.text));
    for (const Token& name : variable_parser_.names(first)) variable(declaration, name);
  } while (cursor_.accept(","));
  cursor_.expect(";");
}

/// What lies in device memory is there once, whoever runs the function: the module's, under a name of its own.
void FunctionBodyParser::variable(const Declaration& declaration, const Token& name) {
  Variable variable = variable_parser_.variable(declaration, {}, name);
  if (declaration.space == StateSpace::Shared || declaration.space == StateSpace::Local ||
      declaration.space == StateSpace::Param) {
    variable.name = names_.declare_variable(name, symbols_.has(name.text), declaration.element_bytes());
    function_.variables.push_back(std::move(variable));
    return;
  }
  const auto is_taken = [&](const std::string& text) { return symbols_.has(text); };
  variable.name = names_.declare_lifted(name, is_taken, declaration.element_bytes());
  lifted_.push_back({variable_parser_.renamed(name, variable.name), declaration.element_bytes(), std::move(variable)});
}

/// Behind `label:`, which may name an instruction or a table.
void FunctionBodyParser::label(const Token& name) {
  if (cursor_.accept_dotted("branchtargets")) return branch_targets(name);
  if (cursor_.accept_dotted("calltargets")) return call_targets(name);
  if (!cursor_.accept_dotted("callprototype")) return labels_.define_target(name);
  const std::string key = labels_.define_table(name);
  function_.prototypes[key] = FunctionHeadParser(cursor_, variable_parser_).prototype();
}

void FunctionBodyParser::branch_targets(const Token& label) {
  const std::string key = labels_.define_table(label);
  auto& table = function_.branch_targets[key];
  do {
    const Token target = cursor_.expect_identifier("a label");
    labels_.use_in_table(target, key, table.size());
    table.push_back({std::string(target.text), kNoPc});
  } while (cursor_.accept(","));
  cursor_.expect(";");
}

void FunctionBodyParser::call_targets(const Token& label) {
  auto& table = function_.call_targets[labels_.define_table(label)];
  do {
    const Token target = cursor_.expect_identifier("the name of a function");
    symbols_.use(target);
    table.emplace_back(target.text);
  } while (cursor_.accept(","));
  cursor_.expect(";");
}

/// `1 25 3`, of which the column is dropped.
SourcePlace FunctionBodyParser::place() {
  const auto number = [&] {
    return static_cast<std::uint32_t>(parse_count(cursor_, "a number of .loc", 0, kMaxSourceNumber));
  };
  SourcePlace place;
  place.file = number();
  place.line = number();
  number();
  return place;
}

/// `.loc 1 25 3` and, since ISA 7.2, `, function_name label, inlined_at 1 30 5`.
void FunctionBodyParser::source_place() {
  const SourcePlace loc = place();
  std::optional<SourcePlace> inlined_at;
  while (cursor_.accept(",")) {
    const Token word = cursor_.expect_identifier("'function_name' or 'inlined_at'");
    if (word.text == "function_name") {
      cursor_.expect_identifier("a label");
      if (cursor_.accept("+")) parse_count(cursor_, "a number of .loc", 0, kMaxSourceNumber);
    } else if (word.text == "inlined_at") {
      inlined_at = place();
    } else {
      cursor_.fail(word, fmt::format("unknown word '{}' of .loc", word.text), "allowed: function_name inlined_at");
    }
  }
  const SourcePlace shown = places_.place(loc, inlined_at);
  source_place_.source_file = shown.file;
  source_place_.source_line = shown.line;
}

}  // namespace warpfork::ptx
