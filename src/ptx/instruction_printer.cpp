#include <fmt/format.h>

#include "ptx/instruction_text.h"
#include "ptx/printer.h"

namespace warpfork::ptx {

namespace {

class InstructionPrinter {
 public:
  InstructionPrinter(const Instruction& instruction, const Function& function)
      : instruction_(instruction), function_(function) {}

  std::string print() {
    if (instruction_.guard) {
      text_ += instruction_.guard->negated ? "@!" : "@";
      text_ += function_.registers[instruction_.guard->predicate].name + " ";
    }
    text_ += mnemonic(instruction_);
    const char* separator = " ";
    for (const Operand& operand : instruction_.operands) {
      text_ += separator;
      print(operand);
      separator = ", ";
    }
    return text_ + ";";
  }

 private:
  void word(std::string_view text) {
    text_ += '.';
    text_ += text;
  }

  void print(const Operand& operand) {
    std::visit([&](const auto& kind) { print(kind); },
               static_cast<const std::variant<RegisterOperand, SpecialRegisterOperand, ImmediateOperand, SymbolOperand,
                                              AddressOperand, LabelOperand, SinkOperand, VectorOperand, PairOperand>&>(
                   operand));
  }

  void print(const RegisterOperand& operand) {
    const Register& used = function_.registers[operand.id];
    if (operand.negated) text_ += used.type == ScalarType::Pred ? "!" : "-";
    text_ += used.name;
    if (operand.selector != 0) word(selector_text(operand.selector));
  }

  void print(const SpecialRegisterOperand& operand) {
    text_ += '%';
    text_ += to_string(operand.name);
    if (has_components(operand.name)) word(std::string_view("xyzw").substr(operand.component, 1));
  }

  void print(const ImmediateOperand& operand) {
    switch (operand.kind) {
      case ImmediateOperand::Kind::Float32:
        text_ += fmt::format("0f{:08X}", operand.bits);
        return;
      case ImmediateOperand::Kind::Float64:
        text_ += fmt::format("0d{:016X}", operand.bits);
        return;
      default:
        text_ += fmt::format("{}", static_cast<std::int64_t>(operand.bits));
    }
  }

  void print_offset(std::int64_t offset) {
    if (offset != 0) text_ += fmt::format("+{}", offset);
  }

  void print(const SymbolOperand& operand) {
    text_ += operand.name;
    print_offset(operand.offset);
  }

  void print_inside(const AddressOperand& operand) {
    if (const auto* literal = std::get_if<std::uint64_t>(&operand.base))
      text_ += fmt::format("{}", *literal);
    else if (const auto* id = std::get_if<RegisterId>(&operand.base))
      text_ += function_.registers[*id].name;
    else
      print(std::get<SymbolOperand>(operand.base));
    print_offset(operand.offset);
  }

  void print(const AddressOperand& operand) {
    text_ += '[';
    print_inside(operand);
    text_ += ']';
  }

  void print(const LabelOperand& operand) { text_ += operand.name; }

  void print(const SinkOperand&) { text_ += '_'; }

  void print(const VectorOperand& operand) {
    static constexpr std::string_view kOpen = "{[(", kClose = "}])";
    const auto brackets = static_cast<std::size_t>(operand.brackets);
    text_ += kOpen[brackets];
    for (std::size_t i = 0; i < operand.elements.size(); ++i) {
      if (i > 0) text_ += ", ";
      const AddressOperand* const first = i == 0 ? operand.elements[i].as<AddressOperand>() : nullptr;
      if (first != nullptr && operand.brackets == VectorOperand::Brackets::Square)
        print_inside(*first);
      else
        print(operand.elements[i]);
    }
    text_ += kClose[brackets];
  }

  void print(const PairOperand& operand) {
    print(operand.elements[0]);
    text_ += '|';
    print(operand.elements[1]);
  }

  const Instruction& instruction_;
  const Function& function_;
  std::string text_;
};

}  // namespace

std::string to_text(const Instruction& instruction, const Function& function) {
  return InstructionPrinter(instruction, function).print();
}

}  // namespace warpfork::ptx
