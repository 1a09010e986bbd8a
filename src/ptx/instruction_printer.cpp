#include <fmt/format.h>

#include <algorithm>

#include "ptx/printer.h"
#include "ptx/signature.h"

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
    text_ += to_string(instruction_.opcode);
    words();
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

  static bool is_space_word(Modifier modifier) {
    switch (modifier) {
      case Modifier::Global:
      case Modifier::Shared:
      case Modifier::Local:
      case Modifier::Param:
      case Modifier::Const:
      case Modifier::SharedCta:
      case Modifier::SharedCluster:
      case Modifier::ParamEntry:
      case Modifier::ParamFunc:
        return true;
      default:
        return false;
    }
  }

  /// The space is written by one of the modifiers: `.shared::cluster`.
  bool space_is_qualified() const {
    const bool shared = instruction_.has(Modifier::SharedCta) || instruction_.has(Modifier::SharedCluster);
    const bool param = instruction_.has(Modifier::ParamEntry) || instruction_.has(Modifier::ParamFunc);
    return (instruction_.space == StateSpace::Shared && shared) || (instruction_.space == StateSpace::Param && param);
  }

  bool is_surface() const { return instruction_.opcode >= Opcode::Suld && instruction_.opcode <= Opcode::Sured; }

  /// Modifiers that stand before the space in loads, stores and atomics.
  bool precedes_space(Modifier modifier) const {
    switch (instruction_.opcode) {
      case Opcode::Ld:
      case Opcode::Ldu:
      case Opcode::St:
      case Opcode::Atom:
      case Opcode::Red:
      case Opcode::Prefetch:
      case Opcode::Prefetchu:
      case Opcode::Applypriority:
      case Opcode::Discard:
        return modifier >= Modifier::Volatile && modifier <= Modifier::Cluster;
      default:
        return !is_space_word(modifier);
    }
  }

  /// `.trap` and its like stand behind the type of surface instructions, all modifiers behind those of video ones.
  bool follows_types(Modifier modifier) const {
    if (is_video(instruction_.opcode)) return true;
    return is_surface() && (modifier == Modifier::Trap || modifier == Modifier::Clamp || modifier == Modifier::Zero);
  }

  void words() {
    const auto& modifiers = instruction_.modifiers;
    auto next = modifiers.begin();
    const auto end = std::find_if(next, modifiers.end(), [&](Modifier m) { return follows_types(m); });
    if (instruction_.space != StateSpace::Generic && !space_is_qualified()) {
      for (; next != end && precedes_space(*next); ++next) word(to_string(*next));
      word(to_string(instruction_.space));
    }
    for (; next != end; ++next) word(to_string(*next));
    if (instruction_.vector_width > 1) text_ += fmt::format(".v{}", instruction_.vector_width);
    for (ScalarType type : instruction_.types) word(to_string(type));
    for (; next != modifiers.end(); ++next) word(to_string(*next));
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
