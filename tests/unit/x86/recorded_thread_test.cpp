#include "x86/recorded_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/x86/recorded_guest.h"
#include "unit/x86/recording_builder.h"

namespace warpfork::x86 {
namespace recorded_thread_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Bytes kNop = {0x90}, kRet = {0xc3}, kLoad = {0x48, 0x8b, 0x03}, kRepMovsb = {0xf3, 0xa4},
            kLockAdd = {0xf0, 0x01, 0x03}, kMovabs = {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}, kJumpBack2 = {0xeb, 0xfd};
constexpr std::uint64_t kPc = 0x401000;

std::vector<DynamicInstruction> all_of(const RecordingBuilder& builder, std::uint32_t thread = 0) {
  static std::unique_ptr<Recording> recording;  // owns the instructions
  recording = std::make_unique<Recording>(builder.write());
  return all_of(*recording->open(thread));
}

std::vector<std::uint64_t> pcs(const std::vector<DynamicInstruction>& all) {
  std::vector<std::uint64_t> pcs;
  for (const DynamicInstruction& executed : all)
    if (executed.instruction) pcs.push_back(executed.instruction->pc - kPc);
  return pcs;
}

/// One thread, one frame of these tokens.
struct OneThread : RecordingBuilder {
  OneThread() { thread(); }
};

TEST(RecordedThread, goes_from_block_to_block) {
  OneThread builder;
  const auto first = builder.block(kPc, {kNop, kLoad}), second = builder.block(kPc + 4, {kRet});
  builder.frame(0, {first, access_token(1, false, 3, 0x1000), second, access_token(0, false, 3, 0x2000)});
  const auto all = all_of(builder);
  EXPECT_THAT(pcs(all), ElementsAre(0, 1, 4));
  EXPECT_EQ(all[1].next_pc, kPc + 4);
  EXPECT_THAT(all[1].addresses, ElementsAre(0x1000));
  EXPECT_EQ(all[2].next_pc, 0u);
}

TEST(RecordedThread, addresses_are_told_from_the_last_of_the_same_instruction) {
  OneThread builder;
  const auto block = builder.block(kPc, {kLoad, kLoad, kRet});
  builder.frame(0, {block, access_token(0, false, 3, 0x100), access_token(1, false, 3, 0x900), block,
                    access_token(0, false, 3, -0x10), access_token(1, false, 3, 8)});
  const auto all = all_of(builder);
  EXPECT_THAT(all.at(3).addresses, ElementsAre(0xf0));
  EXPECT_THAT(all.at(4).addresses, ElementsAre(0x908));
}

TEST(RecordedThread, reads_deltas_of_all_lengths) {  // 18 bits hold -131071 to 131071; -131072 says that more follows
  OneThread builder;
  const auto block = builder.block(kPc, {kLoad, kRet});
  const auto far = access_token(0, false, 3, -131072);
  builder.frame(0, {block, access_token(0, false, 3, 131071), block, far, 0x7fffffff, block, far, 0x80000000, 0x10,
                    0xfff00000, block, access_token(0, false, 3, -131071)});
  const auto all = all_of(builder);
  std::uint64_t address = 131071;
  EXPECT_THAT(all.at(0).addresses, ElementsAre(address));
  EXPECT_THAT(all.at(2).addresses, ElementsAre(address += 0x7fffffff));
  EXPECT_THAT(all.at(4).addresses, ElementsAre(address += 0xfff0000000000010));
  EXPECT_THAT(all.at(6).addresses, ElementsAre(address - 131071));
}

TEST(RecordedThread, every_frame_begins_without_memory_of_the_last) {
  OneThread builder;
  const auto block = builder.block(kPc, {kLoad, kRet});
  builder.frame(0, {block, access_token(0, false, 3, 0x100)});
  builder.frame(0, {block, access_token(0, false, 3, 0x200)});
  EXPECT_THAT(all_of(builder).at(2).addresses, ElementsAre(0x200));
}

TEST(RecordedThread, drops_what_a_page_cuts_off) {
  OneThread builder;
  const Bytes cut_off(kMovabs.begin(), kMovabs.begin() + 4);
  const auto before = builder.block(kPc, {kNop, cut_off}), behind = builder.block(kPc + 1, {kMovabs, kNop});
  builder.frame(0, {before, behind});
  EXPECT_THAT(pcs(all_of(builder)), ElementsAre(0, 1, 11));
}

TEST(RecordedThread, a_whole_instruction_at_a_pages_end_stays) {
  OneThread builder;
  const auto before = builder.block(kPc, {kNop, kMovabs}), behind = builder.block(kPc + 11, {kNop});
  builder.frame(0, {before, behind});
  EXPECT_THAT(pcs(all_of(builder)), ElementsAre(0, 1, 11));
}

/// The tokens of an iteration whose source moves on by `step`.
std::vector<std::uint32_t> iteration(std::uint32_t block, std::uint32_t instruction, std::int32_t step) {
  return {block, access_token(instruction, false, 0, step), access_token(instruction, true, 0, 0x100)};
}

TEST(RecordedThread, a_repetition_is_one_instruction) {
  OneThread builder;
  const auto first = builder.block(kPc, {kNop, kRepMovsb}), again = builder.block(kPc + 1, {kRepMovsb}),
             behind = builder.block(kPc + 3, {kNop});
  std::vector<std::uint32_t> tokens = iteration(first, 1, 0x1000);
  for (const std::uint32_t token : iteration(again, 0, 0x1001)) tokens.push_back(token);
  tokens.insert(tokens.end(), {again, behind});  // the last time the count is 0
  builder.frame(0, tokens);
  const auto all = all_of(builder);
  EXPECT_THAT(pcs(all), ElementsAre(0, 1, 3));
  EXPECT_THAT(all[1].addresses, ElementsAre(0x1000, 0x1100, 0x1001, 0x1101));
  EXPECT_EQ(all[1].next_pc, kPc + 3);
}

TEST(RecordedThread, a_repetition_may_happen_not_once) {
  OneThread builder;
  const auto first = builder.block(kPc, {kRepMovsb}), behind = builder.block(kPc + 2, {kNop});
  builder.frame(0, {first, behind});
  EXPECT_THAT(all_of(builder)[0].addresses, IsEmpty());
}

TEST(RecordedThread, a_long_repetition_comes_in_parts) {
  OneThread builder;
  const auto block = builder.block(kPc, {kRepMovsb}), behind = builder.block(kPc + 2, {kNop});
  std::vector<std::uint32_t> tokens;
  for (unsigned count = 0; count < RecordedThread::kMaxIterations + 1; ++count)
    for (const std::uint32_t token : iteration(block, 0, 1)) tokens.push_back(token);
  tokens.push_back(behind);
  builder.frame(0, tokens);
  const auto all = all_of(builder);
  EXPECT_THAT(pcs(all), ElementsAre(0, 0, 2));
  EXPECT_THAT(all[0].addresses, SizeIs(2 * RecordedThread::kMaxIterations));
  EXPECT_EQ(all[0].next_pc, kPc);
  EXPECT_THAT(all[1].addresses, SizeIs(2));
}

TEST(RecordedThread, a_block_ends_where_its_instruction_is_done_anew) {  // the emulator does some atomic ones alone
  OneThread builder;
  const auto whole = builder.block(kPc, {kNop, kLockAdd, kNop}), alone = builder.block(kPc + 1, {kLockAdd}),
             behind = builder.block(kPc + 4, {kNop});
  builder.frame(0, {whole, alone, access_token(0, true, 2, 0x40), behind});
  const auto all = all_of(builder);
  EXPECT_THAT(pcs(all), ElementsAre(0, 1, 4));
  EXPECT_THAT(all[1].addresses, ElementsAre(0x40, 0x40));
}

TEST(RecordedThread, a_jump_back_into_its_own_block_is_no_such_end) {
  OneThread builder;
  const auto whole = builder.block(kPc, {kNop, kNop, kJumpBack2}), rest = builder.block(kPc + 1, {kNop, kJumpBack2});
  builder.frame(0, {whole, rest, rest});
  EXPECT_THAT(pcs(all_of(builder)), ElementsAre(0, 1, 2, 1, 2, 1, 2));
}

TEST(RecordedThread, behind_a_gap_it_goes_on_anywhere) {
  OneThread builder;
  const auto block = builder.block(kPc, {kNop, kNop});
  builder.frame(0, {block, kGapToken, block});
  const auto all = all_of(builder);
  EXPECT_THAT(pcs(all), ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(all[1].next_pc, kPc);
  EXPECT_FALSE(all[0].before_gap);
  EXPECT_TRUE(all[1].before_gap);
  EXPECT_FALSE(all[3].before_gap);
}

TEST(RecordedThread, events_come_before_their_instruction_and_at_the_end) {
  OneThread builder;
  const auto block = builder.block(kPc, {kNop, kNop});
  const std::uint32_t leaves = 1 << 8 | static_cast<std::uint32_t>(SyncKind::Lock);
  builder.frame(0, {kMarkToken, 0, 0, 0, 1, 0, block, kMarkToken, leaves, 0x10, 0x2, 7, 0});
  const auto all = all_of(builder);
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0].events.at(0).kind, SyncKind::ThreadStart);
  EXPECT_THAT(all[1].events, IsEmpty());
  const SyncEvent last = all[2].events.at(0);
  EXPECT_EQ(all[2].instruction, nullptr);
  EXPECT_EQ(last.kind, SyncKind::Lock);
  EXPECT_TRUE(last.leaves);
  EXPECT_EQ(last.object, 0x200000010u);
  EXPECT_EQ(last.sequence, 7u);
}

