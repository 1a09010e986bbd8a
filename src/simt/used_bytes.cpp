#include "simt/used_bytes.h"

#include "analysis/cfg.h"
#include "analysis/liveness.h"

namespace warpfork::simt {

namespace {

const ptx::VectorOperand* loaded_vector(const ptx::Instruction& instruction) {
  const bool is_load = instruction.opcode == ptx::Opcode::Ld || instruction.opcode == ptx::Opcode::Ldu;
  return is_load ? instruction.operands.front().as<ptx::VectorOperand>() : nullptr;
}

bool is_read(const ptx::Operand& element, const analysis::RegisterSet& live) {
  const auto* target = element.as<ptx::RegisterOperand>();
  return target != nullptr && live.contains(target->id);
}

std::vector<UsedBytes::Piece> read_elements(const ptx::VectorOperand& vector, unsigned bytes,
                                            const analysis::RegisterSet& live) {
  const unsigned size = bytes / static_cast<unsigned>(vector.elements.size());
  std::vector<UsedBytes::Piece> pieces;
  for (unsigned i = 0; i < vector.elements.size(); ++i)
    if (is_read(vector.elements[i], live)) pieces.push_back({i * size, size});
  return pieces;
}

}  // namespace

UsedBytes::UsedBytes(const Program& program) {
  for (const Instruction& instruction : program.code) pieces_.push_back({{0, instruction.access_bytes}});
  const std::vector<ptx::Instruction>& body = program.function->body;
  const analysis::ControlFlowGraph graph(*program.function);
  const analysis::Liveness liveness(*program.function, graph);
  for (analysis::BlockId block = 0; block < graph.blocks().size(); ++block)
    liveness.for_each_backward(block, [&](Pc pc, const analysis::RegisterSet& live) {
      const ptx::VectorOperand* vector = loaded_vector(body[pc]);
      if (vector == nullptr) return;
      std::vector<Piece> read = read_elements(*vector, program.code[pc].access_bytes, live);
      if (!read.empty()) pieces_[pc] = std::move(read);  // else the load is there for its own sake
    });
}

}  // namespace warpfork::simt
