// Functions of a large kernel that have one body for all their calls: threads come back from it to where they called,
// and meet there as if the body were the call's own.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "config/description.h"
#include "every_mechanism.h"
#include "gpu/code_options.h"

namespace warpfork::gpu {
namespace shared_bodies_test {

constexpr unsigned kThreads = 64, kFiller = 150;  // a body of that many instructions is worth sharing

/// `g` calls `f` so often, and the kernel `g`, that it would have more than 65,536 instructions with copies.
const std::string kFunctions = R"(
.func (.reg .b32 %s) f(.reg .b32 %x)
{
  .reg .pred %q;
  and.b32 %s, %x, 1;
  setp.eq.u32 %q, %s, 0;
  shr.u32 %s, %x, 1;
  @%q bra EVEN;
  mad.lo.u32 %s, %x, 3, 1;
EVEN:
)" + repeated(kFiller, "add.u32 %s, %s, 1;") +
                               R"(
  ret;
}
.func (.reg .b32 %s) g(.reg .b32 %x)
{
  mov.u32 %s, %x;
)" + repeated(32, "call (%s), f, (%s);") +
                               R"(
  ret;
}
)";

/// Never happens, and is why `f` and `g` are shared.
const std::string kMuchMore = R"(
  mov.u32 %r5, %ctaid.x;
  setp.ne.u32 %p4, %r5, 99;
  @%p4 bra END;
)" + repeated(16, "call (%r0), g, (%r0);") +
                              R"(
END:
  st.global.u32 [%mine], %r0;
  ret;)";

/// Round one call; one on either side; a loop of calls that some leave earlier; and a call of one thread that all wait
/// for.
const std::string kBody = R"(
  mov.u32 %r0, %thread;
  setp.ge.u32 %p0, %thread, 8;
  @%p0 bra BEHIND;
  call (%r0), f, (%r0);
BEHIND:
  shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1;
  add.u32 %r0, %r0, %r1;
  and.b32 %r1, %thread, 1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra OTHERS;
  call (%r0), f, (%r0);
  bra BOTH;
OTHERS:
  add.u32 %r0, %r0, 7;
  call (%r0), f, (%r0);
BOTH:
  shfl.sync.bfly.b32 %r1, %r0, 2, 31, -1;
  add.u32 %r0, %r0, %r1;
  and.b32 %r2, %thread, 3;
TURN:
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra LEFT;
  sub.u32 %r2, %r2, 1;
  call (%r0), f, (%r0);
  bra TURN;
LEFT:
  shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;
  add.u32 %r0, %r0, %r1;
  setp.ne.u32 %p3, %thread, 0;
  @%p3 bra WAIT;
  call (%r3), f, (%r0);
  st.global.u32 [%out+1024], %r3;
WAIT:
  bar.sync 0;
  ld.global.u32 %r4, [%out+1024];
  add.u32 %r0, %r0, %r4;)" +
                          kMuchMore;

unsigned f(unsigned x) { return (x % 2 == 0 ? x / 2 : 3 * x + 1) + kFiller; }

void add_partners(std::vector<unsigned>& values, unsigned distance) {
  const std::vector<unsigned> before = values;
  for (unsigned thread = 0; thread < kThreads; ++thread) values[thread] += before[thread ^ distance];
}

std::vector<unsigned> expected() {
  std::vector<unsigned> values;
  for (unsigned thread = 0; thread < kThreads; ++thread) values.push_back(thread < 8 ? f(thread) : thread);
  add_partners(values, 16);
  for (unsigned thread = 0; thread < kThreads; ++thread) values[thread] = f(values[thread] + (thread % 2 == 0 ? 7 : 0));
  add_partners(values, 2);
  for (unsigned thread = 0; thread < kThreads; ++thread)
    for (unsigned turn = 0; turn < thread % 4; ++turn) values[thread] = f(values[thread]);
  add_partners(values, 1);
  const unsigned first = f(values[0]);
  for (unsigned& value : values) value += first;
  return values;
}

