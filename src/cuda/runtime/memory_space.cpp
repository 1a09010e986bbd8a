#include "cuda/runtime/memory_space.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {

namespace {

constexpr std::uint64_t kPage = 4096;  // alignment of page-locked memory, and the host's

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Whether the process has all pages of its own memory there: this call does nothing but say of which there is none.
bool is_mapped(std::uint64_t begin, std::uint64_t bytes) {
  const std::uint64_t before = begin % kPage;
  return msync(reinterpret_cast<void*>(begin - before), before + bytes, MS_ASYNC) == 0 || errno != ENOMEM;
}

const char* label_of(cudaMemoryType type) {
  switch (type) {
    case cudaMemoryTypeManaged:
      return "cudaMallocManaged";
    case cudaMemoryTypeHost:
      return "cudaHostAlloc";
    default:
      return "cudaMalloc";
  }
}

/// The entry of `map` whose [key, key + bytes) holds `address`, or end.
template <typename Map>
auto holding(Map& map, std::uint64_t address) {
  auto after = map.upper_bound(address);
  if (after == map.begin()) return map.end();
  const auto before = std::prev(after);
  return address - before->first < before->second.bytes ? before : map.end();
}

}  // namespace

MemorySpace::MemorySpace(simt::DeviceMemory& memory, std::uint64_t capacity_bytes, HostCopyListener listener)
    : memory_(memory),
      capacity_(capacity_bytes),
      is_shared_(address_of(memory.host_base()) == simt::DeviceMemory::kBase),
      listener_(std::move(listener)) {}

MemorySpace::~MemorySpace() {
  for (const auto& [address, allocation] : host_allocations_)
    if (!allocation.registered) std::free(reinterpret_cast<void*>(address));
}

std::vector<simt::DeviceMemory::Range> MemorySpace::of_host() const {
  std::vector<simt::DeviceMemory::Range> ranges;
  for (const auto& [address, allocation] : allocations_)
    if (allocation.type != cudaMemoryTypeDevice) ranges.push_back({address, allocation.bytes});
  return ranges;
}

void* MemorySpace::allocate(std::uint64_t bytes, cudaMemoryType type, std::string_view call) {
  if (bytes == 0) return nullptr;
  if (type == cudaMemoryTypeManaged && !is_shared_)
    throw ApiError(cudaErrorNotSupported,
                   fmt::format("managed memory is not available: the address range from {:#x} on is taken in this "
                               "process; use cudaMalloc and cudaMemcpy",
                               std::uint64_t{simt::DeviceMemory::kBase}));
  const std::uint64_t address = take(bytes, call.empty() ? label_of(type) : call);
  allocations_[address] = {bytes, type, 0};
  if (type != cudaMemoryTypeDevice) note_write(address, bytes);  // the host may write there unseen
  return reinterpret_cast<void*>(address);
}

void MemorySpace::refuse(std::uint64_t bytes, std::string_view call) {
  missing_ = fmt::format(
      "{} of {} was refused: {} of the device's {} were free{}; a machine that has more: "
      "--set memory_bytes=N",
      call, counted(bytes, "byte"), free_bytes(), capacity_, bytes > free_bytes() ? "" : ", in pieces");
  throw ApiError(cudaErrorMemoryAllocation);
}

std::uint64_t MemorySpace::take(std::uint64_t bytes, std::string_view call) {
  if (bytes > free_bytes()) refuse(bytes, call);
  try {
    const std::uint64_t address = memory_.allocate(bytes, fmt::format("{} #{}", call, count_));
    ++count_;
    used_ += bytes;
    return address;
  } catch (const Error&) {
    refuse(bytes, call);
  }
}

void MemorySpace::release(std::map<std::uint64_t, Allocation>::iterator allocation) {
  memory_.free(allocation->first);
  if (allocation->second.type == cudaMemoryTypeManaged) advice_.forget(allocation->first, allocation->second.bytes);
  used_ -= allocation->second.bytes;
  allocations_.erase(allocation);
}

void MemorySpace::free(void* pointer) {
  if (!pointer) return;
  const auto found = allocations_.find(address_of(pointer));
  if (found == allocations_.end() || found->second.type == cudaMemoryTypeHost) throw ApiError(cudaErrorInvalidValue);
  release(found);
}

