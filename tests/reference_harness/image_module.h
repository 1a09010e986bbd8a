// A kernel around a few instructions on a texture or surface, so that one body can be run by the reference and by the
// fast executor on the same texels.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simt/image/image.h"

namespace warpfork::reference {

/// What a body may name: %image, the handle of the image, and its variable `image`; %x0 … %x3 (.b32), the thread's
/// coordinates; the results %r0 … %r3 (.b32), zeros before; %d0 … %d3 (.b64), %h0 … %h3 (.b16).
struct ImageModule {
  simt::Image image;                                          // its address is that of the texels
  std::vector<std::uint32_t> words;                           // the texels' bytes
  std::vector<std::array<std::uint32_t, 4>> coordinates{{}};  // of each thread
  std::string body;

  std::uint32_t threads() const { return static_cast<std::uint32_t>(coordinates.size()); }
  /// What the kernel leaves: %r0 … %r3 of every thread, then the texels.
  std::size_t results() const { return 4 * coordinates.size() + words.size(); }
  /// For run_module_reference(); one block of all threads.
  std::string ptx() const;
};

}  // namespace warpfork::reference
