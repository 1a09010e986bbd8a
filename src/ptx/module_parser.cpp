#include "ptx/module_parser.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "ptx/constant_expression.h"
#include "ptx/function_body_parser.h"
#include "ptx/function_head_parser.h"
#include "ptx/legacy_instructions.h"
#include "ptx/parser.h"

namespace warpfork::ptx {

namespace {

constexpr unsigned kNewestMajor = 9, kFusedMultiplyAdds = 20;
constexpr std::uint64_t kMaxFileNumber = 0xffffffff;

/// "sm_20", "sm_90a", "compute_75". Later numbers than the ISA has are taken: what is executed does not depend on them.
bool is_target(std::string_view word) {
  constexpr std::size_t kLeastDigits = 2, kMostDigits = 3;
  for (const std::string_view prefix : {"sm_", "compute_"})
    if (word.starts_with(prefix)) {
      word.remove_prefix(prefix.size());
      const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
      const std::string_view kind = word.substr(digits);
      return digits >= kLeastDigits && digits <= kMostDigits && (kind.empty() || kind == "a" || kind == "f");
    }
  return false;
}

bool is_target_option(std::string_view word) {
  return word == "texmode_unified" || word == "texmode_independent" || word == "debug" || word == "map_f64_to_f32";
}

bool same_shape(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Variable& x, const Variable& y) {
    return x.space == y.space && bits_of(x.type) == bits_of(y.type) && x.bytes == y.bytes;
  });
}

std::string other_place(const Location& before) {
  return fmt::format("the other declaration is in line {}", before.line);
}

/// An array that is declared .extern may leave its size to the definition.
void check_redeclared(const Variable& before, const Variable& now, const Token& name, const Cursor& cursor) {
  const bool one_size = before.bytes == now.bytes || before.bytes == 0 || now.bytes == 0;
  const bool is_one = before.is_extern || now.is_extern;  // else it is defined twice, whatever its type
  if (is_one && (before.space != now.space || bits_of(before.type) != bits_of(now.type) || !one_size))
    cursor.fail(name, fmt::format("'{}' is declared otherwise before", name.text), other_place(before.location));
}

}  // namespace

Module parse(std::string_view text, std::string_view name, unsigned warp_size) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // what editors put before UTF-8
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);  // images in executables end in NUL bytes
  const Source source(text, name, warp_size);
  Module module = ModuleParser(source).parse();
  module.text = text;
  return module;
}

ModuleParser::ModuleParser(const Source& source)
    : cursor_(source), symbols_(source), variable_parser_(cursor_, symbols_), places_(source.text()) {
  module_.name = std::string(source.name());
}

Module ModuleParser::parse() {
  version();
  while (cursor_.peek().kind != TokenKind::End) {
    if (cursor_.accept(";")) continue;
    if (cursor_.peek().kind != TokenKind::Dotted) cursor_.fail_expected("a directive, as in '.entry'");
    directive(cursor_.take());
  }
  if (module_.target.empty()) cursor_.fail_here("the text has no .target", "add, say, '.target sm_20' behind .version");
  symbols_.check_uses();
  if (!has_address_size_) module_.address_bits = inferred_address_bits();
  order_functions();
  return std::move(module_);
}

void ModuleParser::version() {
  if (!cursor_.accept_dotted("version")) cursor_.fail_expected("'.version' at the beginning of PTX text");
  const Token number = cursor_.take();
  const char* const end = number.text.data() + number.text.size();
  const auto major = std::from_chars(number.text.data(), end, module_.version_major);
  const bool has_minor = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
  const auto minor = std::from_chars(has_minor ? major.ptr + 1 : end, end, module_.version_minor);
  if (number.kind != TokenKind::Float64 || !has_minor || minor.ec != std::errc() || minor.ptr != end)
    cursor_.fail(number, "malformed version", "as in '.version 7.0'");
  if (module_.version_major == 0 || module_.version_major > kNewestMajor)
    cursor_.fail(number, fmt::format("PTX version {} is not known", number.text), "known: 1.4 to 9.0");
  if (module_.version_major == 1 && module_.version_minor < 4)
    cursor_.fail(number,
                 fmt::format("PTX version {}, whose kernels have their parameters in their bodies", number.text),
                 "supported: 1.4 to 9.0; compile the program by nvcc of CUDA 2.2 or later");
}