void* MemorySpace::allocate_host(std::uint64_t bytes, unsigned flags) {
  if (bytes == 0) return nullptr;
  if (is_shared_) {
    void* pointer = allocate(bytes, cudaMemoryTypeHost);
    allocations_[address_of(pointer)].flags = flags;
    return pointer;
  }
  void* pointer = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
  if (!pointer) throw ApiError(cudaErrorMemoryAllocation);
  host_allocations_[address_of(pointer)] = {bytes, flags, false, 0, 0};
  return pointer;
}

void MemorySpace::free_host(void* pointer) {
  if (!pointer) return;
  const auto shared = allocations_.find(address_of(pointer));
  if (shared != allocations_.end() && shared->second.type == cudaMemoryTypeHost) return release(shared);
  const auto found = host_allocations_.find(address_of(pointer));
  if (found == host_allocations_.end() || found->second.registered) throw ApiError(cudaErrorInvalidValue);
  forget(found);
  std::free(pointer);
}

unsigned MemorySpace::host_flags(const void* pointer) const {
  const auto shared = holding(allocations_, address_of(pointer));
  if (shared != allocations_.end() && shared->second.type == cudaMemoryTypeHost) return shared->second.flags;
  const auto found = holding(host_allocations_, address_of(pointer));
  if (found == host_allocations_.end()) throw ApiError(cudaErrorInvalidValue);
  return found->second.flags;
}

void* MemorySpace::device_pointer(void* pointer) {
  host_flags(pointer);
  const auto found = holding(host_allocations_, address_of(pointer));
  if (found == host_allocations_.end()) return pointer;
  auto& [host, allocation] = *found;
  if (allocation.mirror == 0) mirror(host, allocation);
  return reinterpret_cast<void*>(allocation.mirror + allocation.in_front + (address_of(pointer) - host));
}

void* MemorySpace::known_device_pointer(void* pointer) {
  try {
    return device_pointer(pointer);
  } catch (const ApiError& error) {
    if (error.code() != cudaErrorMemoryAllocation) throw;
    return nullptr;
  }
}

void MemorySpace::mirror(std::uint64_t host, HostAllocation& allocation) {
  allocation.in_front = host % simt::DeviceMemory::kAlignment;
  allocation.mirror = take(allocation.in_front + allocation.bytes,
                           allocation.registered ? "cudaHostRegister" : label_of(cudaMemoryTypeHost));
  const std::uint64_t begin = allocation.mirror + allocation.in_front;
  mirrors_.add(begin, memory_.find(begin, allocation.bytes), reinterpret_cast<std::byte*>(host), allocation.bytes);
  note_write(begin, allocation.bytes);  // the host may write there unseen
}

void MemorySpace::remove_mirror(HostAllocation& allocation) {
  if (allocation.mirror == 0) return;
  mirrors_.remove(allocation.mirror + allocation.in_front);
  memory_.free(allocation.mirror);
  used_ -= allocation.in_front + allocation.bytes;
  allocation.mirror = 0;
}

void MemorySpace::forget(std::map<std::uint64_t, HostAllocation>::iterator allocation) {
  remove_mirror(allocation->second);
  host_allocations_.erase(allocation);
}

void MemorySpace::begin_launch() {
  for (auto& [host, allocation] : host_allocations_) {
    if (allocation.mirror == 0 || is_mapped(host, allocation.bytes)) continue;
    remove_mirror(allocation);
    missing_ =
        fmt::format("host memory that is registered, {} at {:#x}, was freed: call cudaHostUnregister, and free it then",
                    counted(allocation.bytes, "byte"), host);
  }
  mirrors_.before_launch();
}

void MemorySpace::register_host(void* pointer, std::uint64_t bytes, unsigned flags) {
  if (!pointer || bytes == 0) throw ApiError(cudaErrorInvalidValue);
  if (type_of(pointer) != cudaMemoryTypeUnregistered) throw ApiError(cudaErrorHostMemoryAlreadyRegistered);
  host_allocations_[address_of(pointer)] = {bytes, flags, true, 0, 0};
}

void MemorySpace::unregister_host(void* pointer) {
  const auto found = host_allocations_.find(address_of(pointer));
  if (found == host_allocations_.end() || !found->second.registered) throw ApiError(cudaErrorHostMemoryNotRegistered);
  forget(found);
}

