// cuda::std, whose checks run in a kernel and on the host; what they expect is the C++ standard's, or computed by hand.
// Prints a line for each expectation that does not hold, PASS at the end. nvcc 13's program does so, too.
#if __has_include(<cuda/std/algorithm>)
#include <cuda/std/algorithm>
#else
#include <cuda/std/__algorithm_>  // CUDA 13.0's
#endif
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/memory>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <vector>

#include "expect.h"

namespace cs = cuda::std;

/// The line of the latest check that did not hold.
#define CHECK(...) \
  if (!(__VA_ARGS__)) failed = __LINE__

struct Point {
  int x, y;
  __host__ __device__ int sum() const { return x + y; }
};
/// Counts how many there are; not copied as bytes.
struct Counted {
  int* alive;
  __host__ __device__ explicit Counted(int* of) : alive(of) { ++*alive; }
  __host__ __device__ Counted(const Counted& other) : alive(other.alive) { ++*alive; }
  __host__ __device__ Counted& operator=(const Counted&) { return *this; }
  __host__ __device__ ~Counted() { --*alive; }
};

/// `n` is 3, which the compiler does not know.
__host__ __device__ int failed_pairs_and_tuples(int n) {
  int failed = 0;
  cs::pair<int, float> p(1, 2.5f);
  p = cs::make_pair(n, 4);
  CHECK(p.first == 3 && p.second == 4.0f && p > cs::pair<int, float>(2, 9.0f));
  cs::tuple<int, float, cs::uint8_t> t{n, 0.5f, cs::uint8_t(7)};
  cs::get<0>(t) += 1;
  cs::get<float>(t) *= 2;
  auto [a, b, c] = t;
  CHECK(a == 4 && b == 1.0f && c == 7);
  int x = 0;
  double y = 0;
  cs::tie(x, y, cs::ignore) = t;
  CHECK(x == 4 && y == 1.0);
  const auto joined = cs::tuple_cat(cs::make_tuple(n, cs::ref(x)), cs::pair(5, 6L), cs::array{7, 8});
  static_assert(cs::tuple_size<decltype(joined)>::value == 6);
  CHECK(cs::apply([](auto... each) { return (0L + ... + each); }, joined) == 3 + 4 + 5 + 6 + 7 + 8);
  cs::get<1>(joined) = 9;
  CHECK(x == 9 && cs::make_from_tuple<cs::pair<int, int>>(cs::tuple(1, n)).second == 3);
  CHECK(cs::tuple(1, n) < cs::tuple(1, 4) && cs::tuple(1, n) != cs::tuple(2, 3) && cs::tuple<>() == cs::tuple<>());
  cs::tuple<int, float, cs::uint8_t> other;
  cs::swap(other, t);
  CHECK(cs::get<0>(t) == 0 && cs::get<2>(other) == 7);
  return failed;
}

__host__ __device__ int failed_arrays_and_spans(int n) {
  int failed = 0;
  cs::array<int, 6> a{};
  CHECK(a[5] == 0 && a.size() == 6 && !a.empty());
  a.fill(n);
  cs::iota(a.begin() + 1, a.end(), 10);
  CHECK(a.front() == 3 && a.back() == 14 && a.at(1) == 10 && *a.rbegin() == 14 && cs::get<2>(a) == 11);
  cs::array d{n, 2, 1};
  static_assert(cs::is_same_v<decltype(d), cs::array<int, 3>>);
  CHECK(d > cs::array{3, 1, 9} && d != cs::array{3, 2, 2});
  cs::span<int> all(a);
  cs::span<int, 6> fixed(a);
  static_assert(sizeof fixed == sizeof(int*) && decltype(fixed.subspan<2>())::extent == 4);
  CHECK(all.subspan(2, 3).size() == 3 && all.subspan(4)[1] == 14 && fixed.last<2>()[0] == 13 &&
        all.first(2).back() == 10);
  const cs::span<const int> read_only = all;
  int sum = 0;
  for (const int& each : read_only) sum += each;
  CHECK(sum == 3 + 10 + 11 + 12 + 13 + 14 && read_only.size_bytes() == 24 && cs::as_bytes(all).size() == 24);
  int plain[4] = {4, 3, 2, 1};
  CHECK(cs::span(plain).size() == 4 && cs::span<const int>(plain + 1, plain + 3).front() == 3);
  CHECK(cs::size(plain) == 4 && *cs::next(cs::begin(plain)) == 3 && cs::distance(plain, plain + 2) == 2);
  return failed;
}