std::vector<unsigned> results(const Kernel& kernel) {
  std::vector<unsigned> found = kernel.out();
  found.resize(kThreads);
  return found;
}

/// Threads that have called from two places run the body together where the mechanism brings them together, part at its
/// end, and are all to be there when they name one another, long before all places that call it meet.
const std::string kTwoPlaces = R"(
  mov.u32 %r0, %thread;
  and.b32 %r1, %thread, 1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra OTHERS;
  call (%r0), f, (%r0);
  bra BOTH;
OTHERS:
  call (%r0), f, (%r0);
BOTH:
  shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;
  add.u32 %r0, %r0, %r1;
  call (%r0), f, (%r0);)" + kMuchMore;

std::vector<unsigned> expected_of_two_places() {
  std::vector<unsigned> values;
  for (unsigned thread = 0; thread < kThreads; ++thread) values.push_back(f(thread));
  add_partners(values, 1);
  for (unsigned& value : values) value = f(value);
  return values;
}

/// A function that calls itself as often as its thread's number says and calls `f`, too, before all wait.
const std::string kDeep = kFunctions + R"(
.func (.reg .b32 %s) deep(.reg .b32 %n)
{
  .reg .pred %q;
  .reg .b32 %m;
  call (%s), f, (%n);
  setp.eq.u32 %q, %n, 0;
  @%q bra DONE;
  sub.u32 %m, %n, 1;
  call (%m), deep, (%m);
  call (%m), f, (%m);
  add.u32 %s, %s, %m;
DONE:
  ret;
}
)";
const std::string kCallsDeep = R"(
  and.b32 %r0, %thread, 3;
  call (%r0), deep, (%r0);
  bar.sync 0;
  call (%r0), f, (%r0);)" + kMuchMore;

unsigned deep(unsigned n) { return f(n) + (n == 0 ? 0 : f(deep(n - 1))); }

std::vector<unsigned> expected_of_deep() {
  std::vector<unsigned> values;
  for (unsigned thread = 0; thread < kThreads; ++thread) values.push_back(f(deep(thread % 4)));
  return values;
}

/// Likewise, but it is the first to call `f`, on its way back.
const std::string kFirstOnTheWayBack = kFunctions + R"(
.func (.reg .b32 %s) back(.reg .b32 %n)
{
  .reg .pred %q;
  .reg .b32 %m;
  mov.u32 %s, %n;
  setp.eq.u32 %q, %n, 0;
  @%q bra DONE;
  sub.u32 %m, %n, 1;
  call (%m), back, (%m);
  call (%s), f, (%m);
DONE:
  ret;
}
)";
const std::string kCallsBack = R"(
  and.b32 %r0, %thread, 3;
  call (%r0), back, (%r0);
  shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;
  add.u32 %r0, %r0, %r1;
  bar.sync 0;
  call (%r0), f, (%r0);)" + kMuchMore;

unsigned back(unsigned n) { return n == 0 ? n : f(back(n - 1)); }

std::vector<unsigned> expected_of_back() {
  std::vector<unsigned> values;
  for (unsigned thread = 0; thread < kThreads; ++thread) values.push_back(back(thread % 4));
  add_partners(values, 1);
  for (unsigned& value : values) value = f(value);
  return values;
}

/// Two that call one another, `ping` also before and `pong` between what all wait for.
const std::string kPingPong = kFunctions + R"(
.func (.reg .b32 %s) pong(.reg .b32 %n, .reg .b32 %x);
.func (.reg .b32 %s) ping(.reg .b32 %n, .reg .b32 %x)
{
  .reg .pred %q;
  .reg .b32 %m;
  add.u32 %s, %x, 1;
  setp.eq.u32 %q, %n, 0;
  @%q bra DONE;
  sub.u32 %m, %n, 1;
  call (%s), pong, (%m, %s);
DONE:
  ret;
}
.func (.reg .b32 %s) pong(.reg .b32 %n, .reg .b32 %x)
{
  .reg .pred %q;
  .reg .b32 %m;
  mul.lo.u32 %s, %x, 3;
  setp.eq.u32 %q, %n, 0;
  @%q bra DONE;
  sub.u32 %m, %n, 1;
  call (%s), ping, (%m, %s);
DONE:
  ret;
}
)";
const std::string kCallsPingPong = R"(
  and.b32 %r2, %thread, 1;
  shl.b32 %r2, %r2, 1;
  call (%r0), ping, (%r2, %thread);
  shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;
  add.u32 %r0, %r0, %r1;
  call (%r0), pong, (%r2, %r0);
  shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;
  add.u32 %r0, %r0, %r1;
  bar.sync 0;
  call (%r0), pong, (%r2, %r0);
  shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;
  add.u32 %r0, %r0, %r1;)" + kMuchMore;