cudaMemoryType MemorySpace::type_of(const void* pointer) const {
  if (const auto found = holding(allocations_, address_of(pointer)); found != allocations_.end())
    return found->second.type;
  if (holding(host_allocations_, address_of(pointer)) != host_allocations_.end()) return cudaMemoryTypeHost;
  if (mirrors_.host_of(address_of(pointer), 1) != nullptr) return cudaMemoryTypeHost;
  return memory_.allocation_at(address_of(pointer)).bytes ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
}

void* MemorySpace::host_pointer(void* pointer) const {
  std::byte* const mirrored = mirrors_.host_of(address_of(pointer), 1);
  return mirrored != nullptr ? mirrored : pointer;
}

simt::DeviceMemory::Range MemorySpace::range_of(const void* pointer) const {
  return memory_.allocation_at(address_of(pointer));
}

bool MemorySpace::is_device_address(const void* pointer) const { return range_of(pointer).bytes != 0; }

std::byte* MemorySpace::place(Side side, const void* pointer, std::uint64_t bytes) const {
  if (std::byte* mirrored = mirrors_.host_of(address_of(pointer), bytes)) return mirrored;
  if (side == Side::Unknown) side = is_device_address(pointer) ? Side::Device : Side::Host;
  if (side == Side::Host) {
    // A device address is no host address, whatever the program says: reading it would end the process.
    if (!pointer || (!is_shared_ && is_device_address(pointer))) throw ApiError(cudaErrorInvalidValue);
    return static_cast<std::byte*>(const_cast<void*>(pointer));
  }
  std::byte* found = memory_.find(address_of(pointer), bytes);
  if (!found) throw ApiError(cudaErrorInvalidValue);
  return found;
}

void MemorySpace::copy(void* to, const void* from, std::uint64_t bytes, cudaMemcpyKind kind) {
  copy_rows(to, bytes, from, bytes, bytes, 1, kind);
}

void MemorySpace::copy_rows(void* to, std::uint64_t to_pitch, const void* from, std::uint64_t from_pitch,
                            std::uint64_t width, std::uint64_t height, cudaMemcpyKind kind) {
  using enum Side;
  struct Ends {
    Side to, from;
  };
  static constexpr Ends kEnds[] = {{Host, Host}, {Device, Host}, {Host, Device}, {Device, Device}, {Unknown, Unknown}};
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) throw ApiError(cudaErrorInvalidMemcpyDirection);
  if (width == 0 || height == 0) return;
  if (width > to_pitch || width > from_pitch) throw ApiError(cudaErrorInvalidPitchValue);
  const Ends ends = kEnds[kind];
  const bool from_host = ends.from == Host || (ends.from == Unknown && !is_device_address(from));
  for (std::uint64_t row = 0; row < height; ++row) {
    std::byte* target = place(ends.to, static_cast<std::byte*>(to) + row * to_pitch, width);
    const std::byte* source = place(ends.from, static_cast<const std::byte*>(from) + row * from_pitch, width);
    std::memmove(target, source, width);
    if (!is_device_address(to)) continue;
    const std::uint64_t address = address_of(to) + row * to_pitch;
    if (from_host) listener_(address, width);
    if (from_host || type_of(to) != cudaMemoryTypeDevice)
      note_write(address, width);
    else if (simt::MemoryWatch* watch = memory_.watched())
      watch->copy(address, address_of(from) + row * from_pitch, width);
  }
}

void MemorySpace::note_write(std::uint64_t address, std::uint64_t bytes) {
  if (simt::MemoryWatch* watch = memory_.watched()) watch->write(address, bytes);
}

void MemorySpace::fill(void* pointer, int value, std::uint64_t bytes) { fill_rows(pointer, bytes, value, bytes, 1); }

void MemorySpace::fill_rows(void* pointer, std::uint64_t pitch, int value, std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0) return;
  if (width > pitch) throw ApiError(cudaErrorInvalidValue);
  for (std::uint64_t row = 0; row < height; ++row) {
    std::memset(place(Side::Device, static_cast<std::byte*>(pointer) + row * pitch, width), value, width);
    note_write(address_of(pointer) + row * pitch, width);
  }
}

}  // namespace warpfork::cuda
