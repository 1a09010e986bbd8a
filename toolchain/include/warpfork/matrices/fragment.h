/* What a thread holds of a matrix. */
#pragma once

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}

template <typename T>
struct warpfork_element {
  typedef T storage;
};
template <>
struct warpfork_element<precision::tf32> {
  typedef float storage;
};

/* PTX gives a fragment of __half 16 elements, however many the matrix has. */
template <typename T, int elements>
struct warpfork_count {
  static const int value = elements;
};
template <int elements>
struct warpfork_count<__half, elements> {
  static const int value = 16;
};

template <typename T, int elements>
struct warpfork_fragment {
  typedef T element_type;
  typedef typename warpfork_element<T>::storage storage_element_type;
  static const int num_elements = elements, num_storage_elements = elements;
  alignas(sizeof(storage_element_type) < 4 ? 4 : sizeof(storage_element_type)) storage_element_type x[elements];
};

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment;
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_a, m, n, k, T, Layout> : public warpfork_fragment<T, warpfork_count<T, m * k / 32>::value> {};
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_b, m, n, k, T, Layout> : public warpfork_fragment<T, warpfork_count<T, k * n / 32>::value> {};
template <int m, int n, int k, typename T>
class fragment<accumulator, m, n, k, T> : public warpfork_fragment<T, m * n / 32> {};

template <typename Use, int m, int n, int k, typename T, typename Layout>
WARPFORK_DEVICE void fill_fragment(fragment<Use, m, n, k, T, Layout>& to,
                                   const typename warpfork_element<T>::storage& value) {
#pragma unroll
  for (int i = 0; i < to.num_elements; ++i) to.x[i] = value;
}

/* The nearest of 19 bits; of two the one farther from zero (PTX ISA, "cvt.rna.tf32"). */
WARPFORK_DEVICE float __float_to_tf32(float value) {
  const unsigned bits = __float_as_uint(value);
  if ((bits & 0x7f800000) == 0x7f800000) return value;
  return __uint_as_float((bits + 0x1000) & 0xffffe000);
}

}  // namespace wmma
}  // namespace nvcuda
