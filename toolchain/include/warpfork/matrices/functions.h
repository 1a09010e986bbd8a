/* Loads, stores and products of fragments, which are PTX's (PTX ISA, "wmma"). */
#pragma once

/* Registers of a fragment as operands of an instruction that calls them x0, x1, … */
#define WARPFORK_LIST_1(x) "{%[" x "0]}"
#define WARPFORK_LIST_2(x) "{%[" x "0], %[" x "1]}"
#define WARPFORK_LIST_4(x) "{%[" x "0], %[" x "1], %[" x "2], %[" x "3]}"
#define WARPFORK_LIST_8(x) "{%[" x "0], %[" x "1], %[" x "2], %[" x "3], %[" x "4], %[" x "5], %[" x "6], %[" x "7]}"
#define WARPFORK_OPERANDS_1(x, constraint) [x##0] constraint(x[0])
#define WARPFORK_OPERANDS_2(x, constraint) WARPFORK_OPERANDS_1(x, constraint), [x##1] constraint(x[1])
#define WARPFORK_OPERANDS_4(x, constraint) \
  WARPFORK_OPERANDS_2(x, constraint), [x##2] constraint(x[2]), [x##3] constraint(x[3])
#define WARPFORK_OPERANDS_8(x, constraint)                                                                       \
  WARPFORK_OPERANDS_4(x, constraint), [x##4] constraint(x[4]), [x##5] constraint(x[5]), [x##6] constraint(x[6]), \
      [x##7] constraint(x[7])

namespace nvcuda {
namespace wmma {

/* load_matrix_sync of A or B. */
#define WARPFORK_LOAD_FACTOR(use, letter, m, n, k, type, element, layout, word, count, register_type, constraint) \
  WARPFORK_DEVICE void load_matrix_sync(fragment<use, m, n, k, type, layout>& to,                                 \
                                        const warpfork_element<type>::storage* from, unsigned stride) {           \
    register_type x[count];                                                                                       \
    asm volatile("wmma.load." letter ".sync.aligned." word ".m" #m "n" #n "k" #k "." element                      \
                 " " WARPFORK_LIST_##count("x") ", [%[from]], %[stride];"                                         \
                 : WARPFORK_OPERANDS_##count(x, "=" constraint)                                                   \
                 : [from] "l"(from), [stride] "r"(stride)                                                         \
                 : "memory");                                                                                     \
    __builtin_memcpy(to.x, x, sizeof x);                                                                          \
  }
/* load_matrix_sync and store_matrix_sync of C and D, of one layout. */
#define WARPFORK_MOVE_SUM(m, n, k, type, element, word, count, register_type, constraint)                \
  WARPFORK_DEVICE void warpfork_load_##word(fragment<accumulator, m, n, k, type>& to, const type* from,  \
                                            unsigned stride) {                                           \
    register_type x[count];                                                                              \
    asm volatile("wmma.load.c.sync.aligned." #word ".m" #m "n" #n "k" #k "." element                     \
                 " " WARPFORK_LIST_##count("x") ", [%[from]], %[stride];"                                \
                 : WARPFORK_OPERANDS_##count(x, "=" constraint)                                          \
                 : [from] "l"(from), [stride] "r"(stride)                                                \
                 : "memory");                                                                            \
    __builtin_memcpy(to.x, x, sizeof x);                                                                 \
  }                                                                                                      \
  WARPFORK_DEVICE void warpfork_store_##word(type* to, const fragment<accumulator, m, n, k, type>& from, \
                                             unsigned stride) {                                          \
    register_type x[count];                                                                              \
    __builtin_memcpy(x, from.x, sizeof x);                                                               \
    asm volatile("wmma.store.d.sync.aligned." #word ".m" #m "n" #n "k" #k "." element                    \
                 " [%[to]], " WARPFORK_LIST_##count("x") ", %[stride];"                                  \
                 :                                                                                       \
                 : WARPFORK_OPERANDS_##count(x, constraint), [to] "l"(to), [stride] "r"(stride)          \
                 : "memory");                                                                            \
  }
#define WARPFORK_SUMS(m, n, k, type, element, count, register_type, constraint)                                       \
  WARPFORK_MOVE_SUM(m, n, k, type, element, row, count, register_type, constraint)                                    \
  WARPFORK_MOVE_SUM(m, n, k, type, element, col, count, register_type, constraint)                                    \
  WARPFORK_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, type>& to, const type* from, unsigned stride,  \
                                        layout_t layout) {                                                            \
    layout == mem_row_major ? warpfork_load_row(to, from, stride) : warpfork_load_col(to, from, stride);              \
  }                                                                                                                   \
  WARPFORK_DEVICE void store_matrix_sync(type* to, const fragment<accumulator, m, n, k, type>& from, unsigned stride, \
                                         layout_t layout) {                                                           \
    layout == mem_row_major ? warpfork_store_row(to, from, stride) : warpfork_store_col(to, from, stride);            \
  }
/* mma_sync of one pair of layouts. Registers: `f` of factors, `d` and `c` of sums. */
#define WARPFORK_PRODUCT(m, n, k, type, a_layout, a_word, b_layout, b_word, words, a_count, b_count, f_type, f, d_sum, \
                         d_count, d_type, d, c_sum, c_count, c_type, c)                                                \
  WARPFORK_DEVICE void warpfork_multiply(                                                                              \
      fragment<accumulator, m, n, k, d_sum>& to, const fragment<matrix_a, m, n, k, type, a_layout>& of_a,              \
      const fragment<matrix_b, m, n, k, type, b_layout>& of_b, const fragment<accumulator, m, n, k, c_sum>& of_c) {    \
    f_type x[a_count], y[b_count];                                                                                     \
    c_type z[c_count];                                                                                                 \
    d_type w[d_count];                                                                                                 \
    __builtin_memcpy(x, of_a.x, sizeof x);                                                                             \
    __builtin_memcpy(y, of_b.x, sizeof y);                                                                             \
    __builtin_memcpy(z, of_c.x, sizeof z);                                                                             \
    asm volatile("wmma.mma.sync.aligned." a_word "." b_word ".m" #m "n" #n "k" #k "." words                            \
                 " " WARPFORK_LIST_##d_count("w") ", " WARPFORK_LIST_##a_count("x") ", " WARPFORK_LIST_##b_count(      \
                     "y") ", " WARPFORK_LIST_##c_count("z") ";"                                                        \
                 : WARPFORK_OPERANDS_##d_count(w, "=" d)                                                               \
                 : WARPFORK_OPERANDS_##a_count(x, f), WARPFORK_OPERANDS_##b_count(y, f),                               \
                   WARPFORK_OPERANDS_##c_count(z, c));                                                                 \
    __builtin_memcpy(to.x, w, sizeof w);                                                                               \
  }
#define WARPFORK_PRODUCTS(m, n, k, type, ...)                                      \
  WARPFORK_PRODUCT(m, n, k, type, row_major, "row", row_major, "row", __VA_ARGS__) \
  WARPFORK_PRODUCT(m, n, k, type, row_major, "row", col_major, "col", __VA_ARGS__) \
  WARPFORK_PRODUCT(m, n, k, type, col_major, "col", row_major, "row", __VA_ARGS__) \
  WARPFORK_PRODUCT(m, n, k, type, col_major, "col", col_major, "col", __VA_ARGS__)
#define WARPFORK_FACTORS(m, n, k, type, element, a, b, register_type, constraint)                             \
  WARPFORK_LOAD_FACTOR(matrix_a, "a", m, n, k, type, element, row_major, "row", a, register_type, constraint) \
  WARPFORK_LOAD_FACTOR(matrix_a, "a", m, n, k, type, element, col_major, "col", a, register_type, constraint) \
  WARPFORK_LOAD_FACTOR(matrix_b, "b", m, n, k, type, element, row_major, "row", b, register_type, constraint) \
  WARPFORK_LOAD_FACTOR(matrix_b, "b", m, n, k, type, element, col_major, "col", b, register_type, constraint)

#define WARPFORK_HALVES(m, n, k)                                                                                     \
  WARPFORK_FACTORS(m, n, k, __half, "f16", 8, 8, unsigned, "r")                                                      \
  WARPFORK_SUMS(m, n, k, __half, "f16", 4, unsigned, "r")                                                            \
  WARPFORK_SUMS(m, n, k, float, "f32", 8, float, "f")                                                                \
  WARPFORK_SUMS(m, n, k, int, "s32", 8, int, "r")                                                                    \
  WARPFORK_PRODUCTS(m, n, k, __half, "f32.f32", 8, 8, unsigned, "r", float, 8, float, "f", float, 8, float, "f")     \
  WARPFORK_PRODUCTS(m, n, k, __half, "f32.f16", 8, 8, unsigned, "r", float, 8, float, "f", __half, 4, unsigned, "r") \
  WARPFORK_PRODUCTS(m, n, k, __half, "f16.f32", 8, 8, unsigned, "r", __half, 4, unsigned, "r", float, 8, float, "f") \
  WARPFORK_PRODUCTS(m, n, k, __half, "f16.f16", 8, 8, unsigned, "r", __half, 4, unsigned, "r", __half, 4, unsigned, "r")
WARPFORK_HALVES(16, 16, 16)
WARPFORK_HALVES(32, 8, 16)
WARPFORK_HALVES(8, 32, 16)
#undef WARPFORK_HALVES

#define WARPFORK_BYTES(m, n, k, type, element, a, b)                                                                 \
  WARPFORK_FACTORS(m, n, k, type, element, a, b, unsigned, "r")                                                      \
  WARPFORK_PRODUCTS(m, n, k, type, "s32." element "." element ".s32", a, b, unsigned, "r", int, 8, int, "r", int, 8, \
                    int, "r")
WARPFORK_BYTES(16, 16, 16, signed char, "s8", 2, 2)
WARPFORK_BYTES(32, 8, 16, signed char, "s8", 4, 1)
WARPFORK_BYTES(8, 32, 16, signed char, "s8", 1, 4)
WARPFORK_BYTES(16, 16, 16, unsigned char, "u8", 2, 2)
WARPFORK_BYTES(32, 8, 16, unsigned char, "u8", 4, 1)
WARPFORK_BYTES(8, 32, 16, unsigned char, "u8", 1, 4)
#undef WARPFORK_BYTES

#define WARPFORK_ALTERNATIVES(m, n, k, type, element, a, b)                                                      \
  WARPFORK_FACTORS(m, n, k, type, element, a, b, unsigned, "r")                                                  \
  WARPFORK_PRODUCTS(m, n, k, type, "f32." element "." element ".f32", a, b, unsigned, "r", float, 8, float, "f", \
                    float, 8, float, "f")
WARPFORK_ALTERNATIVES(16, 16, 16, __nv_bfloat16, "bf16", 4, 4)
WARPFORK_ALTERNATIVES(32, 8, 16, __nv_bfloat16, "bf16", 8, 2)
WARPFORK_ALTERNATIVES(8, 32, 16, __nv_bfloat16, "bf16", 2, 8)
WARPFORK_ALTERNATIVES(16, 16, 8, precision::tf32, "tf32", 4, 4)
WARPFORK_SUMS(16, 16, 8, float, "f32", 8, float, "f")
#undef WARPFORK_ALTERNATIVES

WARPFORK_FACTORS(8, 8, 4, double, "f64", 1, 1, double, "d")
WARPFORK_SUMS(8, 8, 4, double, "f64", 2, double, "d")
WARPFORK_PRODUCTS(8, 8, 4, double, "f64.f64.f64.f64", 1, 1, double, "d", double, 2, double, "d", double, 2, double, "d")

#undef WARPFORK_FACTORS
#undef WARPFORK_PRODUCTS
#undef WARPFORK_PRODUCT
#undef WARPFORK_SUMS
#undef WARPFORK_MOVE_SUM
#undef WARPFORK_LOAD_FACTOR
#undef WARPFORK_OPERANDS_8
#undef WARPFORK_OPERANDS_4
#undef WARPFORK_OPERANDS_2
#undef WARPFORK_OPERANDS_1
#undef WARPFORK_LIST_8
#undef WARPFORK_LIST_4
#undef WARPFORK_LIST_2
#undef WARPFORK_LIST_1

template <int m, int n, int k, typename T, typename A, typename B, typename D, typename C>
WARPFORK_DEVICE void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, T, A>& a,
                              const fragment<matrix_b, m, n, k, T, B>& b, const fragment<accumulator, m, n, k, C>& c) {
  warpfork_multiply(d, a, b, c);
}

}  // namespace wmma
}  // namespace nvcuda
