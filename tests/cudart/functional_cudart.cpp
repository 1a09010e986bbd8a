// A libcudart.so over the functional sink: programs can be run as a whole without the timing model.
#include "cuda/api/driver_libraries.h"
#include "cuda/api/embedding.h"
#include "cuda/api/process.h"
#include "cuda/library/linked_runtime.h"
#include "cudart/functional_sink.h"

namespace warpfork::cuda {

const Embedding kEmbedding{WARPFORK_CUDART_VERSION, [](const SessionRequest&) -> std::unique_ptr<LaunchSink> {
                             return std::make_unique<FunctionalSink>();
                           }};

}  // namespace warpfork::cuda

__attribute__((constructor)) static void begin() {
  warpfork::cuda::replace_linked_runtime();
  warpfork::cuda::report_driver_libraries();
}
__attribute__((destructor)) static void finish_session() { warpfork::cuda::Process::instance().finish(); }
