#include "gpu/launch_addresses.h"

#include "base/error.h"
#include "simt/address_map.h"

namespace warpfork::gpu {

LaunchAddresses launch_addresses(const MachineSpec& spec, const simt::Launch& launch) {
  const simt::Program& program = *launch.program;
  constexpr std::uint64_t kLine = 128;
  const std::uint64_t thread_bytes = (std::uint64_t{program.local_room()} + kLine - 1) / kLine * kLine;
  const LaunchAddresses found{simt::kCode.begin + program.code_place * spec.core.instruction_bytes,
                              spec.core.threads * thread_bytes};
  const auto expect_room = [&](std::uint64_t bytes, std::uint64_t room, const char* what) {
    if (bytes > room)
      throw Error("kernel '{}': {} take {} bytes of the address map, which has room for {}", program.name, what, bytes,
                  room);
  };
  expect_room((program.code_place + program.code.size()) * spec.core.instruction_bytes, simt::kCode.bytes(),
              "the kernels of the program");
  expect_room(program.parameter_bytes, simt::kParameters.bytes(), "its parameters");
  // Per core: the sum over all cores need not be a number of 64 bits.
  expect_room(found.local_bytes, simt::kLocalMemory.bytes() / spec.cores, "local variables of a core's threads");
  return found;
}

}  // namespace warpfork::gpu
