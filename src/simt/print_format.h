// What device code's printf makes of its format (CUDA C++ Programming Guide, "Formatted Output").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpfork::simt {

/// The arguments of one call, as a thread has packed them: each after the default argument promotions of C, at the next
/// multiple of its size.
class PrintArguments {
 public:
  virtual ~PrintArguments() = default;
  /// The next argument, of 4 or 8 bytes, zero-extended. May throw if there is none in reach.
  virtual std::uint64_t next(unsigned bytes) = 0;
  /// The text at an address that was an argument. May throw if none is there.
  virtual std::string text_at(std::uint64_t address) = 0;
  /// Size of a pointer and of what `l` and `z` make of an integer.
  virtual unsigned address_bytes() const { return 8; }
};

/// Appends what the format says to `out` and returns the number of arguments that it took. Formatted as C does (ISO C
/// 7.21.6.1), an argument read by its conversion, whatever it was. As it stands in the format comes out what is no
/// conversion of CUDA's (%n, %y, a lone %), and every conversion that would take a 33rd argument. Width and precision
/// end at 4095, the most that C asks for.
int print_formatted(std::string_view format, PrintArguments& arguments, std::string& out);

}  // namespace warpfork::simt
