#include "cuda/driver/texture_references.h"

#include "cuda/driver/image_forms.h"
#include "cuda/runtime/api_error.h"

namespace warpfork::cuda::driver {

void TextureReference::write(Runtime& runtime) {
  if (!is_bound || is_written) return;
  CUDA_RESOURCE_DESC read = resource;
  if (read.resType == CU_RESOURCE_TYPE_LINEAR) {
    read.res.linear.format = format;
    read.res.linear.numChannels = channels;
  }
  try {
    runtime.images().write(record, runtime_form(runtime, read, description));
  } catch (const ApiError& error) {
    throw ApiError(error.code(),
                   fmt::format("texture reference '{}' of {}: {}", name, module->name,
                               error.silent() ? "what it is bound to is gone, or cannot be read in the format, filter "
                                                "mode and flags that are set: mend these, or bind something else"
                                              : error.what()));
  }
  is_written = true;
}

CUtexref TextureReferences::of(const CodeImage& module, const std::string& name, std::uint64_t record) {
  for (const auto& [handle, reference] : references_)
    if (reference.record == record) return handle;
  const auto handle = reinterpret_cast<CUtexref>(next_++);
  TextureReference& made = references_[handle];
  made.module = &module;
  made.name = name;
  made.record = record;
  return handle;
}

TextureReference& TextureReferences::reference(CUtexref handle) {
  const auto found = references_.find(handle);
  if (found == references_.end()) throw ApiError(cudaErrorInvalidResourceHandle);
  return found->second;
}

void TextureReferences::write(Runtime& runtime, const CodeImage& module) {
  for (auto& [handle, reference] : references_)
    if (reference.module == &module) reference.write(runtime);
}

void TextureReferences::remove_module(const CodeImage& module) {
  std::erase_if(references_, [&](const auto& entry) { return entry.second.module == &module; });
}

}  // namespace warpfork::cuda::driver
