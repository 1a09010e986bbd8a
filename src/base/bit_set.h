// A set of small numbers, one bit each: the lanes of a warp, the warps of a block, the slots of a table.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace warpfork {

/// A set of numbers below N, which is 32, 64 or a multiple of it. A value type of N bits; sets with different tags do
/// not mix.
template <typename Tag, unsigned N>
class BitSet {
  static_assert(N == 32 || (N != 0 && N % 64 == 0));

 public:
  using Word = std::conditional_t<N == 32, std::uint32_t, std::uint64_t>;
  static constexpr unsigned kCapacity = N;

  constexpr BitSet() = default;
  /// The numbers whose bits are set, all below those of a Word.
  constexpr explicit BitSet(Word bits) { words_[0] = bits; }

  /// 0 … count − 1; count is at most N.
  static constexpr BitSet first(unsigned count) {
    BitSet set;
    for (unsigned w = 0; w < kWords && count > w * kBits; ++w)
      set.words_[w] = count >= (w + 1) * kBits ? kAll : static_cast<Word>((Word{1} << (count - w * kBits)) - 1);
    return set;
  }
  /// This number alone.
  static constexpr BitSet single(unsigned number) {
    BitSet set;
    set.word_of(number) = Word{1} << number % kBits;
    return set;
  }

  constexpr Word bits() const requires(N <= 64) { return words_[0]; }
  constexpr unsigned count() const {
    unsigned count = 0;
    for (const Word word : words_) count += static_cast<unsigned>(std::popcount(word));
    return count;
  }
  constexpr bool any() const { return !none(); }
  constexpr bool none() const {
    Word all = 0;
    for (const Word word : words_) all |= word;
    return all == 0;
  }
  constexpr bool full() const { return *this == first(N); }
  constexpr bool contains(unsigned number) const { return word_of(number) >> number % kBits & 1u; }
  constexpr bool contains(BitSet other) const { return (other - *this).none(); }
  constexpr bool intersects(BitSet other) const { return (*this & other).any(); }
  /// Of a set that is not empty.
  constexpr unsigned lowest() const {
    for (unsigned w = 0; w + 1 < kWords; ++w)
      if (words_[w] != 0) return w * kBits + static_cast<unsigned>(std::countr_zero(words_[w]));
    return (kWords - 1) * kBits + static_cast<unsigned>(std::countr_zero(words_[kWords - 1]));
  }
  constexpr unsigned highest() const {
    unsigned w = kWords - 1;
    while (w > 0 && words_[w] == 0) --w;
    return (w + 1) * kBits - 1 - static_cast<unsigned>(std::countl_zero(words_[w]));
  }
  /// Round robin, of a set that is not empty: the lowest number above this one; if there is none, the lowest.
  constexpr unsigned next_after(unsigned number) const {
    for (unsigned w = 0; w < kWords; ++w) {
      if (number >= (w + 1) * kBits) continue;
      const Word above = number < w * kBits ? kAll : kAll << number % kBits << 1;
      if (const Word later = words_[w] & above; later != 0)
        return w * kBits + static_cast<unsigned>(std::countr_zero(later));
    }
    return lowest();
  }
  /// The lowest number that is not in the set, N of a full one.
  constexpr unsigned lowest_free() const {
    unsigned w = 0;
    while (w + 1 < kWords && words_[w] == kAll) ++w;
    return w * kBits + static_cast<unsigned>(std::countr_one(words_[w]));
  }

  constexpr BitSet operator|(BitSet other) const {
    return combined(other, [](Word a, Word b) { return a | b; });
  }
  constexpr BitSet operator&(BitSet other) const {
    return combined(other, [](Word a, Word b) { return a & b; });
  }
  /// What is in this set and not in the other one.
  constexpr BitSet operator-(BitSet other) const {
    return combined(other, [](Word a, Word b) { return a & ~b; });
  }
  constexpr BitSet& operator|=(BitSet other) { return *this = *this | other; }
  constexpr BitSet& operator&=(BitSet other) { return *this = *this & other; }
  constexpr BitSet& operator-=(BitSet other) { return *this = *this - other; }
  constexpr void insert(unsigned number) { word_of(number) |= Word{1} << number % kBits; }
  constexpr void erase(unsigned number) { word_of(number) &= ~(Word{1} << number % kBits); }
  /// Word by word: the default would be a call of memcmp.
  constexpr bool operator==(const BitSet& other) const {
    Word difference = 0;
    for (unsigned w = 0; w < kWords; ++w) difference |= words_[w] ^ other.words_[w];
    return difference == 0;
  }

  /// Calls visit(number) for every number in ascending order.
  template <typename Visit>
  constexpr void for_each(Visit&& visit) const {
#pragma GCC unroll 2
    for (unsigned w = 0; w < kWords; ++w)
      for (Word rest = words_[w]; rest != 0; rest &= rest - 1)
        visit(w * kBits + static_cast<unsigned>(std::countr_zero(rest)));
  }

  /// Whether test(number) holds for one of them: asked in ascending order, up to the first.
  template <typename Test>
  constexpr bool any_of(Test&& test) const {
#pragma GCC unroll 2
    for (unsigned w = 0; w < kWords; ++w)
      for (Word rest = words_[w]; rest != 0; rest &= rest - 1)
        if (test(w * kBits + static_cast<unsigned>(std::countr_zero(rest)))) return true;
    return false;
  }

  /// As the papers print masks: `width` digits, 0 rightmost, e.g. "0101".
  std::string to_string(unsigned width = N) const {
    std::string text(width, '0');
    for (unsigned i = 0; i < width; ++i)
      if (contains(i)) text[width - 1 - i] = '1';
    return text;
  }

 private:
  static constexpr unsigned kBits = N == 32 ? 32 : 64, kWords = N / kBits;
  static constexpr Word kAll = std::numeric_limits<Word>::max();

  constexpr const Word& word_of(unsigned number) const { return words_[kWords == 1 ? 0 : number / kBits]; }
  constexpr Word& word_of(unsigned number) { return words_[kWords == 1 ? 0 : number / kBits]; }
  template <typename Operation>
  constexpr BitSet combined(BitSet other, Operation operation) const {
    BitSet result;
    for (unsigned w = 0; w < kWords; ++w) result.words_[w] = operation(words_[w], other.words_[w]);
    return result;
  }

  std::array<Word, kWords> words_{};
};

}  // namespace warpfork
