// What one translation unit of PTX has at module scope, and where in its text it stands (PTX ISA, "Linking
// Directives").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/cursor.h"

namespace warpfork::ptx {

/// Views the text it was read from. Bodies and initialisers are passed over: what is wrong in them, parse() says.
struct UnitOutline {
  /// A piece of the text, in bytes.
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  enum class Linkage : std::uint8_t {
    Local,    // of this unit alone
    Extern,   // said to be elsewhere
    Visible,  // for all units
    Weak,     // for all, which may have it too: .weak, .common, and an alias
  };
  /// A variable, a function or an alias. Several variables may share a range.
  struct Symbol {
    std::string_view name;
    Linkage linkage = Linkage::Local;
    bool is_definition = true;  // not what is .extern, nor a function without its body
    bool is_variable = false;
    Range range;
    Range type, declarator;  // of a variable, as ".global .align 4 .u32" and "a[3]"
  };

  std::string_view version = "1.4", target = "sm_10";
  std::vector<std::string_view> target_options;
  std::uint64_t address_bits = 0;  // 0 = the text does not say
  std::uint64_t most_file = 0;     // the highest number of a .file
  std::vector<Range> header;       // .version, .target, .address_size
  std::vector<Symbol> symbols;

  /// Throws Error where the text cannot be split into directives.
  static UnitOutline of(const Source& source);
};

}  // namespace warpfork::ptx
