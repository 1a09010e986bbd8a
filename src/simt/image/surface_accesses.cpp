// PTX ISA, "suld", "sust": untyped bytes at a coordinate that is in bytes along x.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "simt/execution_error.h"
#include "simt/image/image_handlers.h"
#include "simt/image/image_layout.h"
#include "simt/image/lane_images.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {

namespace {

struct SurfacePlace {
  std::int64_t x = 0, y = 0, z = 0;  // x in bytes
};

/// The layer has no sign.
SurfacePlace place_of(const LaneImages& images, unsigned lane) {
  const ImageForm& form = images.form();
  const auto at = [&](unsigned coordinate) -> std::int64_t { return images.integer(coordinate, lane); };
  const auto layer = [&] { return static_cast<std::uint32_t>(images.integer(0, lane)); };
  switch (form.geometry) {
    case Geometry::Line:
      return {at(0), 0, 0};
    case Geometry::Plane:
      return {at(0), at(1), 0};
    case Geometry::Volume:
      return {at(0), at(1), at(2)};
    case Geometry::LineLayers:
      return {at(1), 0, layer()};
    default:
      return {at(1), at(2), layer()};
  }
}

/// The instruction's accesses.
class Surface {
 public:
  Surface(const Instruction& instruction, WarpContext& warp)
      : instruction_(instruction), warp_(warp), images_(instruction, warp, Image::kSurface) {}

  unsigned elements() const { return images_.form().elements; }

  /// The host address of what the lane accesses; null for what is outside and does nothing.
  std::byte* find(unsigned lane) {
    const Image& image = images_.of(lane);
    const std::optional<SurfacePlace> place = inside(image, place_of(images_, lane), lane);
    if (!place) return nullptr;
    const std::uint64_t address =
        texel_address(image, static_cast<std::uint64_t>(place->x), static_cast<std::uint64_t>(place->y),
                      static_cast<std::uint64_t>(place->z));
    images_.tell(lane, address, instruction_.access_bytes);
    return images_.find(lane, address, instruction_.access_bytes);
  }

 private:
  std::optional<SurfacePlace> inside(const Image& image, const SurfacePlace& place, unsigned lane) const {
    const std::int64_t bytes = instruction_.access_bytes;
    const std::int64_t row = std::int64_t{image.width} * image.texel_bytes();
    const SurfacePlace last{row / bytes * bytes - bytes, std::int64_t{image.height} - 1, std::int64_t{image.depth} - 1};
    if (place.x % bytes != 0) fail_as(MemoryFault::Kind::Misaligned, "is misaligned", place, image, lane);
    const SurfacePlace nearest{std::clamp<std::int64_t>(place.x, 0, std::max<std::int64_t>(last.x, 0)),
                               std::clamp<std::int64_t>(place.y, 0, last.y),
                               std::clamp<std::int64_t>(place.z, 0, last.z)};
    if (nearest.x == place.x && nearest.y == place.y && nearest.z == place.z && last.x >= 0) return place;
    const Boundary boundary = images_.form().boundary;
    if (boundary == Boundary::Trap || (boundary == Boundary::Clamp && last.x < 0))
      fail_as(MemoryFault::Kind::OutOfBounds, "is out of bounds", place, image, lane);
    return boundary == Boundary::Clamp ? std::optional(nearest) : std::nullopt;
  }

  [[noreturn]] void fail_as(MemoryFault::Kind kind, std::string_view what, const SurfacePlace& place,
                            const Image& image, unsigned lane) const {
    const std::string cause = fmt::format("surface {} of {} at byte {} of row {}, slice {} {}",
                                          instruction_.kind == InstructionKind::Store ? "store" : "load",
                                          counted(instruction_.access_bytes, "byte"), place.x, place.y, place.z, what);
    const std::string remedy =
        fmt::format("it has {} a row, {}, {}; the coordinate x is in bytes and a multiple of what is accessed",
                    counted(std::uint64_t{image.width} * image.texel_bytes(), "byte"), counted(image.height, "row"),
                    counted(image.depth, "slice"));
    throw MemoryFault(kind, failure_text(instruction_, warp_, lane, cause, remedy));
  }

  const Instruction& instruction_;
  WarpContext& warp_;
  LaneImages images_;
};

/// Elements are as long as the access says, registers as long as Register.
template <typename Register>
void load(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  Surface surface(instruction, warp);
  const unsigned bytes = instruction.access_bytes / surface.elements();
  lanes.for_each([&](unsigned lane) {
    const std::byte* const from = surface.find(lane);
    for (unsigned i = 0; i < surface.elements(); ++i) {
      Register value = 0;
      if (from != nullptr) std::memcpy(&value, from + i * bytes, bytes);
      std::memcpy(warp.registers + instruction.operand[i] + lane * sizeof value, &value, sizeof value);
    }
  });
}

template <typename Register>
void store(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  Surface surface(instruction, warp);
  const unsigned bytes = instruction.access_bytes / surface.elements();
  lanes.for_each([&](unsigned lane) {
    std::byte* const to = surface.find(lane);
    if (to == nullptr) return;
    for (unsigned i = 0; i < surface.elements(); ++i)
      std::memcpy(to + i * bytes, warp.registers + instruction.operand[i] + lane * sizeof(Register), bytes);
  });
}

}  // namespace

void load_surface(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  load<std::uint32_t>(instruction, warp, lanes);
}

void load_wide_surface(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  load<std::uint64_t>(instruction, warp, lanes);
}

void store_surface(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  store<std::uint32_t>(instruction, warp, lanes);
}

void store_wide_surface(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  store<std::uint64_t>(instruction, warp, lanes);
}

}  // namespace warpfork::simt
