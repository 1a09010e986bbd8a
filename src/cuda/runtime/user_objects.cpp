#include "cuda/runtime/user_objects.h"

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {

UserObjects::Object& UserObjects::object(cudaUserObject_t handle) {
  const auto found = objects_.find(handle);
  if (found == objects_.end()) throw ApiError(cudaErrorInvalidValue);
  return found->second;
}

cudaUserObject_t UserObjects::create(void* object, cudaHostFn_t destroy, unsigned references) {
  if (destroy == nullptr || references == 0) throw ApiError(cudaErrorInvalidValue);
  const auto handle = reinterpret_cast<cudaUserObject_t>(next_++);
  objects_[handle] = {object, destroy, references};
  return handle;
}

void UserObjects::retain(cudaUserObject_t handle, unsigned references) { object(handle).references += references; }

void UserObjects::release(cudaUserObject_t handle, unsigned references) {
  Object& released = object(handle);
  if (references > released.references) throw ApiError(cudaErrorInvalidValue);
  released.references -= references;
  if (released.references != 0) return;
  const Object gone = released;
  objects_.erase(handle);
  gone.destroy(gone.object);
}

void UserObjects::give(const void* graph, cudaUserObject_t handle, unsigned references) {
  std::uint64_t given = references;
  for (const auto& [other, held] : references_)
    if (const auto found = held.find(handle); found != held.end()) given += found->second;
  if (given > object(handle).references) throw ApiError(cudaErrorInvalidValue);
  references_[graph][handle] += references;
}

void UserObjects::take(const void* graph, cudaUserObject_t handle, unsigned references) {
  unsigned& held = references_[graph][handle];
  if (references > held) throw ApiError(cudaErrorInvalidValue);
  held -= references;
  release(handle, references);
}

void UserObjects::share(const void* from, const void* to) {
  const auto found = references_.find(from);
  if (found == references_.end()) return;
  const std::map<cudaUserObject_t, unsigned> shared = found->second;
  for (const auto& [handle, references] : shared) {
    if (references == 0) continue;
    retain(handle, references);
    references_[to][handle] += references;
  }
}

void UserObjects::drop(const void* graph) {
  const auto found = references_.find(graph);
  if (found == references_.end()) return;
  const std::map<cudaUserObject_t, unsigned> dropped = found->second;
  references_.erase(found);
  for (const auto& [handle, references] : dropped)
    if (references != 0) release(handle, references);
}

}  // namespace warpfork::cuda
