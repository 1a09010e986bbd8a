// CUDA Driver API, "Texture Reference Management", and how a module's are found.
#include <algorithm>
#include <string_view>

#include "cuda/driver/driver_call.h"
#include "cuda/driver/image_forms.h"
#include "cuda/driver/image_handles.h"
#include "cuda/driver/texel_formats.h"
#include "cuda/driver/texture_references.h"
#include "cuda/runtime/enumeration.h"
#include "cuda/runtime/image_limits.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

namespace {

/// Whether a variable of a module that was loaded is declared as a texture's.
bool is_reference(const CodeImage& image, std::string_view name) {
  return std::ranges::any_of(image.module->module().variables, [&](const warpfork::ptx::Variable& variable) {
    return variable.name == name && variable.type == warpfork::ptx::ScalarType::Texref;
  });
}

/// set(reference), which throws before it changes anything, changes what the program has said.
template <typename Set>
CUresult set_reference(CUtexref handle, Set&& set) {
  return on_device_by_name([&](Runtime&) {
    TextureReference& reference = Process::instance().texture_references().reference(handle);
    set(reference);
    reference.is_written = false;
  });
}

/// bind(runtime) says to what; throws ApiError if that is nothing a texture can read.
template <typename Bind>
CUresult bind_reference(CUtexref handle, Bind&& bind) {
  return on_device_by_name([&](Runtime& runtime) {
    TextureReference& reference = Process::instance().texture_references().reference(handle);
    reference.resource = bind(runtime);
    reference.is_bound = true;
    reference.is_written = false;
  });
}

/// As cudaBindTexture: of more bytes than there are those that there are.
std::size_t bytes_there(Runtime& runtime, CUdeviceptr memory, std::size_t bytes) {
  const auto [begin, whole] = runtime.memory().range_of(pointer_of(memory));
  require(whole != 0, cudaErrorInvalidValue);
  return std::min<std::size_t>(bytes, begin + whole - memory);
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
    require(variable != nullptr && is_reference(image, name), cudaErrorSymbolNotFound);
    required(reference) = Process::instance().texture_references().of(image, name, variable->address);
  });
}

CUresult cuTexRefSetArray(CUtexref reference, CUarray array, unsigned flags) {
  return bind_reference(reference, [&](Runtime& runtime) {
    require(flags == CU_TRSA_OVERRIDE_FORMAT, cudaErrorInvalidValue);
    runtime.arrays().find(array_of_runtime(array));
    CUDA_RESOURCE_DESC resource{};
    resource.res.array.hArray = array;
    return resource;
  });
}

CUresult cuTexRefSetAddress_v2(std::size_t* offset, CUtexref reference, CUdeviceptr memory, std::size_t bytes) {
  return bind_reference(reference, [&](Runtime& runtime) {
    bytes = bytes_there(runtime, memory, bytes);
    bytes += begin_before(memory, offset);
    require(runtime.memory().range_of(pointer_of(memory)).holds(memory, bytes), cudaErrorInvalidValue);
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory;
    resource.res.linear.sizeInBytes = bytes;
    return resource;
  });
}

CUresult cuTexRefSetAddress2D_v3(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR* descriptor, CUdeviceptr memory,
                                 std::size_t pitch) {
  return bind_reference(reference, [&](Runtime& runtime) {
    const CUDA_ARRAY_DESCRIPTOR& rows = required(descriptor);
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D = {memory, rows.Format, rows.NumChannels, rows.Width, rows.Height, pitch};
    runtime.images().require_readable(runtime_form(resource));
    return resource;
  });
}

CUresult cuTexRefSetAddress2D_v2(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR* descriptor, CUdeviceptr memory,
                                 std::size_t pitch) {
  return cuTexRefSetAddress2D_v3(reference, descriptor, memory, pitch);
}

/// Of linear memory, whether it is bound before or afterwards: arrays and rows have a format of their own.
CUresult cuTexRefSetFormat(CUtexref reference, CUarray_format format, int channels) {
  return set_reference(reference, [&](TextureReference& of) {
    description_of(format, static_cast<unsigned>(channels));
    of.format = format;
    of.channels = static_cast<unsigned>(channels);
  });
}

CUresult cuTexRefSetAddressMode(CUtexref reference, int dimension, CUaddress_mode mode) {
  return set_reference(reference, [&](TextureReference& of) {
    require(dimension >= 0 && dimension < 3, cudaErrorInvalidValue);
    require(number_in(mode) >= CU_TR_ADDRESS_MODE_WRAP && number_in(mode) <= CU_TR_ADDRESS_MODE_BORDER,
            cudaErrorInvalidValue);
    of.description.addressMode[dimension] = mode;
  });
}

CUresult cuTexRefSetFilterMode(CUtexref reference, CUfilter_mode mode) {
  return set_reference(reference, [&](TextureReference& of) {
    require(number_in(mode) == CU_TR_FILTER_MODE_POINT || number_in(mode) == CU_TR_FILTER_MODE_LINEAR,
            cudaErrorInvalidValue);
    of.description.filterMode = mode;
  });
}

CUresult cuTexRefSetFlags(CUtexref reference, unsigned flags) {
  return set_reference(reference, [&](TextureReference& of) {
    require_flags(flags, kTextureFlags);
    of.description.flags = flags;
  });
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
