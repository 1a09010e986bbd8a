/* A number of bytes of which it is known that they begin and end where such an alignment lets them. */
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace cuda {

template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;

  constexpr explicit __host__ __device__ aligned_size_t(size_t size) : value(size) {}
  constexpr __host__ __device__ operator size_t() const { return value; }
};

/* How a copy that was asked for is done. */
enum class async_contract_fulfillment { none, async };

}  // namespace cuda