__host__ __device__ int failed_optionals(int n) {
  int failed = 0;
  cs::optional<int> o;
  CHECK(!o && o == cs::nullopt && o.value_or(8) == 8 && o < n);
  o = n;
  CHECK(o && *o == 3 && o == 3 && o.value() == 3 && o.value_or(8) == 3);
  CHECK(o.transform([](int v) { return v * 2.5; }) == 7.5 &&
        o.and_then([](int v) { return cs::optional<int>(v + 1); }) == 4);
  o.reset();
  CHECK(!o.has_value() && o.or_else([] { return cs::optional<int>(1); }) == 1);
  cs::optional<Point> p(cs::in_place, Point{1, 2});
  p->x += n;
  CHECK(p->sum() == 6 && p.emplace(Point{5, 5}).x == 5);
  int alive = 0;
  {
    cs::optional<Counted> a, b(cs::in_place, &alive);
    CHECK(alive == 1);
    a = b;
    cs::optional<Counted> c(a);
    CHECK(alive == 3);
    b = cs::nullopt;
    a = b;
    CHECK(alive == 1 && c);
  }
  CHECK(alive == 0);
  return failed;
}

__host__ __device__ int failed_bits_and_numbers(int n) {
  int failed = 0;
  const unsigned u = n;
  CHECK(cs::popcount(u) == 2 && cs::countl_zero(u) == 30 && cs::countr_zero(cs::uint16_t(u << 4)) == 4);
  CHECK(cs::countl_zero(cs::uint8_t(0)) == 8 && cs::countr_zero(0ull) == 64 && cs::countl_one(cs::uint8_t(0xe0)) == 3);
  CHECK(cs::bit_ceil(u) == 4 && cs::bit_floor(u) == 2 && cs::bit_width(u) == 2 && cs::has_single_bit(u + 1));
  CHECK(cs::rotl(cs::uint8_t(0x81), 1) == 3 && cs::rotr(u, 1) == 0x80000001u && cs::rotl(u, 0) == 3);
  CHECK(cs::bit_cast<unsigned>(1.0f) == 0x3f800000u && cs::byteswap(u) == 0x03000000u);
  CHECK(cs::numeric_limits<int>::max() == INT_MAX && cs::numeric_limits<float>::max() == FLT_MAX);
  CHECK(cs::gcd(12, n) == 3 && cs::lcm(4, n) == 12 && cs::abs(-n) == 3 && cs::abs(-2.5) == 2.5);
  CHECK(cs::sqrt(float(n * 3)) == 3.0f && cs::fma(2.0, double(n), 1.0) == 7.0 && cs::isnan(cs::sqrt(-1.0f * n)) &&
        cs::floor(-2.5) == -3);
  CHECK(cs::cmp_less(-1, u) && !cs::cmp_equal(-1, ~0u) && cs::in_range<cs::int8_t>(127) && !cs::in_range<unsigned>(-n));
  CHECK(cs::exchange(n, 5) == 3 && n == 5 && cs::to_underlying(cs::byte{4}) == 4);
  CHECK(cs::numbers::pi == 3.141592653589793 && cs::numbers::sqrt2_v<float> == 1.41421356f);
  CHECK(cs::chrono::milliseconds(3) + cs::chrono::microseconds(2) == cs::chrono::microseconds(3002) &&
        cs::milli::den == 1000);
  const auto before = cs::chrono::system_clock::now();
  CHECK(cs::chrono::system_clock::now() - before >= cs::chrono::nanoseconds(0));
  CHECK(cuda::ceil_div(10, 4) == 3 && cuda::ceil_div(8u, 4) == 2 && cuda::round_up(10, 4) == 12 &&
        cuda::round_down(10, 4) == 8);
  CHECK(cuda::ilog2(100) == 6 && cuda::ilog10(12345) == 4 && cuda::maximum<>()(n, 4L) == 5 &&
        cuda::minimum<int>()(n, 4) == 4);
  static_assert(cs::is_same_v<cs::remove_cvref_t<const int&>, int> && cs::is_invocable_v<cs::plus<>, int, int>);
  return failed;
}

