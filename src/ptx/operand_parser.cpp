#include "ptx/operand_parser.h"

#include <fmt/ranges.h>

#include <utility>

#include "base/text.h"
#include "ptx/constant_expression.h"

namespace warpfork::ptx {

namespace {

using NameKind = NameScopes::Meaning::Kind;

constexpr std::uint64_t kMaxIndex = std::uint64_t{1} << 40;

/// 0 … 3 for "x" … "w" and "r" … "a".
std::optional<std::uint8_t> component_from(std::string_view word) {
  static constexpr std::string_view kPlaces = "xyzw", kColours = "rgba";
  if (word.size() != 1) return std::nullopt;
  for (std::string_view letters : {kPlaces, kColours})
    if (const std::size_t at = letters.find(word[0]); at != std::string_view::npos)
      return static_cast<std::uint8_t>(at);
  return std::nullopt;
}

/// An address as an element of `[texture, {x, y}]`.
Operand without_brackets(AddressOperand address) {
  if (address.offset != 0) return address;
  if (const auto* id = std::get_if<RegisterId>(&address.base)) return RegisterOperand{*id};
  if (auto* symbol = std::get_if<SymbolOperand>(&address.base)) return std::move(*symbol);
  return address;
}

}  // namespace

void OperandParser::begin(Opcode opcode) {
  forward_functions_ = opcode == Opcode::Call;
  moves_ = opcode == Opcode::Mov;
  indexes_memory_ = !moves_;
  computes_ = opcode != Opcode::Call && opcode != Opcode::Brx;
}

Guard OperandParser::guard() {
  Guard guard;
  guard.negated = cursor_.accept("!");
  const Token name = cursor_.expect_identifier("a predicate register");
  const auto meaning = names_.find(name.text);
  if (!meaning) fail_undeclared(name);
  if (meaning->kind == NameKind::Variable) cursor_.fail(name, fmt::format("'{}' is not a register", name.text));
  guard.predicate = meaning->kind == NameKind::VectorRegister ? component(*meaning) : meaning->index;
  const ScalarType type = function_.registers[guard.predicate].type;
  if (type != ScalarType::Pred)
    cursor_.fail(name, fmt::format("'{}' guards an instruction but is of type .{}", name.text, to_string(type)),
                 "a guard must be a register of type .pred");
  return guard;
}

Operand OperandParser::list() {
  VectorOperand elements;
  elements.brackets = VectorOperand::Brackets::Parentheses;
  cursor_.expect("(");
  if (!cursor_.at(")")) {
    do {
      elements.elements.push_back(single_operand());
    } while (cursor_.accept(","));
  }
  cursor_.expect(")");
  return elements;
}

Operand OperandParser::operand() {
  Operand first = single_operand();
  forward_functions_ |= moves_;  // behind the result, the address of a function
  if (!cursor_.accept("|")) return first;
  PairOperand pair;
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(single_operand());
  return pair;
}

Operand OperandParser::single_operand() {
  const Nesting nesting(cursor_, nesting_);
  if (cursor_.at("{")) return braces();
  if (cursor_.at("[")) return brackets();
  if (cursor_.at("!") || cursor_.at("-")) {
    if (auto negated = negated_register(cursor_.at("-"))) return *negated;
  }
  if (cursor_.peek().kind == TokenKind::Identifier && cursor_.peek().text != "WARP_SZ") return named(cursor_.take());
  if (cursor_.at(";") || cursor_.at(",") || cursor_.at("}")) cursor_.fail_expected("an operand");
  return parse_constant(cursor_).value;
}

/// `!%p` and, in vmad, `-%r`; nothing if a constant expression follows.
std::optional<Operand> OperandParser::negated_register(bool minus) {
  Cursor ahead = cursor_;
  ahead.take();
  if (ahead.peek().kind != TokenKind::Identifier || ahead.peek().text == "WARP_SZ") return std::nullopt;
  const Token sign = cursor_.take();
  Operand operand = named(cursor_.take());
  auto* negated = std::get_if<RegisterOperand>(&operand);
  const bool is_predicate = negated != nullptr && function_.registers[negated->id].type == ScalarType::Pred;
  if (negated == nullptr || is_predicate == minus)
    cursor_.fail(sign, fmt::format("'{}' before an operand that cannot be negated", sign.text),
                 "'!' is for predicate registers");
  negated->negated = true;
  return operand;
}

Operand OperandParser::braces() {
  VectorOperand vector;
  cursor_.expect("{");
  if (!cursor_.at("}")) {
    do {
      vector.elements.push_back(single_operand());
    } while (cursor_.accept(","));
  }
  cursor_.expect("}");
  return vector;
}

Operand OperandParser::brackets() {
  cursor_.expect("[");
  AddressOperand first = address();
  if (cursor_.accept("]")) return first;
  VectorOperand tuple;
  tuple.brackets = VectorOperand::Brackets::Square;
  tuple.elements.push_back(without_brackets(std::move(first)));
  while (cursor_.accept(",")) tuple.elements.push_back(single_operand());
  cursor_.expect("]");
  return tuple;
}

AddressOperand OperandParser::address() {
  AddressOperand address;
  if (cursor_.peek().kind != TokenKind::Identifier || cursor_.peek().text == "WARP_SZ") {
    const Token at = cursor_.peek();
    const Constant literal = parse_constant(cursor_);
    if (!literal.is_integer()) cursor_.fail(at, "an address is an integer");
    address.base = literal.value.bits;
    return address;
  }
  const Token name = cursor_.take();
  const auto meaning = names_.find(name.text);
  if (meaning && meaning->kind != NameKind::Variable)
    address.base = meaning->kind == NameKind::VectorRegister ? component(*meaning) : meaning->index;
  else
    address.base = SymbolOperand{symbol_name(name), 0};
  address.offset = offset();
  return address;
}

/// Any number of `+ constant` and `- constant`.
std::int64_t OperandParser::offset() {
  std::uint64_t sum = 0;
  while (cursor_.at("+") || cursor_.at("-")) {
    const bool minus = cursor_.take().text == "-";
    const Token at = cursor_.peek();
    const Constant term = parse_constant_term(cursor_);
    if (!term.is_integer()) cursor_.fail(at, "an offset is an integer");
    sum += minus ? std::uint64_t{0} - term.value.bits : term.value.bits;
  }
  return static_cast<std::int64_t>(sum);
}

Operand OperandParser::named(const Token& name) {
  if (name.text == "_") return SinkOperand{};
  const auto meaning = names_.find(name.text);
  if (meaning && meaning->kind != NameKind::Variable) return register_operand(*meaning);
  if (!meaning && name.text[0] == '%') {
    if (const auto special = special_register_from(name.text.substr(1))) return special_register(name, *special);
  }
  return variable(name);
}

Operand OperandParser::register_operand(const NameScopes::Meaning& meaning) {
  if (meaning.kind == NameKind::VectorRegister) {
    if (cursor_.peek().kind == TokenKind::Dotted) return RegisterOperand{component(meaning)};
    VectorOperand vector;
    for (RegisterId i = 0; i < meaning.width; ++i) vector.elements.emplace_back(RegisterOperand{meaning.index + i});
    return vector;
  }
  RegisterOperand operand{meaning.index};
  if (cursor_.peek().kind == TokenKind::Dotted) {
    const Token word = cursor_.take();
    operand.selector = selector_bits(word.text);
    if (operand.selector == 0)
      cursor_.fail(word, fmt::format("'.{}' behind a register that is no vector", word.text),
                   "a selector of video instructions is '.b' or '.h' and up to four digits");
  }
  return operand;
}

RegisterId OperandParser::component(const NameScopes::Meaning& meaning) {
  const Token word = cursor_.peek();
  if (word.kind != TokenKind::Dotted) cursor_.fail_expected("a component of the vector, as in '.x'");
  const auto which = component_from(word.text);
  if (!which || *which >= meaning.width)
    cursor_.fail(word, fmt::format("a vector of {} has no component '.{}'", meaning.width, word.text));
  cursor_.take();
  return meaning.index + *which;
}

Operand OperandParser::special_register(const Token& name, SpecialRegister which) {
  if (cursor_.peek().kind == TokenKind::Dotted) {
    const Token word = cursor_.take();
    const auto component = component_from(word.text);
    if (!component || !has_components(which))
      cursor_.fail(word, fmt::format("'{}' has no component '.{}'", name.text, word.text));
    return SpecialRegisterOperand{which, *component};
  }
  if (!has_components(which)) return SpecialRegisterOperand{which, 0};
  VectorOperand vector;
  for (std::uint8_t i = 0; i < 4; ++i) vector.elements.emplace_back(SpecialRegisterOperand{which, i});
  return vector;
}

Operand OperandParser::variable(const Token& name) {
  SymbolOperand symbol{symbol_name(name), 0};
  if (cursor_.at("[")) return indexed(name, std::move(symbol));
  symbol.offset = offset();
  return symbol;
}

/// `table[2]`: an element's address in mov, the element itself in a load or store (ISA, "Arrays as Operands").
Operand OperandParser::indexed(const Token& name, SymbolOperand symbol) {
  const auto meaning = names_.find(name.text);
  const ModuleSymbols::Symbol* const shared = meaning ? nullptr : symbols_.find(name.text);
  const unsigned bytes = meaning ? names_.element_bytes(*meaning) : shared != nullptr ? shared->element_bytes : 0;
  if (bytes == 0) cursor_.fail_here(fmt::format("'{}' is not an array", name.text));
  cursor_.expect("[");
  if (cursor_.peek().kind == TokenKind::Identifier && cursor_.peek().text != "WARP_SZ") {
    if (!computes_) cursor_.fail_here("a register as an index", "add it to the array's address in a register first");
    const RegisterId address = element(std::move(symbol), bytes);
    if (!indexes_memory_) return RegisterOperand{address};
    return AddressOperand{address, 0};
  }
  const std::uint64_t index = parse_count(cursor_, "an index", 0, kMaxIndex);
  cursor_.expect("]");
  const auto offset = static_cast<std::int64_t>(index * bytes);
  if (!indexes_memory_) {
    symbol.offset = offset;
    return symbol;
  }
  return AddressOperand{std::move(symbol), offset};
}

/// The address of `table[%r1+1]`. The index is an unsigned number, whatever its register says, as ptxas has it.
RegisterId OperandParser::element(SymbolOperand array, unsigned bytes) {
  using enum ScalarType;
  const auto number = [](std::uint64_t value) { return ImmediateOperand{ImmediateOperand::Kind::Integer, value}; };
  const Token name = cursor_.take();
  const auto meaning = names_.find(name.text);
  if (!meaning) fail_undeclared(name);
  if (meaning->kind == NameKind::Variable) cursor_.fail(name, fmt::format("'{}' is not a register", name.text));
  RegisterId index = meaning->kind == NameKind::VectorRegister ? component(*meaning) : meaning->index;
  const ScalarType type = function_.registers[index].type;
  const unsigned bits = bits_of(type);
  if (is_float(type) || bits < 16 || bits > 64)
    cursor_.fail(name, fmt::format("'{}' is no index: it is of type .{}", name.text, to_string(type)),
                 "an index is an integer of 16, 32 or 64 bits");
  const std::int64_t more = offset();
  cursor_.expect("]");
  if (bits == 16) index = computed(Opcode::Cvt, {}, U16, U32, {RegisterOperand{index}});
  const ScalarType wide = bits == 64 ? U64 : U32;
  if (more != 0)
    index = computed(Opcode::Add, {}, wide, wide, {RegisterOperand{index}, number(static_cast<std::uint64_t>(more))});
  const RegisterId base = computed(Opcode::Mov, {}, U64, U64, {std::move(array)});
  const Modifier half = bits == 64 ? Modifier::Lo : Modifier::Wide;
  return computed(Opcode::Mad, {half}, wide, U64, {RegisterOperand{index}, number(bytes), RegisterOperand{base}});
}

/// In a register of its own.
RegisterId OperandParser::computed(Opcode opcode, const ModifierList& modifiers, ScalarType type, ScalarType result,
                                   std::vector<Operand> sources) {
  const RegisterId id = names_.add_register("%element", result);
  Instruction& made = computations_.emplace_back();
  made.opcode = opcode;
  made.modifiers = modifiers;
  made.types = opcode == Opcode::Cvt ? TypeList{result, type} : TypeList{type};
  made.operands = std::move(sources);
  made.operands.insert(made.operands.begin(), RegisterOperand{id});
  return id;
}

/// The flat name of a variable of the body, or a name of the module.
std::string OperandParser::symbol_name(const Token& name) {
  if (const auto meaning = names_.find(name.text)) return names_.variable_name(*meaning);
  if (name.text[0] == '%') fail_undeclared(name);
  if (!symbols_.has(name.text) && !forward_functions_) fail_undeclared(name);
  symbols_.use(name);
  return std::string(name.text);
}

void OperandParser::fail_undeclared(const Token& name) const {
  std::vector<std::string> known = names_.names_in_sight();
  for (std::string_view symbol : symbols_.names()) known.emplace_back(symbol);
  cursor_.fail(name, fmt::format("'{}' is not declared", name.text),
               known.empty()
                   ? "declare it first, as in '.reg .b32 %r<8>;'"
                   : fmt::format("nearest names in sight: {}", fmt::join(nearest_names(name.text, known), ", ")));
}

}  // namespace warpfork::ptx
