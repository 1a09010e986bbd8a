#include "ptx/checker.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "ptx/discards.h"
#include "ptx/operand_elements.h"
#include "ptx/operand_walk.h"
#include "ptx/signature.h"
#include "ptx/wanted_type.h"
#include "ptx/word_set.h"

namespace warpfork::ptx {

namespace {

constexpr unsigned kLeastSpecialBits = 32;  // of a special register

bool is_arithmetic(Opcode opcode) {
  return (opcode >= Opcode::Add && opcode <= Opcode::Max) || (opcode >= Opcode::Addc && opcode <= Opcode::Madc) ||
         opcode == Opcode::Cvt;
}

/// Among what combines values in memory or of lanes, it is not the opcode that says.
bool computes_numbers(const Instruction& instruction) {
  if (instruction.opcode != Opcode::Atom && instruction.opcode != Opcode::Red && instruction.opcode != Opcode::Redux)
    return is_arithmetic(instruction.opcode);
  return std::ranges::any_of(instruction.modifiers, [](Modifier word) {
    return word == Modifier::Add || word == Modifier::Min || word == Modifier::Max || word == Modifier::Inc ||
           word == Modifier::Dec;
  });
}

/// Checks one instruction; the state saves passing four things to every function.
class Check {
 public:
  Check(const Instruction& instruction, const Function& function, const Source& source,
        const std::vector<Position>& places)
      : instruction_(instruction), function_(function), source_(source), places_(places) {}

  void count(std::string_view signature, const Position& at) const {
    const std::size_t bar = signature.find('|');
    const std::size_t least = bar == std::string_view::npos ? signature.size() : bar;
    const std::size_t most = bar == std::string_view::npos ? least : signature.size() - 1;
    const std::size_t given = instruction_.operands.size();
    if (given >= least && given <= most) return;
    const std::string wanted = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    source_.fail(at, fmt::format("'{}' with {}", to_string(instruction_.opcode), counted(given, "operand")),
                 fmt::format("it takes {}", wanted));
  }

  /// What stands before or behind a register, `!%p`, `-%r`, `%r.b0`: nobody would see it in other instructions.
  void marks() {
    for (std::size_t i = 0; i < instruction_.operands.size(); ++i) {
      place_ = places_[i];
      walk(instruction_.operands[i], [&](const Operand& operand) {
        if (const auto* used = operand.as<RegisterOperand>()) mark(*used, i == 0);
      });
    }
  }

  /// Bits are neither signed nor unsigned, so that it is not known what is less or how they are extended.
  void numbers(const Position& at) const {
    if (!computes_numbers(instruction_) || instruction_.has(Modifier::Pack)) return;
    const bool needs_sign = instruction_.opcode == Opcode::Abs || instruction_.opcode == Opcode::Neg;
    for (ScalarType type : instruction_.types) {
      const NumberClass given = class_of(type);
      const bool is_signless = needs_sign && given == NumberClass::Integer && !is_signed(type);
      if (given != NumberClass::Bits && !is_signless) continue;
      source_.fail(at, fmt::format("'{}' of type .{}", to_string(instruction_.opcode), to_string(type)),
                   needs_sign ? "it takes signed numbers, as in .s32" : "it takes numbers, as in .s32 or .u32");
    }
  }

  /// What compares must say how, by a word that its type has. Of other instructions it is known of those alone that are
  /// executed what they take (simt refuses what else they say).
  void comparison(const Position& at) const {
    if (instruction_.opcode != Opcode::Set && instruction_.opcode != Opcode::Setp) return;
    if (lacks_types()) return;  // which operands() says
    const std::string_view opcode = to_string(instruction_.opcode);
    if (const auto word = refused_word(instruction_))
      source_.fail(
          at, fmt::format("'{}' of type .{} cannot be '.{}'", opcode, to_string(instruction_.types.back()), word->text),
          fmt::format("allowed: {}", word->allowed));
    if (const auto words = missing_word(instruction_))
      source_.fail(at, fmt::format("'{}' does not say how it compares", opcode), fmt::format("allowed: {}", *words));
  }

