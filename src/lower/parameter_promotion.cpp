#include "lower/parameter_promotion.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "lower/label_places.h"
#include "ptx/operand_walk.h"

namespace warpfork::lower {

namespace {

using ptx::Opcode;
using ptx::ScalarType;
using ptx::StateSpace;

/// The variable's name if the operand is `[name + offset]`.
const ptx::SymbolOperand* symbol_of(const ptx::Operand& operand) {
  const auto* address = operand.as<ptx::AddressOperand>();
  return address ? std::get_if<ptx::SymbolOperand>(&address->base) : nullptr;
}

class Promotion {
 public:
  Promotion(ptx::Function& function, ScalarType address_type) : function_(function), address_type_(address_type) {
    for (const ptx::Variable& variable : function.variables)
      if (variable.space == StateSpace::Param) {
        pieces_[variable.name];
        bytes_[variable.name] = static_cast<unsigned>(variable.bytes);
      }
  }

  void run() {
    if (pieces_.empty()) return;
    for (const ptx::Instruction& instruction : function_.body) survey(instruction);
    for (const auto& [name, pieces] : pieces_)
      if (overlap(pieces)) in_memory_.insert(name);
    for (ptx::Variable& variable : function_.variables)
      if (in_memory_.contains(variable.name)) {
        variable.space = StateSpace::Local;
        variable.alignment = std::max(variable.alignment, alignment_[variable.name]);
      }
    std::erase_if(function_.variables, [](const ptx::Variable& v) { return v.space == StateSpace::Param; });
    rewrite();
  }

 private:
  struct Piece {
    unsigned bytes = 0;
    ptx::RegisterId id = 0;
    bool has_register = false;
  };
  using Pieces = std::map<std::int64_t, Piece>;  // by offset

  static bool is_access(const ptx::Instruction& instruction) {
    return (instruction.opcode == Opcode::Ld || instruction.opcode == Opcode::St) &&
           instruction.space == StateSpace::Param && !instruction.types.empty();
  }

  /// The address operand of a ld or st.
  static const ptx::Operand& place(const ptx::Instruction& instruction) {
    return instruction.operands[instruction.opcode == Opcode::Ld ? 1 : 0];
  }
  static ptx::Operand& data(ptx::Instruction& instruction) {
    return instruction.operands[instruction.opcode == Opcode::Ld ? 0 : 1];
  }

  static std::int64_t offset_of(const ptx::Operand& operand) {
    return operand.as<ptx::AddressOperand>()->offset + symbol_of(operand)->offset;
  }

  /// Where the variable itself is.
  static bool is_aligned(const ptx::Instruction& access) {
    return offset_of(place(access)) % (ptx::bytes_of(access.types.front()) * access.vector_width) == 0;
  }

  bool is_ours(const ptx::SymbolOperand* symbol) const { return symbol && pieces_.contains(symbol->name); }

  void survey(const ptx::Instruction& instruction) {
    if (instruction.opcode == Opcode::Call) return survey_call(instruction);
    const bool access = is_access(instruction) && is_ours(symbol_of(place(instruction)));
    if (access) {
      const unsigned bytes = ptx::bytes_of(instruction.types.front());
      if (unsigned& most = alignment_[symbol_of(place(instruction))->name]; is_aligned(instruction))
        most = std::max(most, bytes * instruction.vector_width);
      for (unsigned i = 0; i < instruction.vector_width; ++i)
        note(symbol_of(place(instruction))->name, offset_of(place(instruction)) + i * bytes, bytes);
    }
    for (const ptx::Operand& whole : instruction.operands)
      walk(whole, [&](const ptx::Operand& operand) {
        const auto* symbol = operand.as<ptx::SymbolOperand>();
        if (!symbol && !access) symbol = symbol_of(operand);
        if (is_ours(symbol)) in_memory_.insert(symbol->name);
      });
  }

  /// A system call reads its arguments' variables and writes its result's, each as a whole.
  void survey_call(const ptx::Instruction& call) {
    for (const ptx::Operand& list : call.operands)
      walk(list, [&](const ptx::Operand& operand) {
        const auto* symbol = operand.as<ptx::SymbolOperand>();
        if (is_ours(symbol)) note(symbol->name, 0, bytes_.at(symbol->name));
      });
  }

  void note(const std::string& variable, std::int64_t offset, unsigned bytes) {
    Piece& piece = pieces_[variable][offset];
    if (piece.bytes != 0 && piece.bytes != bytes) in_memory_.insert(variable);
    piece.bytes = bytes;
  }