void ModuleParser::directive(const Token& word) {
  if (word.text == "target") return target();
  if (word.text == "address_size") return address_size();
  if (word.text == "file") return source_file();
  if (word.text == "section") return section();
  if (word.text == "alias") return alias();
  if (word.text == "pragma") return skip_pragma(cursor_);
  if (word.text == "loc") {  // PTX 1.x puts it before an entry, too
    for (int i = 0; i < 3; ++i) parse_count(cursor_, "a number of .loc", 0, kMaxFileNumber);
    return;
  }
  if (word.text == "reg") return registers();
  Token kind = word;
  const Linkage how = linkage(word, kind);
  if (kind.text == "entry" || kind.text == "func") return function(kind, how);
  if (const auto space = VariableParser::space_from(kind.text)) return variables(*space, how);
  cursor_.fail(kind, fmt::format("unknown directive '.{}'", kind.text),
               "allowed here: .entry .func .global .const .shared .local .tex .extern .visible .weak .common .target "
               ".address_size .file .section .alias .pragma");
}

/// `.extern`, `.visible`, `.weak` and `.common`; `directive` becomes the word behind them.
Linkage ModuleParser::linkage(const Token& first, Token& directive) {
  Linkage linkage;
  directive = first;
  while (true) {
    if (directive.text == "extern")
      linkage.is_extern = true;
    else if (directive.text == "visible" || directive.text == "weak" || directive.text == "common")
      linkage.is_visible = true;
    else
      return linkage;
    if (cursor_.peek().kind != TokenKind::Dotted) cursor_.fail_expected("a directive, as in '.entry'");
    directive = cursor_.take();
  }
}

void ModuleParser::target() {
  do {
    const Token word = cursor_.expect_identifier("a target, as in 'sm_20'");
    if (module_.target.empty() ? !is_target(word.text) : !is_target(word.text) && !is_target_option(word.text))
      cursor_.fail(
          word, fmt::format("'{}' is no target", word.text),
          "targets are sm_20, sm_90a …; behind one: texmode_unified, texmode_independent, debug, map_f64_to_f32");
    if (module_.target.empty())
      module_.target = std::string(word.text);
    else if (module_.target != word.text)
      module_.target_options.emplace_back(word.text);
  } while (cursor_.accept(","));
}

void ModuleParser::address_size() {
  const Token at = cursor_.peek();
  const Constant size = parse_constant(cursor_);
  if (!size.is_integer() || (size.value.bits != 32 && size.value.bits != 64))
    cursor_.fail(at, "the address size must be 32 or 64");
  module_.address_bits = static_cast<unsigned>(size.value.bits);
  has_address_size_ = true;
}

/// Each entry has them for itself. A function would share them with who calls it: it does not have them.
void ModuleParser::registers() {
  for (RegisterDeclaration& declared : variable_parser_.registers()) shared_registers_.push_back(std::move(declared));
}

void ModuleParser::variables(StateSpace space, const Linkage& linkage) {
  const Declaration declaration = variable_parser_.declaration(space);
  do {
    const Token first = cursor_.expect_identifier("the name of a variable");
    for (const Token& name : variable_parser_.names(first))
      add_variable(variable_parser_.variable(declaration, linkage, name), name, declaration.element_bytes());
  } while (cursor_.accept(","));
  cursor_.expect(";");
}

void ModuleParser::add_variable(Variable variable, const Token& name, unsigned element_bytes) {
  const ModuleSymbols::Symbol* const known = symbols_.find(name.text);
  const bool both = known != nullptr && known->kind == ModuleSymbols::Kind::Variable;
  if (both) check_redeclared(module_.variables[known->index], variable, name, cursor_);
  if (both && module_.variables[known->index].is_extern) {
    module_.variables[known->index] = std::move(variable);  // the definition behind its declaration
  } else if (!both || !variable.is_extern) {
    symbols_.declare(name, {ModuleSymbols::Kind::Variable, module_.variables.size(), element_bytes});
    module_.variables.push_back(std::move(variable));
  }
}

