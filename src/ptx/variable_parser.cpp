#include "ptx/variable_parser.h"

#include <bit>

#include "ptx/constant_expression.h"
#include "ptx/dotted_words.h"
#include "ptx/initialiser.h"

namespace warpfork::ptx {

namespace {

constexpr std::uint64_t kMaxAlignment = 1u << 16, kMaxNumberedVariables = 1u << 16;
constexpr std::uint64_t kMaxNumberOfRegisters = 0xffffffff;
constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1} << 40, kMaxModuleInitialBytes = std::uint64_t{1} << 29;

/// A texture, sampler or surface: only such have a handle for a value.
bool is_handle(ScalarType type) {
  return type == ScalarType::Texref || type == ScalarType::Samplerref || type == ScalarType::Surfref;
}

/// What `.ptr` may be followed by beside a space: LLVM's OpenCL kernels point to images and samplers.
bool names_handle(std::string_view word) {
  const auto type = type_from(word);
  return type && is_handle(*type);
}

}  // namespace

std::optional<StateSpace> VariableParser::space_from(std::string_view word) {
  if (word == "global") return StateSpace::Global;
  if (word == "shared") return StateSpace::Shared;
  if (word == "local") return StateSpace::Local;
  if (word == "param") return StateSpace::Param;
  if (word == "const") return StateSpace::Const;
  if (word == "tex") return StateSpace::Texture;
  return std::nullopt;
}

std::uint32_t VariableParser::alignment() {
  const Token at = cursor_.peek();
  const std::uint64_t bytes = parse_count(cursor_, "an alignment", 1, kMaxAlignment);
  if (!std::has_single_bit(bytes)) cursor_.fail(at, "an alignment must be a power of two");
  return static_cast<std::uint32_t>(bytes);
}

/// `.attribute(.managed)`, `.attribute(.unified(1, 2))`
bool VariableParser::attributes() {
  bool is_managed = false;
  cursor_.expect("(");
  do {
    const Token name = cursor_.peek();
    if (name.kind != TokenKind::Dotted) cursor_.fail_expected("an attribute");
    cursor_.take();
    if (name.text == "managed") {
      is_managed = true;
    } else if (name.text == "unified") {
      cursor_.expect("(");
      parse_constant(cursor_);
      cursor_.expect(",");
      parse_constant(cursor_);
      cursor_.expect(")");
    } else {
      cursor_.fail(name, fmt::format("unknown attribute '.{}'", name.text), "allowed: .managed .unified");
    }
  } while (cursor_.accept(","));
  cursor_.expect(")");
  return is_managed;
}

/// `.const[2]` of PTX before 2.2: the number means nothing to a machine with one address space.
void VariableParser::bank_number() {
  if (!cursor_.accept("[")) return;
  parse_count(cursor_, "a constant bank", 0, kMaxConstantBank);
  cursor_.expect("]");
}

Declaration VariableParser::declaration(StateSpace space) {
  Declaration declaration;
  declaration.space = space;
  bool has_type = false, is_pointer = false;
  if (space == StateSpace::Const) bank_number();
  while (cursor_.peek().kind == TokenKind::Dotted) {
    const Token word = cursor_.take();
    if (word.text == "align") {
      const std::uint32_t bytes = alignment();
      if (!is_pointer) declaration.alignment = bytes;
    } else if (word.text == "attribute") {
      declaration.is_managed = attributes();
    } else if (word.text == "ptr") {
      is_pointer = true;
    } else if (const auto width = vector_width_from(word.text)) {
      declaration.vector_width = *width;
    } else if (const auto type = type_from(word.text); type && !has_type) {
      declaration.type = *type;
      has_type = true;
    } else if (!(is_pointer && (space_from(word.text) || names_handle(word.text)))) {
      cursor_.fail(word, fmt::format("'.{}' in a declaration", word.text),
                   "allowed: .align .attribute .v2 .v4 .ptr and one type");
    }
  }
  if (!has_type) cursor_.fail_expected("a type, as in '.b32'");
  if (declaration.type == ScalarType::Pred && space != StateSpace::Register)
    cursor_.fail_here("a variable of type .pred", "predicates live in registers only");
  return declaration;
}

std::vector<Token> VariableParser::names(const Token& name) {
  if (!cursor_.accept("<")) return {name};
  const std::uint64_t count = parse_count(cursor_, "the number of variables", 0, kMaxNumberedVariables);
  cursor_.expect(">");
  if (cursor_.at("[") || cursor_.at("="))
    cursor_.fail_here(fmt::format("an array or an initial value of variables '{}<{}>'", name.text, count),
                      "declare them one by one");
  if (texts_.size() + count > kMaxNumberedVariables)
    cursor_.fail(name, "too many variables", fmt::format("a module may number {}", kMaxNumberedVariables));
  std::vector<Token> names;
  for (std::uint64_t i = 0; i < count; ++i) names.push_back(renamed(name, fmt::format("{}{}", name.text, i)));
  return names;
}

