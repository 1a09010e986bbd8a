#include "lower/register_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "lower/colouring.h"

namespace warpfork::lower {

namespace {

constexpr std::size_t kColumns = 80;
constexpr const char* kRow = "{:<9} {:<16}";

struct Range {
  Pc first = 0, last = 0;
};

/// By register, the instructions at which it is held, in the order of the text.
std::vector<std::vector<Range>> held_ranges(const ptx::Function& function) {
  const analysis::ControlFlowGraph graph(function);
  const analysis::Liveness liveness(function, graph);
  std::vector<std::vector<Range>> ranges(function.registers.size());
  const auto hold = [&](ptx::RegisterId id, Pc pc) {  // comes from the end
    std::vector<Range>& of = ranges[id];
    if (!of.empty() && of.back().first <= pc + 1)
      of.back().first = std::min(of.back().first, pc);
    else
      of.push_back({pc, pc});
  };
  for (auto block = static_cast<analysis::BlockId>(graph.blocks().size()); block-- > 0;)
    liveness.for_each_backward(block, [&](Pc pc, const analysis::RegisterSet& alive) {
      alive.for_each([&](ptx::RegisterId id) { hold(id, pc); });
      for (const ptx::RegisterId id : liveness.uses(pc).writes) hold(id, pc);
      for (const ptx::RegisterId id : liveness.uses(pc).reads) hold(id, pc);
    });
  for (std::vector<Range>& of : ranges) std::ranges::reverse(of);
  return ranges;
}

std::string place_text(const RegisterPlace& place, unsigned units) {
  const char letter = "RSP"[static_cast<unsigned>(place.file)];
  if (units == 1) return fmt::format("{}{}", letter, place.number);
  return fmt::format("{0}{1}:{0}{2}", letter, place.number, place.number + units - 1);
}

/// With as many lines as the ranges need.
std::string row(const std::string& place, const std::string& name, const std::vector<Range>& ranges) {
  std::string text, line = fmt::format(kRow, place, name);
  for (const Range& range : ranges) {
    const std::string more =
        range.first == range.last ? fmt::format(" {}", range.first) : fmt::format(" {}-{}", range.first, range.last);
    if (line.size() + more.size() > kColumns) {
      text += line + "\n";
      line = fmt::format(kRow, "", "");
    }
    line += more;
  }
  return text + line + "\n";
}

std::string head(const ptx::Function& function, const RegisterAllocation& allocation, unsigned warp_size) {
  const unsigned of_warp = allocation.vector_registers * warp_size + allocation.scalar_registers;
  std::string text = fmt::format("kernel {}: {}\n{} a thread", function.name,
                                 counted(static_cast<unsigned>(function.body.size()), "instruction"),
                                 counted(allocation.vector_registers, "register"));
  if (allocation.scalar_registers != 0) text += fmt::format(" and {} scalar", allocation.scalar_registers);
  text += fmt::format(" ({} a warp), {}\n", of_warp, counted(allocation.predicates, "predicate"));
  for (const SpilledRegister& spilled : allocation.spilled)
    text += fmt::format("spilled: {} to bytes {}-{} of {} of local memory\n", spilled.name, spilled.offset,
                        spilled.offset + spilled.bytes - 1, allocation.spill_bytes);
  return text;
}

}  // namespace

std::string print_registers(const ptx::Function& function, const RegisterAllocation& allocation, unsigned warp_size) {
  const std::vector<std::vector<Range>> ranges = held_ranges(function);
  std::vector<ptx::RegisterId> order;
  for (ptx::RegisterId id = 0; id < allocation.places.size(); ++id)
    if (allocation.places[id].number != RegisterPlace::kNowhere) order.push_back(id);
  const auto by_place = [&](ptx::RegisterId id) {
    return std::tuple(allocation.places[id].file, allocation.places[id].number, ranges[id].front().first, id);
  };
  std::ranges::sort(order, {}, by_place);
  std::string text =
      head(function, allocation, warp_size) + "\n" + fmt::format(kRow, "place", "register") + " held at pc\n";
  for (const ptx::RegisterId id : order)
    text += row(place_text(allocation.places[id], units_of(function.registers[id].type)), function.registers[id].name,
                ranges[id]);
  return text;
}

}  // namespace warpfork::lower