  static bool overlap(const Pieces& pieces) {
    std::int64_t end = 0;
    for (const auto& [offset, piece] : pieces) {
      if (offset < end || piece.bytes > 8) return true;
      end = offset + piece.bytes;
    }
    return false;
  }

  void rewrite() {
    std::vector<ptx::Instruction> body;
    std::vector<Pc> moved;
    for (ptx::Instruction& instruction : function_.body) {
      moved.push_back(static_cast<Pc>(body.size()));
      if (instruction.opcode == Opcode::Call) pass_in_registers(instruction, body);
      if (!is_access(instruction) || !is_ours(symbol_of(place(instruction)))) {
        body.push_back(std::move(instruction));
      } else if (in_memory_.contains(symbol_of(place(instruction))->name)) {
        instruction.space = StateSpace::Local;
        if (is_aligned(instruction) || ptx::bytes_of(instruction.types.front()) > 8)
          body.push_back(std::move(instruction));
        else
          append_bytes(instruction, body);
      } else {
        append_moves(instruction, body);
      }
    }
    moved.push_back(static_cast<Pc>(body.size()));
    move_labels(body, moved);
    function_.body = std::move(body);
  }

  /// Of an array the address. A number that is written in parts is left for the decoder to refuse.
  void pass_in_registers(ptx::Instruction& call, std::vector<ptx::Instruction>& body) {
    for (ptx::Operand& list : call.operands)
      walk(list, [&](ptx::Operand& operand) {
        const auto* symbol = operand.as<ptx::SymbolOperand>();
        if (!is_ours(symbol)) return;
        if (!in_memory_.contains(symbol->name))
          operand = ptx::RegisterOperand{register_of(pieces_[symbol->name][0])};
        else if (bytes_.at(symbol->name) > 8)
          operand = ptx::RegisterOperand{append_address(*symbol, call.location, body)};
      });
  }

  /// Of a variable in local memory.
  ptx::RegisterId append_address(const ptx::SymbolOperand& symbol, const ptx::Location& location,
                                 std::vector<ptx::Instruction>& body) {
    const auto id = static_cast<ptx::RegisterId>(function_.registers.size());
    function_.registers.push_back({"%address" + std::to_string(id), address_type_});
    ptx::Instruction move;
    move.opcode = Opcode::Mov;
    move.types = {address_type_};
    move.operands = {ptx::RegisterOperand{id}, symbol};
    move.location = location;
    body.push_back(std::move(move));
    return id;
  }

  void append_moves(ptx::Instruction& instruction, std::vector<ptx::Instruction>& body) {
    const unsigned bytes = ptx::bytes_of(instruction.types.front());
    auto* const elements = std::get_if<ptx::VectorOperand>(&data(instruction));
    for (unsigned i = 0; i < instruction.vector_width; ++i) {
      const ptx::Operand& element = elements ? elements->elements.at(i) : data(instruction);
      Piece& piece = pieces_[symbol_of(place(instruction))->name][offset_of(place(instruction)) + i * bytes];
      body.push_back(move(instruction, element, piece));
    }
  }

  /// Where parts of a packed structure lie in memory.
  void append_bytes(ptx::Instruction& access, std::vector<ptx::Instruction>& body) {
    const unsigned bytes = ptx::bytes_of(access.types.front());
    auto* const elements = std::get_if<ptx::VectorOperand>(&data(access));
    for (unsigned i = 0; i < access.vector_width; ++i) {
      const ptx::Operand& element = elements ? elements->elements.at(i) : data(access);
      if (element.as<ptx::SinkOperand>()) continue;
      Piece piece{bytes};
      ptx::Instruction whole = move(access, element, piece);
      if (access.opcode == Opcode::St) body.push_back(whole);
      for (unsigned byte = 0; byte < bytes; ++byte) append_byte(access, i * bytes + byte, piece, byte, body);
      if (access.opcode == Opcode::Ld) body.push_back(whole);
    }
  }

