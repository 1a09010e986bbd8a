#include "config/buffer_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace warpfork::config {

namespace {

double error_of(const ScalarType& type, const ScalarValue& got, const ScalarValue& expected) {
  if (got.bits == expected.bits) return 0;
  if (type.kind == ScalarType::Kind::Float) {
    if (std::isnan(got.real) && std::isnan(expected.real)) return 0;
    if (got.real == expected.real) return 0;  // the two zeros
    const double error = std::fabs(got.real - expected.real) / std::fabs(expected.real);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  }
  if (type.kind == ScalarType::Kind::Signed) return std::fabs(got.real - expected.real);
  return static_cast<double>(std::max(got.bits, expected.bits) - std::min(got.bits, expected.bits));
}

bool agrees(const Expectation& expectation, const ScalarValue& got, const ScalarValue& expected, double error) {
  if (expectation.tolerance > 0) return error <= expectation.tolerance;
  return got.bits == expected.bits || (std::isnan(got.real) && std::isnan(expected.real));
}

}  // namespace

std::string BufferComparison::describe() const {
  if (passed())
    return fmt::format("{}: {} as expected", buffer,
                       elements == 1 ? "its element" : fmt::format("all {} elements", elements));
  return fmt::format("{}: {} of {} elements differ, first [{}]: got {}, expected {}; largest {}error {:.6g}", buffer,
                     differing, elements, first_index, first_got, first_expected, relative ? "relative " : "",
                     largest_error);
}

BufferComparison compare(const Expectation& expectation, std::span<const std::byte> got) {
  const ScalarType& type = expectation.type;
  BufferComparison result;
  result.buffer = expectation.buffer;
  result.relative = type.kind == ScalarType::Kind::Float;
  result.elements = expectation.expected.size() / type.bytes;
  for (std::uint64_t i = 0; i < result.elements; ++i) {
    const std::span<const std::byte> expected_bytes =
        std::span(expectation.expected).subspan(i * type.bytes, type.bytes);
    const std::span<const std::byte> got_bytes = got.subspan(i * type.bytes, type.bytes);
    if (std::ranges::equal(expected_bytes, got_bytes)) continue;
    const ScalarValue have = decode(type, got_bytes);
    const ScalarValue want = decode(type, expected_bytes);
    const double error = error_of(type, have, want);
    result.largest_error = std::max(result.largest_error, error);
    if (agrees(expectation, have, want, error)) continue;
    if (result.differing++ > 0) continue;
    result.first_index = i;
    result.first_got = have.text;
    result.first_expected = want.text;
  }
  return result;
}

}  // namespace warpfork::config