  /// Where the signature knows a result, it lies in registers.
  void result(std::string_view signature) {
    constexpr std::string_view kNoResult = "anx|";
    if (signature.empty() || kNoResult.find(signature[0]) != std::string_view::npos || !has_destination(instruction_))
      return;
    place_ = places_[0];
    walk(instruction_.operands[0], [&](const Operand& operand) {
      if (operand.as<ImmediateOperand>() != nullptr) fail_result("a number");
      if (const auto* special = operand.as<SpecialRegisterOperand>())
        fail_result(fmt::format("'%{}', which can only be read", to_string(special->name)));
      if (const auto* symbol = operand.as<SymbolOperand>())
        fail_result(fmt::format("'{}', which is no register", symbol->name));
    });
  }

  /// What was passed to the function is read alone.
  void stored_input() {
    if (instruction_.opcode != Opcode::St || instruction_.operands.empty()) return;
    const std::string* const name = symbol_name(instruction_.operands[0]);
    const auto is_it = [&](const Variable& parameter) { return parameter.name == *name; };
    if (name == nullptr || std::ranges::none_of(function_.parameters, is_it)) return;
    place_ = places_[0];
    fail(fmt::format("'{}' is a parameter, which cannot be written", *name), "keep what changes in a register");
  }

  void operands(std::string_view signature, const Position& at) {
    if (lacks_types())
      source_.fail(at, fmt::format("'{}' without a type", to_string(instruction_.opcode)), "as in 'add.s32'");
    if (!checks_types(types_of(signature))) return;
    std::size_t place = 0;
    for (char letter : signature) {
      if (letter == '|') continue;
      if (place == instruction_.operands.size()) return;
      place_ = places_[place];
      one(is_policy(place) ? 'x' : letter, instruction_.operands[place]);
      ++place;
    }
  }

 private:
  /// A cache policy stands behind the other operands, however many these are.
  bool is_policy(std::size_t place) const {
    return instruction_.has(Modifier::L2CacheHint) && place + 1 == instruction_.operands.size();
  }

  void mark(const RegisterOperand& used, bool is_written) const {
    const Register& declared = function_.registers[used.id];
    const std::string_view opcode = to_string(instruction_.opcode);
    if (used.selector != 0 && !is_video(instruction_.opcode))
      fail(fmt::format("a part of '{}', which '{}' cannot take", declared.name, opcode),
           "only video instructions read parts of a register");
    if (!used.negated) return;
    if (is_written) fail(fmt::format("'{}' before '{}', which is written", sign_of(declared), declared.name));
    if (declared.type != ScalarType::Pred && instruction_.opcode != Opcode::Vmad)
      fail(fmt::format("'-' before '{}', which '{}' cannot take", declared.name, opcode),
           "negate it first, as in 'neg.s32 %r0, %r1;'");
  }

  static char sign_of(const Register& negated) { return negated.type == ScalarType::Pred ? '!' : '-'; }

  /// Forms with more dotted types than the signature speaks of (mixed precision) are left to whoever executes them.
  bool checks_types(unsigned spoken_of) const {
    if (spoken_of == 0) return true;
    const std::size_t given = instruction_.types.size();
    return !is_asynchronous() && (given == spoken_of || (given > spoken_of && is_video(instruction_.opcode)));
  }

  bool is_asynchronous() const { return instruction_.has(Modifier::Async) || instruction_.has(Modifier::Bulk); }

  bool lacks_types() const {
    return instruction_.types.empty() && !is_asynchronous() &&
           types_of(signature_of(instruction_.opcode).operands) != 0;
  }

  /// Where the signature has one value: atomics of vectors, and conversions to several 8-bit floats at once.
  bool takes_vectors() const { return instruction_.vector_width > 1 || instruction_.opcode == Opcode::Cvt; }

