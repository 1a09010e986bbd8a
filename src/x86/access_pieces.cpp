#include "x86/access_pieces.h"

#include <algorithm>

namespace warpfork::x86 {

namespace {

bool is_one_each(std::span<const MemoryAccess> accesses, std::span<const RecordedAccess> pieces) {
  return std::ranges::equal(accesses, pieces, is_whole);
}

/// The pieces that no access has taken yet.
class Remainder {
 public:
  explicit Remainder(std::span<const RecordedAccess> pieces) : pieces_(pieces), is_taken_(pieces.size()) {}

  /// Address of the first piece of that kind, or 0. The access takes it and those that lie within its bytes.
  std::uint64_t take(const MemoryAccess& access) {
    const std::size_t first = find(access.store);
    if (first == pieces_.size()) return 0;
    const std::uint64_t begin = pieces_[first].address;
    for (std::size_t number = first; number < pieces_.size(); ++number)
      if (pieces_[number].store == access.store && pieces_[number].address - begin < access.bytes)
        is_taken_[number] = true;
    return begin;
  }

  /// Is there another piece for this access?
  bool has(const MemoryAccess& access) const { return find(access.store) != pieces_.size(); }

  /// Address of the first store, which was a load as well, or 0.
  std::uint64_t atomic_load() const {
    const std::size_t first = find(true);
    return first == pieces_.size() ? 0 : pieces_[first].address;
  }

 private:
  std::size_t find(bool store) const {
    std::size_t number = 0;
    while (number < pieces_.size() && (is_taken_[number] || pieces_[number].store != store)) ++number;
    return number;
  }

  std::span<const RecordedAccess> pieces_;
  std::vector<bool> is_taken_;
};

}  // namespace

void append_addresses(const StaticInstruction& instruction, std::span<const RecordedAccess> pieces,
                      std::vector<std::uint64_t>& addresses) {
  if (is_one_each(instruction.accesses, pieces)) {
    for (const RecordedAccess& piece : pieces) addresses.push_back(piece.address);
    return;
  }
  if (instruction.accesses.empty() || (instruction.repeats && pieces.empty())) return;  // a count had come to 0
  Remainder remainder(pieces);
  do {
    for (const MemoryAccess& access : instruction.accesses) {
      std::uint64_t address = remainder.take(access);
      if (address == 0 && !access.store && instruction.atomic) address = remainder.atomic_load();
      addresses.push_back(address);
    }
  } while (instruction.repeats && remainder.has(instruction.accesses.front()));
}

}  // namespace warpfork::x86
