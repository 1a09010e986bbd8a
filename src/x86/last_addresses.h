// Each instruction's last address, which the next one is told from.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpfork::x86 {

/// Most threads run few of a program's instructions, and few instructions access memory: what is never touched takes no
/// memory.
class LastAddresses {
 public:
  explicit LastAddresses(std::uint32_t slots) : pages_(slots / kPage + 1) {}

  std::uint64_t& of(std::uint32_t slot) {
    std::unique_ptr<Page>& page = pages_[slot / kPage];
    if (!page) [[unlikely]]
      page = std::make_unique<Page>();
    return (*page)[slot % kPage];
  }

  /// All are 0 again.
  void forget() {
    for (const std::unique_ptr<Page>& page : pages_)
      if (page) page->fill(0);
  }

 private:
  static constexpr std::uint32_t kPage = 64;
  using Page = std::array<std::uint64_t, kPage>;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace warpfork::x86
