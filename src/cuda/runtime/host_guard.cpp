#include "cuda/runtime/host_guard.h"

#include <fmt/format.h>
#include <sys/mman.h>

namespace warpfork::cuda {

namespace {

constexpr std::uint64_t kPage = 4096;

HostGuard* present = nullptr;  // what the signal's handler asks

void allow(std::uint64_t begin, std::uint64_t end, int access) {
  mprotect(reinterpret_cast<void*>(begin), end - begin, access);
}

}  // namespace

HostGuard::HostGuard(simt::DeviceMemory& memory, Tell tell) : memory_(memory), tell_(std::move(tell)) {
  present = this;
  struct sigaction action = {};
  action.sa_sigaction = take;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before_);
}

HostGuard::~HostGuard() {
  open();
  sigaction(SIGSEGV, &before_, nullptr);
  present = nullptr;
}

void HostGuard::open() {
  allow(simt::DeviceMemory::kBase, simt::DeviceMemory::kBase + memory_.capacity(), PROT_READ | PROT_WRITE);
}

void HostGuard::close(std::span<const simt::DeviceMemory::Range> of_host) {
  allow(simt::DeviceMemory::kBase, simt::DeviceMemory::kBase + memory_.capacity(), PROT_NONE);
  for (const auto& [begin, bytes] : of_host)
    allow(begin / kPage * kPage, (begin + bytes + kPage - 1) / kPage * kPage, PROT_READ | PROT_WRITE);
}

/// With the handler of before the access comes again, to the end that it has without us.
void HostGuard::take(int, siginfo_t* what, void*) {
  const auto address = reinterpret_cast<std::uint64_t>(what->si_addr);
  const std::uint64_t behind = address - simt::DeviceMemory::kBase;
  if (behind < present->memory_.capacity()) present->tell_of(address);
  sigaction(SIGSEGV, &present->before_, nullptr);
}

void HostGuard::tell_of(std::uint64_t address) const {
  tell_(
      fmt::format("host code touches device memory at {:#x}, which ends a program on a machine with a GPU\n"
                  "    {}\n"
                  "    copy it with cudaMemcpy, or let cudaMallocManaged give the memory",
                  address, memory_.describe_nearest(address)));
}

}  // namespace warpfork::cuda
