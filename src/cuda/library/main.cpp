// What makes the room a libcudart.so: its version, the simulated GPU behind it, how the process keeps memory, and the
// end of the session.
#include <malloc.h>

#include <climits>

#include "base/memory_shortage.h"
#include "cuda/api/driver_libraries.h"
#include "cuda/api/embedding.h"
#include "cuda/api/process.h"
#include "cuda/gpu_sink.h"
#include "cuda/library/linked_runtime.h"

namespace warpfork::cuda {

const Embedding kEmbedding{WARPFORK_CUDART_VERSION, make_gpu_sink};

}  // namespace warpfork::cuda

__attribute__((constructor)) static void begin() {
  const warpfork::MemoryShortageHandler for_what_nobody_catches;
  warpfork::cuda::replace_linked_runtime();
  warpfork::cuda::report_driver_libraries();
}

/// A launch's blocks need some MB for registers and local memory, which are free at its end. The next launch is to find
/// them in the heap: by default the C library would give them back to the system, which zeroes each page again.
__attribute__((constructor)) static void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most it allows
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

/// When the library is unloaded every handler and destructor of the program has run. A program that is killed, aborts
/// or leaves by _exit never comes here, and its result stays without an end.
__attribute__((destructor)) static void finish_session() { warpfork::cuda::Process::instance().finish(); }