  void one(char letter, const Operand& operand) const {
    if (letter == 'a') return address(operand);
    if (letter == 'n' && operand.as<ImmediateOperand>() == nullptr) fail("expected a literal number");
    if (letter == 'v') return vector(operand, wanted_by('b', instruction_));
    if ('0' <= letter && letter <= '3') return fragment(operand, static_cast<std::size_t>(letter - '0'));
    const Want wanted = wanted_by(letter, instruction_);
    if (!wanted.type) return;
    if (const auto* pair = operand.as<PairOperand>()) {
      if (letter != 'P' && letter != 'T') fail("two destinations where one is allowed");
      scalar(pair->elements[0], wanted);
      return scalar(pair->elements[1], wanted_by('p', instruction_));
    }
    const auto* vector = operand.as<VectorOperand>();
    if (vector != nullptr && instruction_.opcode == Opcode::Mov) return pack(*vector, wanted);
    if (instruction_.opcode == Opcode::Mov && instruction_.vector_width > 1) fail_elements(1);
    if (vector == nullptr && letter == 'L' && instruction_.vector_width > 1) fail_elements(1);
    if (vector == nullptr || letter != 'L') return scalar(operand, wanted);
    if (vector->elements.size() != instruction_.vector_width) fail_elements(vector->elements.size());
    for (const Operand& element : vector->elements) scalar(element, wanted);
  }

  /// Of a matrix, whose elements are of the dotted type with this number.
  void fragment(const Operand& operand, std::size_t type) const {
    if (type < instruction_.types.size()) vector(operand, wanted_in_fragment(instruction_.types[type]));
  }

  /// One of one register may stand without braces. Literals among its elements are bits.
  void vector(const Operand& operand, const Want& wanted) const {
    for (const Operand& element : elements_of(operand))
      if (element.as<ImmediateOperand>() == nullptr) scalar(element, wanted);
  }

  [[noreturn]] void fail_result(std::string_view place) const {
    fail(fmt::format("'{}' cannot write its result into {}", to_string(instruction_.opcode), place),
         "its first operand must be a register");
  }

  [[noreturn]] void fail_elements(std::size_t given) const {
    const unsigned wanted = instruction_.vector_width;
    if (wanted == 1) fail(fmt::format("{} elements without '.v{}'", given, given));
    fail(fmt::format("{} for '.v{}'", counted(given, "element"), wanted), wanted == 2 ? "as in {%r1, %r2}" : "");
  }

  /// `{a, b}` in mov: the elements of a vector, or the parts of one value.
  void pack(const VectorOperand& vector, Want wanted) const {
    const std::size_t count = vector.elements.size();
    if (instruction_.vector_width > 1 && count != instruction_.vector_width) fail_elements(count);
    if (instruction_.vector_width == 1) {
      if (count != 2 && count != 4)
        fail(fmt::format("{} of a value of {} bits", counted(count, "element"), wanted.bits), "it has 2 or 4");
      wanted = {ScalarType::B32, wanted.bits / static_cast<unsigned>(count), false};  // bits, whatever their number
      if (wanted.bits < kLeastSpecialBits) no_special_register(vector, wanted);
    }
    for (const Operand& element : vector.elements) scalar(element, wanted);
  }

  /// `mov.u32 %r1, %tid` would pack its four components as bytes.
  void no_special_register(const VectorOperand& vector, const Want& wanted) const {
    for (const Operand& element : vector.elements) {
      const auto* const special = element.as<SpecialRegisterOperand>();
      if (special == nullptr) continue;
      const std::string_view name = to_string(special->name);
      const auto is_of_it = [&](const Operand& other) {
        const auto* const component = other.as<SpecialRegisterOperand>();
        return component != nullptr && component->name == special->name;
      };
      if (vector.elements.size() == 4 && std::ranges::all_of(vector.elements, is_of_it))
        fail(fmt::format("'%{}' is a vector of 4, and one value is expected", name),
             fmt::format("name the component, as in %{}.x", name));
      fail(fmt::format("'%{}' among parts of {} bits", name, wanted.bits), "move it into a register of 32 bits first");
    }
  }

