// CUDA Driver API, "Texture Reference Management", and how a module's are found.
#include <algorithm>
#include <cstring>

#include "cuda/driver/driver_call.h"
#include "cuda/driver/texture_references.h"
#include "cuda/runtime/image_limits.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

/// set(reference) changes what the program has said.
template <typename Set>
CUresult set_reference(CUtexref handle, Set&& set) {
  return on_device_by_name([&](Runtime& runtime) {
    TextureReference& reference = Process::instance().texture_references().reference(handle);
    TextureReference changed = reference;
    set(changed);
    changed.write(runtime);
    reference = changed;
  });
}

/// Memory that does not begin where a texture can is read from a place before it: the program adds the difference.
std::size_t begin_before(CUdeviceptr& memory, std::size_t* told) {
  const std::size_t offset = memory % kTextureAlignment;
  require(offset == 0 || told != nullptr, cudaErrorInvalidValue);
  if (told != nullptr) *told = offset;
  memory -= offset;
  return offset;
}

}  // namespace

extern "C" {

CUresult cuModuleGetTexRef(CUtexref* reference, CUmodule module, const char* name) {
  return on_device_by_name([&](Runtime& runtime) {
    CodeImage& image = image_of(runtime, module);
    const auto* const variable = runtime.registry().variable_of(image, &required(name));
    require(variable != nullptr && variable->bytes == warpfork::simt::kImageBytes, cudaErrorSymbolNotFound);
    required(reference) = Process::instance().texture_references().of(image, variable->address);
  });
}

CUresult cuTexRefSetArray(CUtexref reference, CUarray array, unsigned flags) {
  return set_reference(reference, [&](TextureReference& of) {
    require(flags == CU_TRSA_OVERRIDE_FORMAT, cudaErrorInvalidValue);
    of.resource = {};
    of.resource.res.array.hArray = array;
    of.is_bound = true;
  });
}

CUresult cuTexRefSetAddress_v2(std::size_t* offset, CUtexref reference, CUdeviceptr memory, std::size_t bytes) {
  return set_reference(reference, [&](TextureReference& of) {
    bytes += begin_before(memory, offset);
    of.resource = {};
    of.resource.resType = CU_RESOURCE_TYPE_LINEAR;
    of.resource.res.linear = {memory, of.format, of.channels, bytes};
    of.is_bound = true;
  });
}

CUresult cuTexRefSetAddress2D_v3(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR* descriptor, CUdeviceptr memory,
                                 std::size_t pitch) {
  return set_reference(reference, [&](TextureReference& of) {
    const CUDA_ARRAY_DESCRIPTOR& rows = required(descriptor);
    of.resource = {};
    of.resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    of.resource.res.pitch2D = {memory, rows.Format, rows.NumChannels, rows.Width, rows.Height, pitch};
    of.is_bound = true;
  });
}

CUresult cuTexRefSetAddress2D_v2(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR* descriptor, CUdeviceptr memory,
                                 std::size_t pitch) {
  return cuTexRefSetAddress2D_v3(reference, descriptor, memory, pitch);
}

/// Of linear memory that is bound afterwards: arrays and rows have a format of their own.
CUresult cuTexRefSetFormat(CUtexref reference, CUarray_format format, int channels) {
  return set_reference(reference, [&](TextureReference& of) {
    of.format = format;
    of.channels = static_cast<unsigned>(channels);
  });
}

CUresult cuTexRefSetAddressMode(CUtexref reference, int dimension, CUaddress_mode mode) {
  return set_reference(reference, [&](TextureReference& of) {
    require(dimension >= 0 && dimension < 3, cudaErrorInvalidValue);
    of.description.addressMode[dimension] = mode;
  });
}

CUresult cuTexRefSetFilterMode(CUtexref reference, CUfilter_mode mode) {
  return set_reference(reference, [&](TextureReference& of) { of.description.filterMode = mode; });
}

CUresult cuTexRefSetFlags(CUtexref reference, unsigned flags) {
  return set_reference(reference, [&](TextureReference& of) { of.description.flags = flags; });
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref reference, unsigned most) {
  return set_reference(reference, [&](TextureReference& of) { of.description.maxAnisotropy = most; });
}

CUresult cuTexRefSetBorderColor(CUtexref reference, float* colour) {
  return set_reference(reference, [&](TextureReference& of) {
    require(colour != nullptr, cudaErrorInvalidValue);
    std::copy_n(colour, 4, of.description.borderColor);
  });
}

}  // extern "C"
