// What makes the room a libcudart.so: its version, the simulated GPU behind it, and the end of the session.
#include "cuda/api/embedding.h"
#include "cuda/api/process.h"
#include "cuda/gpu_sink.h"

namespace warpfork::cuda {

const Embedding kEmbedding{WARPFORK_CUDART_VERSION, make_gpu_sink};

}  // namespace warpfork::cuda

/// When the library is unloaded every handler and destructor of the program has run. A program that is killed, aborts
/// or leaves by _exit never comes here, and its result stays without an end.
__attribute__((destructor)) static void finish_session() { warpfork::cuda::Process::instance().finish(); }