  void address(const Operand& operand) const {
    const auto* vector = operand.as<VectorOperand>();
    if (operand.as<AddressOperand>() != nullptr) return;
    if (vector != nullptr && vector->brackets == VectorOperand::Brackets::Square) return;
    fail("expected an address in brackets", "as in [%rd1+8]");
  }

  void scalar(const Operand& operand, const Want& wanted) const {
    if (const auto* used = operand.as<RegisterOperand>()) {
      const Register& declared = function_.registers[used->id];
      if (!fits(declared.type, wanted))
        fail(fmt::format("'{}' is of type .{}, which '{}' cannot take here", declared.name, to_string(declared.type),
                         to_string(instruction_.opcode)),
             allowed(wanted));
    } else if (const auto* literal = operand.as<ImmediateOperand>()) {
      check_literal(*literal, wanted);
    } else if (const auto* special = operand.as<SpecialRegisterOperand>()) {
      check_special(*special);
    } else if (const auto* symbol = operand.as<SymbolOperand>()) {
      check_symbol(*symbol);
    } else if (operand.as<AddressOperand>() != nullptr) {
      fail("an address in brackets where a value is expected", "only loads, stores and atomics take one");
    } else if (operand.as<VectorOperand>() != nullptr && !takes_vectors()) {
      fail(fmt::format("a vector, which '{}' cannot take here", to_string(instruction_.opcode)),
           "name one component, as in %v.x");
    }
  }

  /// What can be read only is read by mov, and by cvt from integers (PTX ISA, "Special Registers").
  void check_special(const SpecialRegisterOperand& special) const {
    const bool reads =
        instruction_.opcode == Opcode::Mov || (instruction_.opcode == Opcode::Cvt && !instruction_.has(Modifier::Pack));
    if (reads && std::ranges::none_of(instruction_.types, is_float)) return;
    fail(fmt::format("'%{}', which '{}' cannot read", to_string(special.name), to_string(instruction_.opcode)),
         "move it into a register first");
  }

  void check_symbol(const SymbolOperand& symbol) const {
    const bool takes_addresses = instruction_.opcode == Opcode::Mov || instruction_.opcode == Opcode::Cvta;
    if (takes_addresses && std::ranges::none_of(instruction_.types, is_float)) return;
    fail(fmt::format("'{}' is an address, which '{}' cannot take here", symbol.name, to_string(instruction_.opcode)),
         "load what lies there, as in 'ld.param', or move the address into a register first");
  }

  void check_literal(const ImmediateOperand& literal, const Want& wanted) const {
    if (is_packed(*wanted.type))
      fail(fmt::format("a literal for numbers of type .{}", to_string(*wanted.type)), "use a register");
    const NumberClass needs = class_of(*wanted.type);
    if (literal.kind == ImmediateOperand::Kind::Integer) {
      if (needs == NumberClass::Float)
        fail("an integer literal for a float", "write a decimal point, or 0f and eight digits");
      return;
    }
    const unsigned width = literal.kind == ImmediateOperand::Kind::Float32 ? 32 : 64;
    const bool same_bits = needs == NumberClass::Bits && width == wanted.bits;
    if (needs != NumberClass::Float && !same_bits)
      fail(fmt::format("a floating-point literal for type .{}", to_string(*wanted.type)), "write an integer");
  }

  [[noreturn]] void fail(std::string_view message, std::string_view remedy = {}) const {
    source_.fail(place_, message, remedy);
  }

  const Instruction& instruction_;
  const Function& function_;
  const Source& source_;
  const std::vector<Position>& places_;
  Position place_;  // of the operand that is being checked
};

}  // namespace

void check_instruction(const Instruction& instruction, const Function& function, const Source& source,
                       const Position& at, const std::vector<Position>& operands) {
  const std::string_view signature = operands_of(instruction);
  Check check(instruction, function, source, operands);
  check.count(signature, at);
  check.marks();
  check.numbers(at);
  check.comparison(at);
  check.result(signature);
  check_discards(instruction, source, operands);
  check.stored_input();
  check.operands(signature, at);
}

}  // namespace warpfork::ptx
