// Every public call of the driver API that is not implemented: refused by name, whatever its parameters; on x86-64 a
// function may ignore those it is given, so none is declared here.
#include "cuda/driver/driver_call.h"

#define UNSUPPORTED(name, since)                                                                   \
  extern "C" CUresult name() {                                                                     \
    return warpfork::cuda::driver::answer_of([] { return warpfork::cuda::not_supported(#name); }); \
  }
#include "cuda/driver/unsupported_calls.def"
#undef UNSUPPORTED