std::vector<RegisterDeclaration> VariableParser::registers() {
  const Declaration declared = declaration(StateSpace::Register);
  std::vector<RegisterDeclaration> registers;
  do {
    registers.push_back(
        {cursor_.expect_identifier("the name of a register"), {}, declared.type, declared.vector_width});
    if (!cursor_.accept("<")) continue;
    registers.back().count = parse_count(cursor_, "the number of registers", 0, kMaxNumberOfRegisters);
    cursor_.expect(">");
  } while (cursor_.accept(","));
  cursor_.expect(";");
  return registers;
}

Token VariableParser::renamed(const Token& name, std::string text) {
  Token other = name;
  other.text = texts_.emplace_back(std::move(text));
  return other;
}

/// Elements per dimension, outermost first; 0 for an empty first one. A vector's elements are the innermost dimension.
std::vector<std::uint64_t> VariableParser::dimensions(const Declaration& declaration) {
  std::vector<std::uint64_t> extents;
  while (cursor_.accept("[")) {
    if (cursor_.at("]") && extents.empty())
      extents.push_back(0);
    else
      extents.push_back(parse_count(cursor_, "the size of a dimension", extents.empty() ? 0 : 1, kMaxVariableBytes));
    cursor_.expect("]");
  }
  if (declaration.vector_width > 1) extents.push_back(declaration.vector_width);
  return extents;
}

std::uint64_t VariableParser::size_of(const Token& name, const Declaration& declaration,
                                      const std::vector<std::uint64_t>& extents) {
  std::uint64_t bytes = bytes_of(declaration.type);
  for (std::uint64_t extent : extents) {
    if (extent != 0 && bytes > kMaxVariableBytes / extent)
      cursor_.fail(name, fmt::format("'{}' is larger than {} bytes", name.text, kMaxVariableBytes));
    bytes *= extent;
  }
  return bytes;
}

/// `= { addr_mode_0 = clamp_to_border, filter_mode = nearest }`
void VariableParser::sampler_fields(Variable& variable) {
  cursor_.expect("{");
  while (!cursor_.at("}")) {
    const Token field = cursor_.expect_identifier("a field of the sampler");
    cursor_.expect("=");
    const Token value = cursor_.take();
    if (value.kind != TokenKind::Identifier && value.kind != TokenKind::Integer)
      cursor_.fail(value, "a sampler's field is a word or an integer");
    variable.sampler_fields.emplace_back(field.text, value.text);
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect("}");
}

/// PTX ISA, "Initializers".
void VariableParser::check_initialised(const Variable& variable) const {
  const std::string_view type = to_string(variable.type);
  if (variable.space != StateSpace::Global && variable.space != StateSpace::Const)
    cursor_.fail_here(fmt::format("an initial value of a variable in .{}", to_string(variable.space)),
                      "only .global and .const variables have one; store it in the code");
  if (variable.is_extern)
    cursor_.fail_here("an initial value of a variable that is .extern", "it stands where it is defined");
  if (is_float(variable.type) && variable.type != ScalarType::F32 && variable.type != ScalarType::F64)
    cursor_.fail_here(fmt::format("an initial value of type .{}", type),
                      fmt::format("declare it .b{} and write the bits", bits_of(variable.type)));
}

Variable VariableParser::variable(const Declaration& declaration, const Linkage& linkage, const Token& name) {
  Variable variable;
  variable.name = std::string(name.text);
  variable.space = declaration.space;
  variable.type = declaration.type;
  variable.is_extern = linkage.is_extern;
  variable.is_visible = linkage.is_visible;
  variable.is_managed = declaration.is_managed;
  variable.location.line = name.position.line;
  variable.location.column = name.position.column;
  variable.alignment = declaration.alignment != 0 ? declaration.alignment : declaration.element_bytes();
  std::vector<std::uint64_t> extents = dimensions(declaration);
  variable.bytes = size_of(name, declaration, extents);
  if (cursor_.at("=")) check_initialised(variable);
  if (!cursor_.accept("=")) {
    const bool is_open = !extents.empty() && extents[0] == 0;
    if (is_open && !linkage.is_extern && declaration.space != StateSpace::Param)
      cursor_.fail(name, fmt::format("the size of '{}' is not known", name.text),
                   "give the dimension or an initialiser, or declare it .extern");
    return variable;
  }
  if (is_handle(declaration.type)) {
    sampler_fields(variable);
    return variable;
  }
  const std::uint64_t outermost = Initialiser(cursor_, symbols_, variable, extents).read();
  if (!extents.empty() && extents[0] == 0) {
    extents[0] = outermost;
    variable.bytes = size_of(name, declaration, extents);
  }
  bool all_zero = variable.relocations.empty();
  for (std::byte b : variable.initial) all_zero = all_zero && b == std::byte{0};
  if (all_zero) {
    variable.initial.clear();
    return variable;
  }
  initial_bytes_ += variable.bytes;
  if (initial_bytes_ > kMaxModuleInitialBytes)
    cursor_.fail(
        name, fmt::format("the initialised variables of this module are larger than {} bytes", kMaxModuleInitialBytes));
  variable.initial.resize(variable.bytes);
  return variable;
}

}  // namespace warpfork::ptx
