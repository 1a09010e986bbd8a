#include "analysis/uniformity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ptx/parser.h"

namespace warpfork::analysis {
namespace uniformity_test {

using Kind = VectorCause::Kind;

/// A kernel around a few instructions, with what is known of it: %tid.x is in %r0, the parameter (one for all) in %r1,
/// and %p0 says of each thread whether its number is odd. The body's first instruction is number kFirst.
class Body {
 public:
  static constexpr Pc kFirst = 4;

  explicit Body(const std::string& body, UniformityOptions options = {})
      : module_(ptx::parse(R"(.version 6.0
.target sm_70
.address_size 64
.visible .entry kernel(.param .u32 given)
{
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  .reg .b64 %d<4>;
  .local .b32 own;
  .shared .b32 common;
  mov.u32 %r0, %tid.x;
  ld.param.u32 %r1, [given];
  and.b32 %r2, %r0, 1;
  setp.ne.u32 %p0, %r2, 0;
)" + body + "\n}\n",
                           "kernel.ptx")),
        graph_(function()),
        liveness_(function(), graph_),
        of_(function(), graph_, liveness_, options) {}

  const ptx::Function& function() const { return module_.functions[0]; }
  bool is_scalar(Pc behind_first) const { return of_.is_scalar_instruction(kFirst + behind_first); }
  const VectorCause& cause(const std::string& name) const {
    for (ptx::RegisterId id = 0; id < function().registers.size(); ++id)
      if (function().registers[id].name == name) return of_.of_register(id);
    ADD_FAILURE() << name;
    return of_.of_register(0);
  }
  bool is_scalar(const std::string& name) const { return cause(name).kind == Kind::None; }
  const Uniformity& of() const { return of_; }

