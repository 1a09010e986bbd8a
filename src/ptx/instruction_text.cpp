#include "ptx/instruction_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "ptx/signature.h"

namespace warpfork::ptx {

namespace {

class Mnemonic {
 public:
  explicit Mnemonic(const Instruction& instruction) : instruction_(instruction), text_(to_string(instruction.opcode)) {}

  std::string write() {
    words();
    return std::move(text_);
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

  const Instruction& instruction_;
  std::string text_;
};

}  // namespace

std::string place_of(const Module& module, const Instruction& instruction) {
  return fmt::format("{}:{}", module.name, instruction.location.line);
}

std::string source_place_of(const Module& module, const Instruction& instruction) {
  const Location& location = instruction.location;
  if (location.source_line == 0) return "";
  const auto found = module.source_files.find(location.source_file);
  return fmt::format(" ({}:{})", found == module.source_files.end() ? "source" : found->second, location.source_line);
}

std::string mnemonic(const Instruction& instruction) { return Mnemonic(instruction).write(); }

std::string what_is_refused(const Module& module, const Instruction& instruction) {
  return fmt::format("{}: error: instruction '{}'{}", place_of(module, instruction), mnemonic(instruction),
                     source_place_of(module, instruction));
}

}  // namespace warpfork::ptx
