/* alignas behind __shared__ and extern, which clang takes in its place before them alone, as an attribute that may stand
   anywhere. For sources that have it there (src/compiler/late_alignment.h). */
#pragma once

/* What is in the brackets is a number or a type: as int(16) it is a value, as int(double) the type of a function. */
template <int Bytes>
constexpr __host__ __device__ unsigned long warpfork_alignment() {
  return Bytes;
}
template <class Function>
struct warpfork_argument;
template <class T>
struct warpfork_argument<int(T)> {
  static constexpr unsigned long alignment = alignof(T);
};
template <class Function>
constexpr __host__ __device__ unsigned long warpfork_alignment() {
  return warpfork_argument<Function>::alignment;
}
#define alignas(...) __attribute__((aligned(::warpfork_alignment<int(__VA_ARGS__)>())))