TEST(RecordedThread, passes_over_what_is_between_the_first_and_the_last_of_a_block) {
  OneThread builder;
  const auto block = builder.block(kPc, {kNop, kLoad, kNop, kLoad});
  builder.frame(0, {block, access_token(1, false, 3, 0x1000), access_token(3, false, 3, 0x2000)});
  const Recording recording(builder.write());
  const auto stream = recording.open(0);
  DynamicInstruction executed;
  EXPECT_EQ(stream->pass_over(), 0u);
  ASSERT_TRUE(stream->next(executed));
  EXPECT_EQ(stream->pass_over(), 2u);
  ASSERT_TRUE(stream->next(executed));
  EXPECT_EQ(executed.instruction->pc, kPc + 5);
  EXPECT_THAT(executed.addresses, ElementsAre(0x2000));
  EXPECT_EQ(stream->pass_over(), 0u);
}

TEST(RecordedThread, reads_its_own_frames_among_others) {
  RecordingBuilder builder;
  builder.thread();
  builder.thread(0);
  builder.thread(1);
  const auto first = builder.block(kPc, {kNop}), second = builder.block(kPc + 8, {kRet});
  builder.frame(1, {second});
  builder.frame(0, {first});
  builder.frame(1, {first});
  EXPECT_THAT(pcs(all_of(builder, 1)), ElementsAre(8, 0));
  EXPECT_THAT(pcs(all_of(builder, 0)), ElementsAre(0));
  EXPECT_THAT(pcs(all_of(builder, 2)), IsEmpty());
}

