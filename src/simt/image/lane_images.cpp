#include "simt/image/lane_images.h"

#include <algorithm>
#include <cstring>

#include "simt/execution_error.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {

namespace {

std::string_view name_of_kind(std::uint32_t kind) { return kind == Image::kTexture ? "texture" : "surface"; }

/// Whatever lies at a handle: a program may have made it itself.
bool is_whole(const Image& image) {
  const auto is_power = [](unsigned number) { return number == 1 || number == 2 || number == 4; };
  return image.width != 0 && image.height != 0 && image.depth != 0 && is_power(image.channels) &&
         is_power(image.channel_bytes) && image.layout <= Image::Layout::Array &&
         image.channel <= Image::Channel::Float;
}

template <typename Value>
Value lane_of(const std::byte* row, unsigned lane) {
  Value value;
  std::memcpy(&value, row + lane * sizeof value, sizeof value);
  return value;
}

}  // namespace

LaneImages::LaneImages(const Instruction& instruction, WarpContext& warp, std::uint32_t kind)
    : instruction_(instruction), warp_(warp), form_(ImageForm::of(instruction.immediate)), kind_(kind) {
  warp.allocations.place = KnownAllocations::place_of(instruction);
  warp.access.space = MemorySpace::Global;
  warp.access.lanes = ActiveMask();
  warp.access.bytes = 0;
  warp.access.is_write = instruction.kind == InstructionKind::Store;
  warp.access.is_atomic = false;
}

const Image& LaneImages::of(unsigned lane) {
  const auto handle = lane_of<std::uint64_t>(warp_.registers + instruction_.operand[4], lane);
  if (handle == handle_) return image_;
  image_ = Image();
  if (find_allocation(warp_, handle, sizeof image_))
    std::memcpy(&image_, warp_.memory.device_base + (handle - DeviceMemory::kBase), sizeof image_);
  if (image_.kind != kind_ || !is_whole(image_))
    fail(instruction_, warp_, lane, fmt::format("{:#x} is no {} object", handle, name_of_kind(kind_)),
         fmt::format("it may have been destroyed, or a {0} reference is not bound; {0}s are made by "
                     "cudaCreate{1}Object",
                     name_of_kind(kind_), kind_ == Image::kTexture ? "Texture" : "Surface"));
  handle_ = handle;
  return image_;
}

std::int32_t LaneImages::integer(unsigned coordinate, unsigned lane) const {
  return lane_of<std::int32_t>(coordinate_row(coordinate), lane);
}

float LaneImages::real(unsigned coordinate, unsigned lane) const {
  return lane_of<float>(coordinate_row(coordinate), lane);
}

std::byte* LaneImages::find(unsigned lane, std::uint64_t address, unsigned bytes) {
  const DeviceMemory::Range last = warp_.allocations.known[warp_.allocations.place];
  if (!last.holds(address, bytes) && !find_allocation(warp_, address, bytes))
    throw MemoryFault(MemoryFault::Kind::OutOfBounds,
                      failure_text(instruction_, warp_, lane,
                                   fmt::format("the memory of the {} at {:#x} is gone", name_of_kind(kind_), address),
                                   warp_.memory.device->describe_nearest(address)));
  return warp_.memory.device_base + (address - DeviceMemory::kBase);
}

void LaneImages::tell(unsigned lane, std::uint64_t address, unsigned bytes) {
  warp_.access.address[lane] = address;
  warp_.access.lanes.insert(lane);
  warp_.access.bytes = static_cast<std::uint8_t>(std::max<unsigned>(warp_.access.bytes, bytes));
}

}  // namespace warpfork::simt