 private:
  ptx::Module module_;
  ControlFlowGraph graph_;
  Liveness liveness_;
  Uniformity of_;
};

constexpr UniformityOptions kAtOnce{.rule = ScalarRule::DivergentAtOnce}, kTogether{.rule = ScalarRule::ConvergentOnly};

TEST(Uniformity, what_follows_from_parameters_and_constants_is_scalar_and_from_thread_indices_is_not) {
  const Body code("add.u32 %r3, %r1, 4; add.u32 %r4, %r0, 4; ret;");
  EXPECT_TRUE(code.is_scalar("%r1"));
  EXPECT_TRUE(code.is_scalar("%r3"));
  EXPECT_FALSE(code.is_scalar("%r4"));
  EXPECT_TRUE(code.is_scalar(0));
  EXPECT_FALSE(code.is_scalar(1));
  EXPECT_EQ(code.cause("%r4").kind, Kind::Written);
  EXPECT_EQ(code.of().of(Body::kFirst + 1).kind, Kind::Operand);
}

TEST(Uniformity, masks_of_lanes_are_a_thread_s_own) {
  for (const char* name : {"eq", "le", "lt", "ge", "gt"})
    EXPECT_FALSE(Body(fmt::format("mov.u32 %r3, %lanemask_{}; ret;", name)).is_scalar("%r3")) << name;
}

TEST(Uniformity, block_and_grid_registers_are_scalar_and_lane_registers_are_not) {
  const Body code(
      "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %laneid; mov.u32 %r6, %lanemask_lt;"
      "mov.u32 %r7, %warpid; ret;");
  EXPECT_TRUE(code.is_scalar("%r3") && code.is_scalar("%r4") && code.is_scalar("%r7"));
  EXPECT_FALSE(code.is_scalar("%r5") || code.is_scalar("%r6"));
  EXPECT_EQ(code.of().of(Body::kFirst + 2).source, DivergenceSource::ThreadIndex);
}

TEST(Uniformity, rows_that_fill_warps_make_the_thread_s_y_and_z_scalar_but_not_its_x) {
  const std::string text = "mov.u32 %r3, %tid.y; mov.u32 %r4, %tid.z; ret;";
  EXPECT_FALSE(Body(text).is_scalar("%r3"));
  const Body filled(text, {.rows_fill_warps = true});
  EXPECT_TRUE(filled.is_scalar("%r3") && filled.is_scalar("%r4"));
  EXPECT_FALSE(filled.is_scalar("%r0"));
}

TEST(Uniformity, load_at_one_address_is_scalar_but_from_local_memory_and_at_several_it_is_not) {
  const Body code(
      "ld.shared.u32 %r3, [common]; ld.shared.u32 %r4, [%r1]; ld.shared.u32 %r5, [%r0]; ld.local.u32 %r6, [own]; ret;");
  EXPECT_TRUE(code.is_scalar("%r3") && code.is_scalar("%r4"));
  EXPECT_FALSE(code.is_scalar("%r5") || code.is_scalar("%r6"));
}

TEST(Uniformity, store_of_one_value_is_scalar_but_in_local_memory_each_thread_has_its_own) {
  const Body code("st.shared.u32 [common], %r1; st.local.u32 [own], %r1; st.shared.u32 [common], %r0; ret;");
  EXPECT_TRUE(code.is_scalar(0));
  EXPECT_FALSE(code.is_scalar(1));
  EXPECT_FALSE(code.is_scalar(2));
}

TEST(Uniformity, generic_access_is_a_thread_s_own_only_where_local_addresses_are_made_generic) {
  EXPECT_TRUE(Body("mov.u64 %d0, 4096; ld.u32 %r3, [%d0]; ret;").is_scalar("%r3"));
  const Body code("mov.u64 %d0, own; cvta.local.u64 %d1, %d0; ld.u32 %r3, [%d1]; ret;");
  EXPECT_TRUE(code.is_scalar("%d1")) << "the address is the same for all, the memory is not";
  EXPECT_FALSE(code.is_scalar("%r3"));
  EXPECT_EQ(code.of().of(Body::kFirst + 2).source, DivergenceSource::LocalMemory);
}

TEST(Uniformity, every_thread_takes_part_in_an_atomic) {
  const Body code("atom.shared.add.u32 %r3, [common], 1; red.shared.add.u32 [common], %r1; ret;");
  EXPECT_FALSE(code.is_scalar("%r3"));
  EXPECT_FALSE(code.is_scalar(1)) << "executed once it would add once";
}

TEST(Uniformity, vote_is_taken_of_all_threads_and_has_one_result_unless_their_member_masks_differ) {
  const Body code(
      "vote.sync.any.pred %p1, %p0, %r1; vote.sync.ballot.b32 %r3, %p0, -1; vote.sync.all.pred %p2, %p0, %r0; ret;");
  EXPECT_FALSE(code.is_scalar(0)) << "it reads each thread's own predicate";
  EXPECT_TRUE(code.is_scalar("%p1") && code.is_scalar("%r3"));
  EXPECT_FALSE(code.is_scalar("%p2"));
}

TEST(Uniformity, shuffle_and_reduction_at_a_barrier_are_no_scalars) {
  const Body code("shfl.sync.idx.b32 %r3, %r1, 0, 31, -1; bar.red.popc.u32 %r4, 0, %p0; bar.sync 0; ret;");
  EXPECT_FALSE(code.is_scalar("%r3") || code.is_scalar("%r4"));
  EXPECT_TRUE(code.is_scalar(2));
}

TEST(Uniformity, lanes_have_parts_of_their_own_of_a_matrix) {
  const Body code(
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r3, %r4}, {%r1}, {%r1}, {%r1, %r1}; "
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r5, [%r1]; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], %r1; "
      "movmatrix.sync.aligned.m8n8.trans.b16 %r6, %r1; ret;");
  for (unsigned pc = 0; pc < 4; ++pc) EXPECT_FALSE(code.is_scalar(pc)) << pc;
}

TEST(Uniformity, carry_is_a_thread_s_own) {
  const Body code("add.cc.u32 %r3, %r1, 1; addc.u32 %r4, %r1, 0; ret;");
  EXPECT_FALSE(code.is_scalar(0) || code.is_scalar(1));
}