  /// Byte `number` of the piece, `at` bytes behind the place of the access.
  void append_byte(const ptx::Instruction& access, unsigned at, const Piece& piece, unsigned number,
                   std::vector<ptx::Instruction>& body) {
    const bool loads = access.opcode == Opcode::Ld;
    const ScalarType type = piece.bytes == 8 ? ScalarType::B64 : ScalarType::B32;
    const ptx::Operand whole = ptx::RegisterOperand{piece.id};
    ptx::Operand part = whole;
    if (number != 0) {
      part = ptx::RegisterOperand{static_cast<ptx::RegisterId>(function_.registers.size())};
      function_.registers.push_back({"%byte" + std::to_string(function_.registers.size()), type});
    }
    const auto append = [&](Opcode opcode, ScalarType of, std::vector<ptx::Operand> operands) -> ptx::Instruction& {
      ptx::Instruction& made = body.emplace_back();
      made.opcode = opcode;
      made.types = {of};
      made.operands = std::move(operands);
      made.guard = access.guard;
      made.location = access.location;
      return made;
    };
    const ptx::Operand bits = ptx::ImmediateOperand{ptx::ImmediateOperand::Kind::Integer, 8 * number};
    ptx::Operand there = place(access);
    std::get<ptx::AddressOperand>(there).offset += at;
    if (!loads && number != 0) append(Opcode::Shr, type, {part, whole, bits});
    append(access.opcode, ScalarType::U8, loads ? std::vector{part, there} : std::vector{there, part}).space =
        StateSpace::Local;
    if (!loads || number == 0) return;
    append(Opcode::Shl, type, {part, part, bits});
    append(Opcode::Or, type, {whole, whole, part});
  }

  /// Pieces of less than 32 bits lie in 32-bit registers and are extended when they are read.
  ptx::Instruction move(const ptx::Instruction& access, const ptx::Operand& element, Piece& piece) {
    const ptx::Operand reg = ptx::RegisterOperand{register_of(piece)};
    const ScalarType type = access.types.front();
    ptx::Instruction result;
    result.guard = access.guard;
    result.location = access.location;
    const auto* other = element.as<ptx::RegisterOperand>();
    const bool other_is_wide = other && ptx::bits_of(function_.registers[other->id].type) == 64;
    const bool exact = piece.bytes >= 4 && other_is_wide == (piece.bytes == 8);
    const ScalarType bits = piece.bytes == 8 ? ScalarType::B64 : ScalarType::B32;
    result.opcode = exact || !other ? Opcode::Mov : Opcode::Cvt;
    const bool loads = access.opcode == Opcode::Ld;
    result.operands = loads ? std::vector<ptx::Operand>{element, reg} : std::vector<ptx::Operand>{reg, element};
    if (result.opcode == Opcode::Mov) {
      result.types = {other || !ptx::is_float(type) ? bits : type};
      return result;
    }
    const ScalarType integer = integer_like(type);
    const ScalarType wide = ptx::is_signed(integer) ? ScalarType::S64 : ScalarType::U64;
    const ScalarType narrow = ptx::is_signed(integer) ? ScalarType::S32 : ScalarType::U32;
    result.types = loads ? ptx::TypeList{other_is_wide ? wide : narrow, integer} : ptx::TypeList{narrow, integer};
    return result;
  }

  ptx::RegisterId register_of(Piece& piece) {
    if (!piece.has_register) {
      piece.has_register = true;
      piece.id = static_cast<ptx::RegisterId>(function_.registers.size());
      function_.registers.push_back(
          {"%param" + std::to_string(piece.id), piece.bytes == 8 ? ScalarType::B64 : ScalarType::B32});
    }
    return piece.id;
  }

  /// The integer type that extends as ld does: a float or untyped element as unsigned.
  static ScalarType integer_like(ScalarType type) {
    const bool is_signed = ptx::is_signed(type) && !ptx::is_float(type);
    switch (ptx::bits_of(type)) {
      case 8:
        return is_signed ? ScalarType::S8 : ScalarType::U8;
      case 16:
        return is_signed ? ScalarType::S16 : ScalarType::U16;
      case 32:
        return is_signed ? ScalarType::S32 : ScalarType::U32;
      default:
        return is_signed ? ScalarType::S64 : ScalarType::U64;
    }
  }

  ptx::Function& function_;
  ScalarType address_type_;
  std::map<std::string, Pieces> pieces_;               // by variable
  std::map<std::string, unsigned> bytes_, alignment_;  // likewise; what its accesses need of it
  std::set<std::string> in_memory_;
};

}  // namespace

void promote_parameters(ptx::Function& function, ptx::ScalarType address_type) {
  Promotion(function, address_type).run();
}

}  // namespace warpfork::lower