void ModuleParser::function(const Token& word, const Linkage& linkage) {
  FunctionHeadParser head_parser(cursor_, variable_parser_);
  Function function = head_parser.head(word.text == "entry");
  const Token name = head_parser.function_name();
  if (cursor_.accept(";") || (!function.is_entry && begins_declaration(cursor_.peek()))) {
    function.is_declaration = true;
    return add_function(std::move(function), name);
  }
  if (linkage.is_extern) cursor_.fail_expected("';' (an .extern function has no body)");
  // Declared before its body is read, so that it can call itself.
  function.is_declaration = true;
  add_function(function, name);
  function.is_declaration = false;
  FunctionBodyParser body(cursor_, function, variable_parser_, symbols_, places_, registers_);
  if (function.is_entry) body.declare_registers(shared_registers_);
  body.declare_parameters(head_parser.parameter_names());
  body.parse();
  if (module_.architecture() < kFusedMultiplyAdds) modernise(function);
  for (FunctionBodyParser::Lifted& lifted : body.lifted())
    add_variable(std::move(lifted.variable), lifted.name, lifted.element_bytes);
  add_function(std::move(function), name);
}

/// A definition takes the place of the declaration before it.
void ModuleParser::add_function(Function function, const Token& name) {
  const ModuleSymbols::Symbol* const known = symbols_.find(name.text);
  if (known == nullptr || known->kind != ModuleSymbols::Kind::Function) {
    symbols_.declare(name, {ModuleSymbols::Kind::Function, module_.functions.size()});
    module_.functions.push_back(std::move(function));
    last_seen_.push_back(heads_++);
    return;
  }
  last_seen_[known->index] = heads_++;
  Function& before = module_.functions[known->index];
  if (!before.is_declaration && !function.is_declaration)
    cursor_.fail(name, fmt::format("'{}' is defined twice in this module", name.text), "rename one of them");
  if (before.is_entry != function.is_entry)
    cursor_.fail(name, fmt::format("'{}' is {} before", name.text, before.is_entry ? "an entry" : "a function"),
                 other_place(before.location));
  if (!same_shape(before.returns, function.returns) || !same_shape(before.parameters, function.parameters))
    cursor_.fail(name, fmt::format("'{}' is declared with other parameters before", name.text),
                 other_place(before.location));
  if (before.is_declaration) before = std::move(function);
}

/// Functions stand in the order of their definitions; early declarations do not count.
void ModuleParser::order_functions() {
  std::vector<std::size_t> order(last_seen_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return last_seen_[a] < last_seen_[b]; });
  std::vector<Function> sorted;
  for (std::size_t index : order) sorted.push_back(std::move(module_.functions[index]));
  module_.functions = std::move(sorted);
}

/// `.file 1 "kernel.cu"` with, since ISA 7.x, `, timestamp, size`.
void ModuleParser::source_file() {
  const auto index = static_cast<std::uint32_t>(parse_count(cursor_, "the number of a file", 0, kMaxFileNumber));
  module_.source_files[index] = std::string(cursor_.expect_string("the name of a file").text);
  while (cursor_.accept(",")) parse_constant(cursor_);
}

void ModuleParser::alias() {
  const Token name = cursor_.expect_identifier("the alias");
  cursor_.expect(",");
  const Token target = cursor_.expect_identifier("the name of a function");
  cursor_.expect(";");
  symbols_.use(target);
  const ModuleSymbols::Symbol* const known = symbols_.find(name.text);
  if (known == nullptr) symbols_.declare(name, {ModuleSymbols::Kind::Alias, 0});
  if (known != nullptr &&
      (known->kind != ModuleSymbols::Kind::Function || !module_.functions[known->index].is_declaration))
    cursor_.fail(name, fmt::format("'{}' is defined already", name.text),
                 "an alias is a name of its own, declared .func");
  module_.aliases[std::string(name.text)] = std::string(target.text);
}

/// Debugging information: `.section .debug_info { … }`.
void ModuleParser::section() {
  if (cursor_.peek().kind != TokenKind::Dotted) cursor_.fail_expected("the name of a section, as in '.debug_info'");
  cursor_.take();
  cursor_.skip_braces();
}

/// PTX before 2.3 does not say how wide its addresses are; the registers that hold them do.
unsigned ModuleParser::inferred_address_bits() const {
  for (const Function& function : module_.functions)
    for (const Instruction& instruction : function.body)
      for (const Operand& operand : instruction.operands) {
        const AddressOperand* const address = operand.as<AddressOperand>();
        const RegisterId* const id = address == nullptr ? nullptr : std::get_if<RegisterId>(&address->base);
        if (id != nullptr && bits_of(function.registers[*id].type) == 64) return 64;
      }
  return 32;
}

}  // namespace warpfork::ptx