std::vector<unsigned> expected_of_ping_pong() {
  std::vector<unsigned> values;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    values.push_back(thread % 2 == 0 ? thread + 1 : 3 * (thread + 1) + 1);
  add_partners(values, 1);
  for (int turn = 0; turn < 2; ++turn) {
    for (unsigned thread = 0; thread < kThreads; ++thread)
      values[thread] = thread % 2 == 0 ? 3 * values[thread] : 3 * (3 * values[thread] + 1);
    add_partners(values, 1);
  }
  return values;
}

class SharedBodies : public UnderEveryMechanism {
 protected:
  void computes(const std::string& body, const std::string& functions, const std::vector<unsigned>& expected) {
    const Kernel kernel(body, {1, 1, 1}, {kThreads, 1, 1}, 512, functions);
    ASSERT_EQ(error(kernel), "");
    EXPECT_EQ(results(kernel), expected);
  }
};

TEST_P(SharedBodies, are_left_to_where_they_were_called) {
  const Kernel kernel(kBody, {1, 1, 1}, {kThreads, 1, 1}, 512, kFunctions);
  ASSERT_LT(kernel.program().code.size(), 8192u);  // else no body is shared
  ASSERT_EQ(error(kernel), "");
  EXPECT_EQ(results(kernel), expected());
}

TEST_P(SharedBodies, are_left_where_others_wait_if_threads_called_from_several_places) {
  computes(kTwoPlaces, kFunctions, expected_of_two_places());
}

TEST_P(SharedBodies, are_called_by_functions_that_call_themselves) { computes(kCallsDeep, kDeep, expected_of_deep()); }

TEST_P(SharedBodies, are_first_called_by_functions_that_call_themselves_before) {
  computes(kCallsBack, kFirstOnTheWayBack, expected_of_back());
}

TEST_P(SharedBodies, call_one_another_and_are_entered_by_each) {
  computes(kCallsPingPong, kPingPong, expected_of_ping_pong());
}

INSTANTIATE_TEST_SUITE_P(Every, SharedBodies, every_mechanism());

/// Parameters: lane organisation, mechanism, rule of scalarization.
class SharedBodiesOnLanes : public ::testing::TestWithParam<std::tuple<const char*, std::string, const char*>> {};

TEST_P(SharedBodiesOnLanes, are_left_to_where_they_were_called) {
  const auto& [lanes, mechanism, rule] = GetParam();
  MachineSpec spec;
  config::bind(spec, "machines/tesla30.toml");
  spec.cores = 1;
  spec.core.lanes.organisation = lanes;
  spec.core.scalarize = rule;
  spec.divergence.mechanism = mechanism;
  const Kernel kernel(kBody, {1, 1, 1}, {kThreads, 1, 1}, 512, kFunctions, code_options(spec));
  LaunchOptions options;
  options.check_scalars = true;
  kernel.run(spec, options);
  EXPECT_EQ(results(kernel), expected());
}

INSTANTIATE_TEST_SUITE_P(Scalars, SharedBodiesOnLanes,
                         ::testing::Combine(::testing::Values("tsimt-plus", "stsimt4", "simt-scalar"),
                                            ::testing::Values("pdom", "dual-path", "multi-path", "multi-path-or",
                                                              "thread-frontier", "convergence-barrier"),
                                            ::testing::Values("divergent", "convergent-only")));

}  // namespace shared_bodies_test
}  // namespace warpfork::gpu
