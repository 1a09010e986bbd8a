#include "gpu/access_shadow.h"

#include <utility>

namespace warpfork::gpu {

void AccessShadow::part(Page& page) {
  std::vector<ShadowCell> bytes(kPageBytes);
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    bytes[byte] = page.cells[byte / page.unit];
    bytes[byte].value = bytes[byte].value >> 8 * (byte % page.unit) & 0xff;
  }
  page = {1, std::move(bytes)};
}

}  // namespace warpfork::gpu
