// The table of instruction forms, decoder_forms.txt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpfork::x86 {

struct Form {
  std::vector<std::uint8_t> bytes;
  std::string assembly;
  std::vector<std::string> uops;  // as to_text() writes them, sources sorted by name
};

std::vector<Form> decoder_forms();

/// The words behind `<` in alphabetical order.
std::string with_sorted_sources(const std::string& uop);

}  // namespace warpfork::x86