std::string message_of(const RecordingBuilder& builder) {
  try {
    all_of(builder);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(RecordedThread, refuses_tokens_that_make_no_sense) {
  const std::vector<std::pair<std::vector<std::uint32_t>, const char*>> cases = {
      {{1}, "thread 0, frame 1 of 1: token 1: there is no such block"},
      {{access_token(0, false, 3, 0)}, "token 1: there is no such block"},
      {{0, access_token(1, false, 3, 0)}, "token 2: an access of an instruction that the block does not have"},
      {{kMarkToken, 11, 0, 0, 0, 0}, "token 2: there is no such mark"},
      {{0, kMarkToken, 1, 0, 0}, "token 5: the frame ends too early"},
  };
  for (const auto& [tokens, message] : cases) {
    OneThread builder;
    builder.block(kPc, {kNop});
    builder.frame(0, tokens);
    EXPECT_THAT(message_of(builder), HasSubstr(message));
  }
}

TEST(RecordedThread, refuses_code_that_is_none) {
  OneThread empty, nonsense;
  empty.block(kPc, {});
  EXPECT_THAT(message_of(empty), HasSubstr("its code: has a block without instructions"));
  nonsense.block(kPc, {{0x06}});  // push es, which 64-bit mode does not have
  EXPECT_THAT(message_of(nonsense), HasSubstr("401000"));
}

}  // namespace recorded_thread_test
}  // namespace warpfork::x86
