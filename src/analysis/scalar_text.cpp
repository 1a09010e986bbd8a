#include "analysis/scalar_text.h"

#include <fmt/format.h>

#include "analysis/uniformity.h"
#include "base/wrapped.h"
#include "ptx/printer.h"

namespace warpfork::analysis {

using Kind = VectorCause::Kind;

namespace {

std::string_view text_of(DivergenceSource source) {
  switch (source) {
    case DivergenceSource::ThreadIndex:
      return "reads the thread's index";
    case DivergenceSource::LocalMemory:
      return "accesses the thread's own memory";
    case DivergenceSource::Atomic:
      return "is an atomic of every thread";
    case DivergenceSource::Collective:
      return "answers each lane on its own";
    case DivergenceSource::CarryFlag:
      return "goes with the thread's carry flag";
    case DivergenceSource::SystemCall:
      return "calls the system for every thread";
  }
  return "";
}

/// Of a register that is not just written by a vector instruction.
std::string_view text_of(Kind kind) {
  if (kind == Kind::AliveWhereTheyMeet) return "written by some threads and read where they have met others";
  if (kind == Kind::AliveOnTheOtherSide) return "written on one side and needed on the other";
  return "used on two sides at a time";
}

/// "reads %r3 <- pc 4 reads %r1 <- pc 0 reads the thread's index"
std::string chain(const Uniformity& of, const ptx::Function& function, Pc pc) {
  std::string text;
  while (true) {
    const VectorCause& cause = of.of(pc);
    if (cause.kind == Kind::Source) return text.append(text_of(cause.source));
    if (cause.kind == Kind::NotTogether) {
      text += fmt::format("threads have parted at pc {}, which ", pc = cause.branch);
      continue;
    }
    const VectorCause& of_register = of.of_register(cause.register_id);
    text += fmt::format("{} {}", cause.kind == Kind::Operand ? "reads" : "writes",
                        function.registers[cause.register_id].name);
    const bool is_written = of_register.kind == Kind::Written;
    pc = is_written ? of_register.pc : of_register.branch;
    text += is_written
                ? fmt::format(" <- pc {} ", pc)
                : fmt::format(", {} (pc {}) <- pc {} parts threads: ", text_of(of_register.kind), of_register.pc, pc);
  }
}

std::string share_text(const Uniformity& of, std::size_t instructions) {
  return fmt::format("{:>4} of {:<4} {:>5.1f} %", of.scalar_instructions(), instructions,
                     100.0 * of.scalar_instructions() / static_cast<double>(instructions));
}

std::string row(std::string_view rule, const Uniformity& of, const Liveness& liveness, const ptx::Function& function) {
  const RegisterSet scalars = of.scalar_registers();
  RegisterSet vectors = RegisterSet::first(function.registers.size());
  vectors -= scalars;
  return fmt::format("{:<15}  {}  {:>9} {:>9}\n", rule, share_text(of, function.body.size()),
                     liveness.max_units(vectors), liveness.max_units(scalars));
}

}  // namespace

std::string print_scalars(const ptx::Function& function) {
  static const std::string kIndent(23, ' ');
  if (function.body.empty()) return "";
  const ControlFlowGraph graph(function);
  const Liveness liveness(function, graph);
  const auto analysed = [&](const UniformityOptions& options) {
    return Uniformity(function, graph, liveness, options);
  };
  const Uniformity divergent = analysed({}), together = analysed({.rule = ScalarRule::ConvergentOnly}),
                   in_rows = analysed({.rows_fill_warps = true});
  std::string text = "rule             scalar instructions   live registers: of a thread, of a warp\n";
  text += row("divergent", divergent, liveness, function) + row("convergent-only", together, liveness, function);
  text += fmt::format("divergent, and 32 divides the blocks' x: {}\n\n  pc  line  class      instruction\n",
                      share_text(in_rows, function.body.size()));
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    const bool is_scalar = divergent.is_scalar_instruction(pc), in_both = together.is_scalar_instruction(pc);
    text += fmt::format("{:>4}  {:>4}  {:<9}  {}\n", pc, function.body[pc].location.line,
                        in_both                             ? "scalar"
                        : is_scalar                         ? "divergent"
                        : in_rows.is_scalar_instruction(pc) ? "in rows"
                                                            : "vector",
                        ptx::to_text(function.body[pc], function));
    if (!in_both) text += wrapped(chain(is_scalar ? together : divergent, function, pc), kIndent, kIndent);
  }
  return text;
}

}  // namespace warpfork::analysis
