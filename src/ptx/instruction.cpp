#include "ptx/instruction.h"

namespace warpfork::ptx {

namespace {

constexpr unsigned kHalvesBit = 15, kCountShift = 12, kDigitBits = 3, kMaxDigits = 4;

}  // namespace

bool VectorOperand::operator==(const VectorOperand& other) const {
  return brackets == other.brackets && elements == other.elements;
}

bool PairOperand::operator==(const PairOperand& other) const { return elements == other.elements; }

bool has_components(SpecialRegister name) {
  switch (name) {
    case SpecialRegister::Tid:
    case SpecialRegister::Ntid:
    case SpecialRegister::Ctaid:
    case SpecialRegister::Nctaid:
    case SpecialRegister::Clusterid:
    case SpecialRegister::Nclusterid:
    case SpecialRegister::ClusterCtaid:
    case SpecialRegister::ClusterNctaid:
      return true;
    default:
      return false;
  }
}

std::uint16_t selector_bits(std::string_view text) {
  if (text.size() < 2 || text.size() > 1 + kMaxDigits || (text[0] != 'b' && text[0] != 'h')) return 0;
  unsigned digits = 0;
  for (char c : text.substr(1)) {
    if (c < '0' || c > '7') return 0;
    digits = digits << kDigitBits | static_cast<unsigned>(c - '0');
  }
  const unsigned count = static_cast<unsigned>(text.size() - 1);
  return static_cast<std::uint16_t>((text[0] == 'h' ? 1u : 0u) << kHalvesBit | count << kCountShift | digits);
}

std::string selector_text(std::uint16_t selector) {
  const unsigned count = selector >> kCountShift & 7u;
  std::string text(1, selector >> kHalvesBit != 0 ? 'h' : 'b');
  for (unsigned i = count; i-- > 0;) text += static_cast<char>('0' + (selector >> (i * kDigitBits) & 7u));
  return text;
}

}  // namespace warpfork::ptx
