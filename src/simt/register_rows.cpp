#include "simt/register_rows.h"

namespace warpfork::simt {

namespace {

constexpr std::uint32_t row_bytes(bool wide) { return kRowLanes * (wide ? 8 : 4); }

}  // namespace

bool is_wide(ptx::SpecialRegister name) {
  using enum ptx::SpecialRegister;
  return name == Clock64 || name == Globaltimer || name == CurrentGraphExec || (name >= Pm064 && name <= Pm764);
}

RegisterRows::RegisterRows(const ptx::Function& function, const lower::RegisterAllocation* allocation) {
  registers_.reserve(function.registers.size());
  if (allocation) first_own_predicate_ = allocation->predicates;
  for (const ptx::Register& declared : function.registers) {
    const unsigned bits = ptx::bits_of(declared.type);
    Place place;
    place.is_predicate = declared.type == ptx::ScalarType::Pred;
    place.is_wide = bits == 64;
    if (allocation)
      place.place = place_of(place, allocation->places[registers_.size()]);
    else
      place.place = place.is_predicate ? first_own_predicate_++ : add_row(place.is_wide);
    registers_.push_back(place);
  }
  register_bytes_ = bytes_;
}

std::uint32_t RegisterRows::place_of(const Place& wanted, const lower::RegisterPlace& allocated) {
  if (allocated.number == lower::RegisterPlace::kNowhere) return 0;
  if (wanted.is_predicate) return allocated.number;
  std::vector<std::uint32_t>& rows = shared_[allocated.file == lower::RegisterFile::Scalar][wanted.is_wide];
  if (allocated.number >= rows.size()) rows.resize(allocated.number + 1u);
  if (rows[allocated.number] == 0) rows[allocated.number] = add_row(wanted.is_wide) + 1;
  return rows[allocated.number] - 1;
}

std::uint32_t RegisterRows::add_row(bool wide) {
  const std::uint32_t offset = bytes_;
  bytes_ += row_bytes(wide);
  return offset;
}

std::uint32_t RegisterRows::constant(std::uint64_t bits, bool wide) {
  if (!wide) bits &= 0xffffffff;
  const auto [found, is_new] = constants_.try_emplace({bits, wide}, 0);
  if (is_new) found->second = add_row(wide);
  return found->second;
}

std::uint32_t RegisterRows::special(const ptx::SpecialRegisterOperand& name, bool wide) {
  for (const SpecialRow& row : specials_)
    if (row.name.name == name.name && row.name.component == name.component && row.wide == wide) return row.offset;
  specials_.push_back({add_row(wide), wide, name});
  return specials_.back().offset;
}

std::uint32_t RegisterRows::sink() {
  if (!sink_) sink_ = add_row(true);  // room for either width
  return *sink_;
}

void RegisterRows::finish(Program& program) const {
  program.register_block_bytes = bytes_;
  program.register_bytes = register_bytes_;
  program.specials = specials_;
  for (const auto& [value, offset] : constants_) program.constants.push_back({offset, value.second, value.first});
  program.predicate_count = first_own_predicate_ + 4;
  program.true_predicate = static_cast<std::uint16_t>(true_predicate());
}

}  // namespace warpfork::simt
