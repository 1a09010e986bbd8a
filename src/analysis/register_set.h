// A set of PTX virtual registers, one bit each: the lattice of the liveness analysis.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "ptx/instruction.h"

namespace warpfork::analysis {

class RegisterSet {
 public:
  explicit RegisterSet(std::size_t registers) : words_((registers + 63) / 64) {}

  /// All of so many.
  static RegisterSet first(std::size_t registers) {
    RegisterSet set(registers);
    std::ranges::fill(set.words_, ~std::uint64_t{0});
    if (registers % 64 != 0) set.words_.back() >>= 64 - registers % 64;
    return set;
  }

  bool contains(ptx::RegisterId id) const { return (words_[id / 64] >> (id % 64)) & 1u; }
  bool empty() const {
    return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
  }
  /// True if it is new.
  bool insert(ptx::RegisterId id) {
    const bool is_new = !contains(id);
    words_[id / 64] |= std::uint64_t{1} << (id % 64);
    return is_new;
  }
  /// True if it was there.
  bool erase(ptx::RegisterId id) {
    const bool was_there = contains(id);
    words_[id / 64] &= ~(std::uint64_t{1} << (id % 64));
    return was_there;
  }

  RegisterSet& operator|=(const RegisterSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  RegisterSet& operator-=(const RegisterSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  /// Inserts those that are in `others` and not in `without`. True if there were new ones.
  bool insert(const RegisterSet& others, const RegisterSet& without) {
    return change([&](std::uint64_t word, std::size_t i) { return word | (others.words_[i] & ~without.words_[i]); });
  }
  /// Erases those that are not in `others`. True if there were any.
  bool keep(const RegisterSet& others) {
    return change([&](std::uint64_t word, std::size_t i) { return word & others.words_[i]; });
  }

  /// Calls visit(register) in ascending order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        visit(static_cast<ptx::RegisterId>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
  }

 private:
  /// Each word becomes changed(word, its number). True if one differs from what it was.
  template <typename Changed>
  bool change(Changed&& changed) {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t before = words_[i];
      words_[i] = changed(before, i);
      difference |= before ^ words_[i];
    }
    return difference != 0;
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace warpfork::analysis
