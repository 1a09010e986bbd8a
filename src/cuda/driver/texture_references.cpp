#include "cuda/driver/texture_references.h"

#include "cuda/driver/image_forms.h"
#include "cuda/runtime/api_error.h"

namespace warpfork::cuda::driver {

void TextureReference::write(Runtime& runtime) const {
  if (is_bound) runtime.images().write(record, runtime_form(runtime, resource, description));
}

CUtexref TextureReferences::of(const CodeImage& module, std::uint64_t record) {
  for (const auto& [handle, reference] : references_)
    if (reference.record == record) return handle;
  const auto handle = reinterpret_cast<CUtexref>(next_++);
  references_[handle].module = &module;
  references_[handle].record = record;
  return handle;
}

TextureReference& TextureReferences::reference(CUtexref handle) {
  const auto found = references_.find(handle);
  if (found == references_.end()) throw ApiError(cudaErrorInvalidResourceHandle);
  return found->second;
}

void TextureReferences::remove_module(const CodeImage& module) {
  std::erase_if(references_, [&](const auto& entry) { return entry.second.module == &module; });
}

}  // namespace warpfork::cuda::driver
