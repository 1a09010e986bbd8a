#include "gpu/bank_accesses.h"

namespace warpfork::gpu {

BankAccesses::BankAccesses(unsigned banks, std::span<const simt::Instruction> code,
                           std::span<const std::uint16_t> numbers, const analysis::RegisterSet* elsewhere)
    : count_(banks),
      all_(static_cast<Banks>((std::uint64_t{1} << banks) - 1)),
      numbers_(numbers),
      elsewhere_(elsewhere) {
  for (const simt::Instruction& instruction : code) accesses_.push_back(access_of(instruction));
}

BankAccesses::Access BankAccesses::access_of(const simt::Instruction& instruction) const {
  const auto twice_over = [&](Banks banks) { return std::uint64_t{banks} << count_ | banks; };
  Banks read = 0, again = 0, written = 0;
  bool is_listed = true;
  for_each_source(instruction, [&](std::uint16_t source) {
    const Banks of = Banks{1} << bank(source, 0);
    is_listed &= (again & of) == 0;
    again |= read & of;
    read |= of;
  });
  for (unsigned i = 0; i < instruction.destination_count; ++i) {
    if (!is_here(instruction.destinations[i])) continue;
    const Banks of = Banks{1} << bank(instruction.destinations[i], 0);
    is_listed &= (written & of) == 0;
    written |= of;
  }
  return {twice_over(read), twice_over(again), twice_over(written), is_listed};
}

}  // namespace warpfork::gpu
