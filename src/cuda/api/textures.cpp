// CUDA Runtime API, "Texture Object Management" and "Surface Object Management".
#include <algorithm>
#include <cstring>

#include "cuda/api/call.h"
#include "cuda/api/embedding.h"
#include "cuda/api/image_descriptions.h"
#include "cuda/runtime/image_limits.h"

using namespace warpfork::cuda;

namespace {

bool is_release_13() { return kEmbedding.runtime_version >= 13000; }

/// What the program's release has of cudaTextureDesc.
std::size_t description_bytes() {
  return kEmbedding.runtime_version < 12000 ? kTextureDescription11Bytes : sizeof(cudaTextureDesc);
}

const cudaResourceDesc& resource_of(const cudaResourceDesc* resource) {
  const cudaResourceDesc& asked = required(resource);
  if (is_release_13())
    require(reinterpret_cast<const ResourceDescription13*>(resource)->flags == 0, cudaErrorInvalidValue);
  return asked;
}

std::optional<cudaResourceViewDesc> view_of(const cudaResourceViewDesc* view) {
  if (view == nullptr) return std::nullopt;
  if (is_release_13())
    require(std::ranges::all_of(reinterpret_cast<const ViewDescription13*>(view)->reserved,
                                [](unsigned word) { return word == 0; }),
            cudaErrorInvalidValue);
  return *view;
}

void give_resource(cudaResourceDesc* to, const cudaResourceDesc& resource) {
  required(to) = resource;
  if (!is_release_13()) return;
  const ResourceDescription13 p13{resource, {}, 0, 0};
  std::memcpy(static_cast<void*>(to), &p13, sizeof p13);
}

cudaError_t create_texture(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                           const cudaTextureDesc* description, std::size_t bytes, const cudaResourceViewDesc* view) {
  return call([&](Runtime& runtime) {
    require(texture != nullptr && description != nullptr, cudaErrorInvalidValue);
    ImageObjects::Texture asked{resource_of(resource), {}, view_of(view)};
    std::memcpy(&asked.description, description, bytes);
    require(asked.description.seamlessCubemap == 0, cudaErrorInvalidValue);  // there are no cubemaps
    *texture = runtime.images().create_texture(asked);
  });
}

cudaError_t give_description(cudaTextureDesc* description, std::size_t bytes, cudaTextureObject_t texture) {
  return call([&](Runtime& runtime) {
    require(description != nullptr, cudaErrorInvalidValue);
    std::memcpy(description, &runtime.images().texture(texture).description, bytes);
  });
}

}  // namespace

extern "C" {

/// Returns a structure, so it cannot fail.
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* width, const cudaChannelFormatDesc* format, int device) {
  return call([&](Runtime&) {
    require_device(device);
    TexelFormat{required(format)};
    required(width) = kLinearTexels;
  });
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  return create_texture(texture, resource, description, description_bytes(), view);
}

// CUDA 11 gave the structure that CUDA 12 has to calls of these names.
cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                       const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  return create_texture(texture, resource, description, sizeof(cudaTextureDesc), view);
}

cudaError_t cudaGetTextureObjectTextureDesc_v2(cudaTextureDesc* description, cudaTextureObject_t texture) {
  return give_description(description, sizeof(cudaTextureDesc), texture);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture) {
  return give_description(description, description_bytes(), texture);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
  return call([&](Runtime& runtime) { give_resource(resource, runtime.images().texture(texture).resource); });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture) {
  return call([&](Runtime& runtime) {
    const auto& given = runtime.images().texture(texture).view;
    require(view != nullptr && given.has_value(), cudaErrorInvalidValue);
    const ViewDescription13 p13{*given, {}};
    std::memcpy(static_cast<void*>(view), &p13, is_release_13() ? sizeof p13 : sizeof *view);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return call([&](Runtime& runtime) { runtime.images().destroy_texture(texture); });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  return call([&](Runtime& runtime) {
    require(surface != nullptr, cudaErrorInvalidValue);
    *surface = runtime.images().create_surface(resource_of(resource));
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
  return call([&](Runtime& runtime) { give_resource(resource, runtime.images().surface(surface)); });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return call([&](Runtime& runtime) { runtime.images().destroy_surface(surface); });
}

}  // extern "C"
