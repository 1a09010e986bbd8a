#include "simt/decoder.h"

#include <algorithm>
#include <numeric>

#include "analysis/cfg.h"
#include "analysis/frontier_order.h"
#include "analysis/liveness.h"
#include "analysis/postdominators.h"
#include "analysis/uniformity.h"
#include "base/error.h"
#include "simt/instruction_decoder.h"

namespace warpfork::simt {

namespace {

/// Registers of a warp, by their place among all.
analysis::RegisterSet scalar_places(const lower::RegisterAllocation& allocation) {
  analysis::RegisterSet places(allocation.vector_registers + allocation.scalar_registers + allocation.predicates);
  for (unsigned number = 0; number < allocation.scalar_registers; ++number)
    places.insert(allocation.vector_registers + number);
  return places;
}

/// Those that each thread has for itself. What is written only to be spilled lies there, too, where it is one for all.
analysis::RegisterSet registers_of_threads(const lower::RegisterAllocation& allocation) {
  analysis::RegisterSet registers(allocation.places.size());
  for (ptx::RegisterId id = 0; id < allocation.places.size(); ++id) {
    const lower::RegisterPlace& place = allocation.places[id];
    if (place.file == lower::RegisterFile::Vector && place.number != lower::RegisterPlace::kNowhere)
      registers.insert(id);
  }
  return registers;
}

bool touches(analysis::RegisterUses::Use uses, const analysis::RegisterSet& registers) {
  const auto is_one = [&](ptx::RegisterId id) { return registers.contains(id); };
  return std::ranges::any_of(uses.reads, is_one) || std::ranges::any_of(uses.writes, is_one);
}

/// Sets Instruction::straight.
void count_straight(std::vector<Instruction>& code) {
  std::uint16_t count = 0;
  for (auto instruction = code.rbegin(); instruction != code.rend(); ++instruction) {
    const bool is_straight = instruction->kind <= InstructionKind::Atomic && !instruction->ends_block;
    count = is_straight ? std::min(count + 1, 0xffff) : 0;
    instruction->straight = count;
  }
}

void add_scalars(const ptx::Function& function, const analysis::ControlFlowGraph& graph,
                 const analysis::Liveness& liveness, const CodeOptions& code, Program& program) {
  const std::optional<analysis::UniformityOptions> options = code.uniformity();
  if (!options) return;
  const analysis::Uniformity uniformity(function, graph, liveness, *options);
  const analysis::RegisterSet of_threads =
      program.allocation ? registers_of_threads(*program.allocation) : analysis::RegisterSet(function.registers.size());
  for (Pc pc = 0; pc < program.code.size(); ++pc)
    program.code[pc].scalar = uniformity.is_scalar_instruction(pc) && !touches(liveness.uses(pc), of_threads);
  analysis::RegisterSet scalars = uniformity.scalar_registers();
  scalars -= of_threads;
  analysis::RegisterSet vectors = analysis::RegisterSet::first(function.registers.size());
  vectors -= scalars;
  program.scalars = {code.scalars, scalars, scalars, liveness.max_units(vectors), liveness.max_units(scalars)};
  if (program.allocation) program.scalars.listed = scalar_places(*program.allocation);
}

void add_analyses(const ptx::Function& function, const CodeOptions& code, Program& program) {
  const analysis::ControlFlowGraph graph(function);
  const analysis::Postdominators postdominators(graph);
  program.later_meetings = postdominators.later_meetings();
  const std::vector<FrontierPlace> order =
      analysis::frontier_order(graph, analysis::Postdominators(graph, analysis::Leavers::Count));
  for (Pc pc = 0; pc < program.code.size(); ++pc) {
    Instruction& instruction = program.code[pc];
    instruction.reconvergence = postdominators.reconvergence_pc(pc);
    program.frontier_order.push_back(order[graph.block_of(pc)]);
    instruction.ends_block = pc + 1 == graph.blocks()[graph.block_of(pc)].last ||
                             instruction.kind == InstructionKind::Branch || instruction.kind == InstructionKind::Exit;
  }
  count_straight(program.code);
  const analysis::Liveness liveness(function, graph);
  program.live_registers = liveness.max_units();
  program.reads_unwritten = !liveness.live_in(0).empty();
  add_scalars(function, graph, liveness, code, program);
}

/// The digits of a register's name: 12 for %rd12.
std::uint16_t digits_of(const std::string& name) {
  std::uint32_t number = 0;
  for (const char c : name)
    if (c >= '0' && c <= '9') number = number * 10 + static_cast<std::uint32_t>(c - '0');
  return static_cast<std::uint16_t>(number);
}

std::vector<std::uint16_t> name_numbers(const ptx::Function& function) {
  std::vector<std::uint16_t> numbers;
  for (const ptx::Register& declared : function.registers) numbers.push_back(digits_of(declared.name));
  return numbers;
}

/// Of the first predicate: another than any register's. Of banks whose number is a power of two it chooses the first.
constexpr std::uint16_t kPredicates = 1u << 15;

/// Scalar registers are slots of the same file (STSIMT 4.1); predicates have one of their own.
std::vector<std::uint16_t> place_numbers(const lower::RegisterAllocation& allocation) {
  std::vector<std::uint16_t> numbers(allocation.vector_registers + allocation.scalar_registers + allocation.predicates);
  std::iota(numbers.begin(), numbers.end() - allocation.predicates, std::uint16_t{0});
  std::iota(numbers.end() - allocation.predicates, numbers.end(), kPredicates);
  return numbers;
}

void require_register_sizes(const ptx::Module& module, const ptx::Function& function) {
  for (const ptx::Register& declared : function.registers)
    if (const unsigned bits = ptx::bits_of(declared.type); bits > 64)
      throw Error("{}:{}: error: function '{}': register {} has {} bits; registers of up to 64 bits are supported",
                  module.name, declared.line, function.name, declared.name, bits);
}

}  // namespace

Program decode(const ptx::Module& module, const ptx::Function& function, const DeviceSymbols& device,
               HostInstructionSet set, const CodeOptions& code, std::optional<lower::RegisterAllocation> allocation) {
  if (!allocation && function.registers.size() >= Instruction::kNoPredicate)
    throw Error(
        "{}: error: kernel '{}' declares {} registers; without register allocation {} are supported\n"
        "  take core.register_allocation=colouring",
        module.name, function.name, function.registers.size(), Instruction::kNoPredicate - 1);
  require_register_sizes(module, function);
  InstructionDecoder decoder(module, function, device, handler_set(set), allocation ? &*allocation : nullptr);
  Program program;
  program.name = function.name;
  program.function = &function;
  program.module = &module;
  for (const ptx::Instruction& source : function.body) program.code.push_back(decoder.decode(source));
  program.register_numbers = allocation ? place_numbers(*allocation) : name_numbers(function);
  program.allocation = std::move(allocation);
  add_analyses(function, code, program);
  decoder.rows().finish(program);
  program.reserved_shared_bytes = decoder.symbols().reserved_shared_bytes();
  program.static_shared_bytes = decoder.symbols().static_shared_bytes();
  program.local_bytes = decoder.symbols().local_bytes();
  program.padding = decoder.symbols().padding();
  program.parameter_bytes = static_cast<std::uint32_t>(function.parameter_bytes());
  return program;
}

}  // namespace warpfork::simt
