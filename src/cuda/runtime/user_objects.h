// Objects of a program that graphs keep alive (CUDA Runtime API, "Graph Management", cudaUserObjectCreate).
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>

namespace warpfork::cuda {

/// An object is destroyed, by its own function, with the last reference to it: the program's or a graph's, executable
/// or not. Handles are numbers, never addresses. Throws ApiError(cudaErrorInvalidValue) for a handle of nothing, and
/// where more is released or given than there is.
class UserObjects {
 public:
  cudaUserObject_t create(void* object, cudaHostFn_t destroy, unsigned references);
  void retain(cudaUserObject_t object, unsigned references);
  void release(cudaUserObject_t object, unsigned references);

  /// References become a graph's own, which until then were the program's.
  void give(const void* graph, cudaUserObject_t object, unsigned references);
  void take(const void* graph, cudaUserObject_t object, unsigned references);
  /// What one graph refers to the other one does, too.
  void share(const void* from, const void* to);
  /// The graph is gone.
  void drop(const void* graph);

 private:
  struct Object {
    void* object;
    cudaHostFn_t destroy;
    unsigned references;
  };
  Object& object(cudaUserObject_t handle);

  std::uintptr_t next_ = 1;
  std::map<cudaUserObject_t, Object> objects_;
  std::map<const void*, std::map<cudaUserObject_t, unsigned>> references_;  // by graph
};

}  // namespace warpfork::cuda