TEST(Uniformity, write_under_a_thread_s_own_guard_is_vector_and_under_one_for_all_scalar) {
  const Body code("setp.gt.u32 %p1, %r1, 3; @%p0 mov.u32 %r3, 1; @%p1 mov.u32 %r4, 1; ret;");
  EXPECT_FALSE(code.is_scalar("%r3"));
  EXPECT_TRUE(code.is_scalar("%r4"));
  EXPECT_FALSE(code.is_scalar(1));
}

TEST(Uniformity, instruction_that_writes_a_register_of_each_thread_is_not_executed_once) {
  const Body code("@%p0 mov.u32 %r3, 1; mov.u32 %r3, 2; ret;");
  EXPECT_FALSE(code.is_scalar(1));
  EXPECT_EQ(code.of().of(Body::kFirst + 1).kind, Kind::Result);
}

/// STSIMT section 4.2: scalar also where threads have parted, "as long as the register goes dead before the
/// reconvergence point".
const std::string kSide = R"(
  @%p0 bra MEET;
  add.u32 %r3, %r1, 4;
  st.shared.u32 [common], %r3;
MEET:
)";

TEST(Uniformity, value_of_one_side_that_is_dead_where_threads_meet_is_scalar) {
  const Body code(kSide + "ret;");
  EXPECT_TRUE(code.is_scalar("%r3"));
  EXPECT_TRUE(code.is_scalar(1) && code.is_scalar(2));
}

TEST(Uniformity, value_of_one_side_that_is_alive_where_threads_meet_is_vector) {
  const Body code(kSide + "st.shared.u32 [common], %r3; ret;");
  const VectorCause cause = code.cause("%r3");
  EXPECT_EQ(cause.kind, Kind::AliveWhereTheyMeet);
  EXPECT_EQ(cause.pc, Body::kFirst + 1);
  EXPECT_EQ(cause.branch, Body::kFirst);
}

TEST(Uniformity, at_a_branch_that_all_threads_take_alike_nothing_parts) {
  const Body code("setp.gt.u32 %p1, %r1, 3; @%p1 bra MEET; mov.u32 %r3, 1; MEET: st.shared.u32 [common], %r3; ret;");
  EXPECT_TRUE(code.is_scalar("%r3"));
  EXPECT_TRUE(code.is_scalar(1));
}

TEST(Uniformity, only_where_threads_are_together_the_restricted_rule_lets_anything_be_scalar) {
  const Body code(kSide + "add.u32 %r4, %r1, 5; ret;", kTogether);
  EXPECT_FALSE(code.is_scalar("%r3"));
  EXPECT_EQ(code.of().of(Body::kFirst + 1).kind, Kind::NotTogether);
  EXPECT_FALSE(code.is_scalar(2));
  EXPECT_TRUE(code.is_scalar(3)) << "behind the place where they meet";
}

TEST(Uniformity, behind_an_exit_of_some_threads_the_restricted_rule_finds_no_scalars) {
  const std::string text = "@%p0 exit; add.u32 %r3, %r1, 4; st.shared.u32 [common], %r3; ret;";
  EXPECT_TRUE(Body(text).is_scalar(1));
  EXPECT_FALSE(Body(text, kTogether).is_scalar(1));
}

/// The value that the side behind the branch writes is another one than the other side reads, which may run later.
TEST(Uniformity, register_that_a_side_overwrites_while_the_other_needs_it_is_vector) {
  const Body code(R"(
      mov.u32 %r3, 7;
      @%p0 bra SECOND;
      mov.u32 %r3, 8;
      st.shared.u32 [common], %r3;
      bra MEET;
    SECOND:
      st.shared.u32 [common], %r3;
    MEET:
      ret;)");
  EXPECT_EQ(code.cause("%r3").kind, Kind::AliveOnTheOtherSide);
}

const std::string kBothSides = R"(
  @%p0 bra SECOND;
  mov.u32 %r3, 8;
  st.shared.u32 [common], %r3;
  mov.u32 %r4, 8;
  bra MEET;
