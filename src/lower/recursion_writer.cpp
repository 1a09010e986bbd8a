#include "lower/recursion_writer.h"

#include <utility>

#include "lower/expansion.h"
#include "lower/passing_moves.h"

namespace warpfork::lower {

using ptx::RegisterOperand;

unsigned RecursionWriter::add_copy(const std::map<std::string, std::string>& names) {
  if (recursion_.copies.empty()) recursion_.stack = fresh("%stack", address_);
  Recursion::Copy copy;
  copy.frame = fresh("%frame", address_);
  copy.return_number = fresh("%return", ptx::ScalarType::U32);
  for (const auto& [name, variable] : names) copy.variables.push_back(variable);
  recursion_.copies.push_back(std::move(copy));
  return static_cast<unsigned>(recursion_.copies.size() - 1);
}

unsigned RecursionWriter::add_call(unsigned copy) {
  recursion_.calls.push_back({copy, ++recursion_.copies[copy].calls, {}});
  return static_cast<unsigned>(recursion_.calls.size() - 1);
}

void RecursionWriter::set_frame(unsigned copy, const ptx::Location& location) {
  out_.body.push_back(
      move(RegisterOperand{recursion_.copies[copy].frame}, RegisterOperand{recursion_.stack}, address_, location));
}

void RecursionWriter::return_behind_call(unsigned call, const ptx::Location& location) {
  set_return_number(recursion_.calls[call].copy, recursion_.calls[call].number, location);
}

void RecursionWriter::add_waiting(const std::vector<ptx::RegisterId>& registers) {
  recursion_.waiting.insert(recursion_.waiting.end(), registers.begin(), registers.end());
}

void RecursionWriter::set_results(unsigned call, std::vector<ptx::RegisterId> registers) {
  add_waiting(registers);
  recursion_.calls[call].results = std::move(registers);
}

ptx::RegisterId RecursionWriter::fresh(const char* name, ptx::ScalarType type) {
  out_.registers.push_back({name, type});
  return static_cast<ptx::RegisterId>(out_.registers.size() - 1);
}

void RecursionWriter::move_stack(ptx::Opcode opcode, unsigned room, const ptx::Location& location) {
  ptx::Instruction instruction;
  instruction.opcode = opcode;
  instruction.types = {address_};
  instruction.operands = {RegisterOperand{recursion_.stack}, RegisterOperand{recursion_.stack},
                          Expansion::number(room)};
  instruction.location = location;
  out_.body.push_back(std::move(instruction));
}

void RecursionWriter::set_return_number(unsigned copy, unsigned number, const ptx::Location& location) {
  out_.body.push_back(move(RegisterOperand{recursion_.copies[copy].return_number}, Expansion::number(number),
                           ptx::ScalarType::U32, location));
}

}  // namespace warpfork::lower
