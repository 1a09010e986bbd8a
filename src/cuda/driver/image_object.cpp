// CUDA Driver API, "Texture Object Management" and "Surface Object Management".
#include <cstring>

#include "cuda/api/image_descriptions.h"
#include "cuda/driver/driver_call.h"
#include "cuda/driver/image_forms.h"

using namespace warpfork::cuda;
using namespace warpfork::cuda::driver;

static_assert(sizeof(CUDA_RESOURCE_VIEW_DESC) == sizeof(ViewDescription13));

extern "C" {

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* description, const CUDA_RESOURCE_VIEW_DESC* view) {
  return on_device([&](Runtime& runtime) {
    ImageObjects::Texture asked = runtime_form(runtime, required(resource), required(description));
    if (view != nullptr) std::memcpy(&asked.view.emplace(), view, sizeof *asked.view);
    CUtexObject& created = required(object);
    created = runtime.images().create_texture(asked);
  });
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  return after_init([&] { return cudaDestroyTextureObject(object); });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject object) {
  return on_device_by_name(
      [&](Runtime& runtime) { required(resource) = driver_form(runtime.images().texture(object).resource); });
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* description, CUtexObject object) {
  return on_device_by_name(
      [&](Runtime& runtime) { required(description) = driver_form(runtime, runtime.images().texture(object)); });
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject object) {
  return on_device_by_name([&](Runtime& runtime) {
    const auto& given = runtime.images().texture(object).view;
    require(given.has_value(), cudaErrorInvalidValue);
    required(view) = {};
    std::memcpy(view, &*given, sizeof *given);
  });
}

CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  return on_device([&](Runtime& runtime) {
    CUsurfObject& created = required(object);
    created = runtime.images().create_surface(runtime_form(required(resource)));
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return after_init([&] { return cudaDestroySurfaceObject(object); });
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject object) {
  return on_device_by_name(
      [&](Runtime& runtime) { required(resource) = driver_form(runtime.images().surface(object)); });
}

}  // extern "C"