SECOND:
  mov.u32 %r3, 9;
  st.shared.u32 [common], %r3;
MEET:
  ret;)";

TEST(Uniformity, register_that_both_sides_use_for_themselves_is_scalar_if_they_take_turns) {
  const Body in_turn(kBothSides), at_once(kBothSides, kAtOnce);
  EXPECT_TRUE(in_turn.is_scalar("%r3"));
  EXPECT_EQ(at_once.cause("%r3").kind, Kind::UsedOnTheOtherSide);
  EXPECT_TRUE(at_once.is_scalar("%r4")) << "of one side alone";
}

TEST(Uniformity, register_that_the_other_side_only_writes_is_vector_where_both_run_at_once) {
  const std::string text = R"(
  @%p0 bra ODD;
  add.u32 %r3, %r1, 1;
  st.global.u32 [64], %r3;
  bra JOIN;
ODD:
  add.u32 %r3, %r1, 2;
JOIN:
  ret;
)";
  EXPECT_TRUE(Body(text).is_scalar("%r3"));
  EXPECT_FALSE(Body(text, kAtOnce).is_scalar("%r3"));
}

// Nobody reads it, but it would hold two versions at a time, which the check at run time does not forgive.
TEST(Uniformity, register_that_both_sides_only_write_is_vector_where_both_run_at_once) {
  const std::string text = "@%p0 bra ODD; add.u32 %r3, %r1, 1; bra JOIN; ODD: add.u32 %r3, %r1, 2; JOIN: ret;";
  EXPECT_TRUE(Body(text).is_scalar("%r3"));
  EXPECT_EQ(Body(text, kAtOnce).cause("%r3").kind, Kind::UsedOnTheOtherSide);
}

const std::string kLoop = R"(
  mov.u32 %r3, 0;
LOOP:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, %r0;
  @%p1 bra LOOP;
)";

TEST(Uniformity, counter_of_a_loop_that_threads_leave_at_different_times_is_scalar_until_it_is_read_behind) {
  EXPECT_TRUE(Body(kLoop + "ret;").is_scalar("%r3"));
  const Body read(kLoop + "st.shared.u32 [common], %r3; ret;");
  EXPECT_EQ(read.cause("%r3").kind, Kind::AliveWhereTheyMeet) << "each thread has its own last count";
}

TEST(Uniformity, code_of_those_who_leave_a_loop_runs_beside_the_loop_if_sides_run_at_once) {
  const std::string text = R"(
    mov.u32 %r3, 0;
  LOOP:
    add.u32 %r3, %r3, 1;
    setp.eq.u32 %p1, %r3, %r0;
    @%p1 bra FOUND;
    setp.lt.u32 %p2, %r3, 100;
    @%p2 bra LOOP;
    bra END;
  FOUND:
    mov.u32 %r4, 5;
    st.shared.u32 [common], %r4;
  END:
    ret;)";
  EXPECT_TRUE(Body(text).is_scalar("%r4"));
  EXPECT_FALSE(Body(text, kAtOnce).is_scalar("%r4")) << "threads of two turns may be there at different places";
  EXPECT_TRUE(Body(text, kAtOnce).is_scalar("%r3"));
}

TEST(Uniformity, indirect_branch_by_a_thread_s_own_index_parts_threads) {
  const Body code(R"(
      TABLE: .branchtargets ONE, TWO;
      brx.idx %r2, TABLE;
    ONE:
      mov.u32 %r3, 1;
    TWO:
      st.shared.u32 [common], %r3;
      ret;)");
  EXPECT_EQ(code.cause("%r3").kind, Kind::AliveWhereTheyMeet);
}

TEST(Uniformity, shares_are_counted_over_the_instructions_of_the_text) {
  const Body code("add.u32 %r3, %r1, 4; add.u32 %r4, %r0, 4; ret;");
  EXPECT_EQ(code.of().scalar_instructions(), 3u) << "ld.param, add, ret of seven";
}

}  // namespace uniformity_test
}  // namespace warpfork::analysis
