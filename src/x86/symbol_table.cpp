#include "x86/symbol_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "x86/byte_text.h"

namespace warpfork::x86 {

namespace {

bool is_before(const Symbol& a, const Symbol& b) {
  const auto key = [](const Symbol& symbol) {
    return std::tuple(symbol.address, symbol.name.find_first_not_of('_'), symbol.name.size(),
                      std::string_view(symbol.name));
  };
  return key(a) < key(b);
}

}  // namespace

SymbolTable::SymbolTable(std::vector<Symbol> symbols) : symbols_(std::move(symbols)) {
  std::sort(symbols_.begin(), symbols_.end(), is_before);
}

SymbolTable::SymbolTable(std::span<const std::uint8_t> bytes, const std::string& what) {
  ByteReader in(bytes, what);
  while (!in.is_at_end()) {
    Symbol& symbol = symbols_.emplace_back();
    symbol.address = in.take<std::uint64_t>();
    symbol.bytes = in.take<std::uint64_t>();
    symbol.is_function = in.take<std::uint8_t>() != 0;
    symbol.name = in.take_text();
  }
}

std::vector<std::uint8_t> SymbolTable::to_bytes() const {
  ByteWriter out;
  for (const Symbol& symbol : symbols_) {
    out.put(symbol.address);
    out.put(symbol.bytes);
    out.put(std::uint8_t{symbol.is_function});
    out.put_text(symbol.name);
  }
  return out.bytes();
}

const Symbol* SymbolTable::containing(std::uint64_t address) const {
  const auto behind =
      std::upper_bound(symbols_.begin(), symbols_.end(), address,
                       [](std::uint64_t wanted, const Symbol& symbol) { return wanted < symbol.address; });
  if (behind == symbols_.begin()) return nullptr;
  const std::uint64_t begin = std::prev(behind)->address;
  const auto plainest =
      std::lower_bound(symbols_.begin(), behind, begin,
                       [](const Symbol& symbol, std::uint64_t wanted) { return symbol.address < wanted; });
  const auto found = std::find_if(
      plainest, behind, [&](const Symbol& symbol) { return address == begin || address - begin < symbol.bytes; });
  return found == behind ? nullptr : &*found;
}

const Symbol* SymbolTable::find(std::string_view name) const {
  const auto found =
      std::find_if(symbols_.begin(), symbols_.end(), [&](const Symbol& symbol) { return symbol.name == name; });
  return found == symbols_.end() ? nullptr : &*found;
}

std::string SymbolTable::text(std::uint64_t address) const {
  const Symbol* const symbol = containing(address);
  if (!symbol) return fmt::format("{:#x}", address);
  return address == symbol->address ? symbol->name : fmt::format("{}+{:#x}", symbol->name, address - symbol->address);
}

}  // namespace warpfork::x86
