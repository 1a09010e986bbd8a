// Every public call that is not implemented: refused by name. The linker must find them, whatever their parameters; on
// x86-64 a function may ignore those it is given, so none is declared here.
#include "cuda/api/call.h"

#define UNSUPPORTED(name) \
  extern "C" cudaError_t name() { return warpfork::cuda::not_supported(#name); }
#include "cuda/api/unsupported_calls.def"
#undef UNSUPPORTED
