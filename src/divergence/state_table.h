// What a mechanism keeps of a warp, as a table of rows: for text as the papers draw it, and for pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "divergence/table_text.h"

namespace warpfork {

struct StateTable {
  enum class Kind : std::uint8_t {
    ProgramCounter,  // pc_text()
    Number,          // or a sign
    Mask,            // digits, lane 0 on the right
    Text             // without a name: stands behind the row, if it has any
  };
  struct Column {
    std::string name;
    Kind kind;
    bool operator==(const Column&) const = default;
  };

  std::string name;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // a value for each column
  std::string note;                            // what else is to be said; empty = nothing

  bool operator==(const StateTable&) const = default;
};

/// The table as MULTIPATH's figures show it:
///   RT       pc   rpc  lanes  pending
///             6     -  1111   1111
///             5     6  1010   1010  early
std::string text_of(const StateTable& table);
/// One under the other.
std::string text_of(const std::vector<StateTable>& tables);

}  // namespace warpfork
