#include "cuda/runtime/image_objects.h"

#include "cuda/runtime/api_error.h"
#include "cuda/runtime/enumeration.h"
#include "cuda/runtime/image_records.h"

namespace warpfork::cuda {

namespace {

/// What is known under this handle.
template <typename Objects>
auto known(Objects& objects, unsigned long long handle) {
  const auto found = objects.find(handle);
  if (found == objects.end()) throw ApiError(cudaErrorInvalidValue);
  return found;
}

bool shows_all_as_it_is(const cudaResourceViewDesc& view, const CudaArray& array) {
  const std::size_t last_layer = array.is_layered() ? array.extent.depth - 1 : 0;
  const int format = number_in(view.format);
  return (format == cudaResViewFormatNone || format == array.format.view_format()) &&
         view.width == array.extent.width && view.height == array.extent.height && view.depth == array.extent.depth &&
         view.firstMipmapLevel == 0 && view.lastMipmapLevel == 0 && view.firstLayer == 0 &&
         view.lastLayer == last_layer;
}

}  // namespace

simt::Image ImageObjects::image_of(const Texture& texture) const {
  const cudaResourceDesc& from = texture.resource;
  const int type = number_in(from.resType);
  if (texture.view && type != cudaResourceTypeArray && type != cudaResourceTypeMipmappedArray)
    throw ApiError(cudaErrorInvalidValue);
  switch (type) {
    case cudaResourceTypeArray: {
      const CudaArray& array = arrays_.find(from.res.array.array);
      if (texture.view && !shows_all_as_it_is(*texture.view, array))
        throw ApiError(
            cudaErrorNotSupported,
            "a cudaResourceViewDesc of another format or extent than the array's, or of some of its layers, is "
            "not supported");
      return array_texture(array);
    }
    case cudaResourceTypeLinear:
      return linear_texture(memory_, from.res.linear.devPtr, TexelFormat(from.res.linear.desc),
                            from.res.linear.sizeInBytes);
    case cudaResourceTypePitch2D: {
      const auto& rows = from.res.pitch2D;
      return pitched_texture(memory_, {rows.devPtr, rows.width, rows.height, rows.pitchInBytes},
                             TexelFormat(rows.desc));
    }
    case cudaResourceTypeMipmappedArray:
      throw ApiError(cudaErrorNotSupported, "textures of mipmapped arrays are not supported");
    default:
      throw ApiError(cudaErrorInvalidValue);
  }
}

std::uint64_t ImageObjects::place(const simt::Image& image, std::string_view call) {
  const auto address = reinterpret_cast<std::uintptr_t>(space_.allocate(simt::kImageBytes, cudaMemoryTypeDevice, call));
  write_record(memory_, address, image);
  return address;
}

cudaTextureObject_t ImageObjects::create_texture(const Texture& texture) {
  simt::Image image = image_of(texture);
  set_reading(image, texture.description);
  const cudaTextureObject_t object = place(image, "cudaCreateTextureObject");
  textures_.emplace(object, texture);
  return object;
}

void ImageObjects::write(std::uint64_t address, const Texture& texture) {
  simt::Image image = image_of(texture);
  set_reading(image, texture.description);
  write_record(memory_, address, image);
}

const ImageObjects::Texture& ImageObjects::texture(cudaTextureObject_t object) const {
  return known(textures_, object)->second;
}

void ImageObjects::destroy_texture(cudaTextureObject_t object) {
  textures_.erase(known(textures_, object));
  space_.free(reinterpret_cast<void*>(object));
}

cudaSurfaceObject_t ImageObjects::create_surface(const cudaResourceDesc& resource) {
  if (number_in(resource.resType) != cudaResourceTypeArray) throw ApiError(cudaErrorInvalidValue);
  const cudaSurfaceObject_t object =
      place(array_surface(arrays_.find(resource.res.array.array)), "cudaCreateSurfaceObject");
  surfaces_.emplace(object, resource);
  return object;
}

const cudaResourceDesc& ImageObjects::surface(cudaSurfaceObject_t object) const {
  return known(surfaces_, object)->second;
}

void ImageObjects::destroy_surface(cudaSurfaceObject_t object) {
  surfaces_.erase(known(surfaces_, object));
  space_.free(reinterpret_cast<void*>(object));
}

}  // namespace warpfork::cuda