__host__ __device__ int failed_algorithms(int n) {
  int failed = 0;
  int v[6] = {5, 1, 4, 1, 9, n};
  CHECK(cs::min(n, 2) == 2 && cs::max(n, 2) == 3 && cs::clamp(n, 4, 8) == 4 && cs::min({4, n, 5}) == 3);
  CHECK(*cs::max_element(v, v + 6) == 9 && cs::min_element(v, v + 6) == v + 1 && cs::find(v, v + 6, 4) == v + 2);
  CHECK(cs::count(v, v + 6, 1) == 2 && cs::any_of(v, v + 6, [](int e) { return e > 8; }) && !cs::is_sorted(v, v + 6));
  CHECK(cs::accumulate(v, v + 6, 0) == 23 && cs::inner_product(v, v + 3, v + 3, 0) == 5 + 9 + 12);
  cs::reverse(v, v + 6);
  CHECK(v[0] == 3 && v[5] == 5);
  cs::rotate(v, v + 2, v + 6);
  CHECK(v[0] == 1 && v[4] == 3 && v[5] == 9);
  int w[6];
  CHECK(cs::copy_if(v, v + 6, w, [](int e) { return e % 2 != 0; }) == w + 5);
  CHECK(cs::remove(w, w + 5, 1) == w + 3 && cs::transform(w, w + 3, w, [](int e) { return e + 1; }) == w + 3);
  CHECK(w[0] == 6 && w[1] == 4 && w[2] == 10);
  const int sorted[5] = {1, 3, 3, 5, 8};
  CHECK(cs::lower_bound(sorted, sorted + 5, n) == sorted + 1 && cs::upper_bound(sorted, sorted + 5, n) == sorted + 3);
  CHECK(cs::binary_search(sorted, sorted + 5, 8) && !cs::binary_search(sorted, sorted + 5, 4));
  int merged[7];
  cs::merge(sorted, sorted + 5, sorted, sorted + 2, merged);
  CHECK(merged[1] == 1 && merged[4] == 3 && merged[6] == 8);
  CHECK(cs::partial_sum(sorted, sorted + 5, w) == w + 5 && w[4] == 20 && cs::equal(sorted, sorted + 5, sorted));
  CHECK(cs::invoke(&Point::sum, Point{1, 2}) == 3 && cs::invoke(&Point::y, Point{1, 2}) == 2 &&
        cs::not_fn(cs::less<>())(4, 4));
  return failed;
}

__host__ __device__ bool are_near(double a, double b) { return a > b - 1e-12 && a < b + 1e-12; }
__host__ __device__ int failed_complex_numbers(int n) {
  int failed = 0;
  using C = cs::complex<double>;
  const C a(n, -4), i(0, 1);
  CHECK(a + 1.0 == C(4, -4) && 2.0 * a == C(6, -8) && a * i == C(4, 3) && a / C(0, 2) == C(-2, -1.5) && -a == C(-3, 4));
  CHECK(cs::abs(a) == 5 && cs::norm(a) == 25 && cs::conj(a).imag() == 4 && cs::real(a) == 3 && a != 3.0);
  CHECK(are_near(cs::sqrt(a).real(), 2) && are_near(cs::sqrt(a).imag(), -1) &&
        are_near(cs::arg(-i), -1.5707963267948966));
  CHECK(are_near(cs::exp(i * 3.141592653589793).real(), -1) && are_near(cs::log(i).imag(), 1.5707963267948966));
  CHECK(are_near(cs::pow(i, 2.0).real(), -1) && are_near(cs::polar(2.0, 0.0).real(), 2));
  CHECK(are_near((cs::sin(a) * cs::sin(a) + cs::cos(a) * cs::cos(a)).real(), 1) || cs::abs(cs::sin(a)) > 20);
  CHECK(are_near(cs::asin(cs::sin(C(0.5, 0.25))).imag(), 0.25) &&
        are_near(cs::acos(cs::cos(C(0.5, 0.25))).real(), 0.5));
  CHECK(are_near(cs::atan(cs::tan(C(0.5, 0.25))).imag(), 0.25) &&
        are_near(cs::acosh(cs::cosh(C(0.5, 0.25))).real(), 0.5));
  CHECK(are_near(cs::asinh(cs::sinh(C(0.5, 0.25))).imag(), 0.25) &&
        are_near(cs::atanh(cs::tanh(C(0.5, 0.25))).real(), 0.5));
  const C infinite = C(HUGE_VAL, NAN) * C(1, n), large = C(1e300, 1e300) / C(1e300, 1e300);
  CHECK(cs::isinf(infinite.real()) && large == C(1, 0));
  cs::complex<float> f(a);
  f *= 2.0f;
  f -= cs::complex<float>(6, 0);
  CHECK(f == cs::complex<float>(0, -8) && sizeof f == 8 && alignof(cs::complex<double>) == 16);
  return failed;
}

__host__ __device__ void check_all(int n, int* failed) {
  failed[0] = failed_pairs_and_tuples(n);
  failed[1] = failed_arrays_and_spans(n);
  failed[2] = failed_optionals(n);
  failed[3] = failed_bits_and_numbers(n);
  failed[4] = failed_algorithms(n);
  failed[5] = failed_complex_numbers(n);
}
__global__ void check(int n, int* failed) { check_all(n, failed); }

int main() {
  int* failed;
  EXPECT(cudaMallocManaged(&failed, 16 * sizeof(int)) == cudaSuccess);
  check<<<1, 1>>>(3, failed);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  check_all(3, failed + 6);
  for (int i = 0; i < 12; ++i)
    if (failed[i] != 0) {
      std::printf("line %d, %s\n", failed[i], i < 6 ? "in a kernel" : "on the host");
      ++failures;
    }
  std::vector<int> numbers{1, 2, 3};
  EXPECT(cs::span<const int>(numbers).size() == 3);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
