// CUDA Runtime API, "Texture Object Management": descriptions only, textures themselves are refused.
#include "cuda/api/call.h"

extern "C" {

/// Returns a structure, so it cannot be among the refused calls; harmless by itself.
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // extern "C"
