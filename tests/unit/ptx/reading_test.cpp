// What every parser of the room stands on: places in the text, tokens one by one, dotted words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/cursor.h"
#include "ptx/dotted_words.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace reading_test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string message_at(const std::string& text, Position at, const std::string& remedy = "") {
  try {
    Source(text, "t.ptx").fail(at, "wrong", remedy);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Source, shows_the_line_without_its_indentation_and_a_caret_under_the_place) {
  EXPECT_EQ(message_at("first\n\t  second line\nthird", {2, 11, 16}),
            "t.ptx:2:11: error: wrong\n    second line\n           ^");
}

TEST(Source, shows_the_remedy_behind_the_line) {
  EXPECT_EQ(message_at("a b", {1, 3, 2}, "do this"), "t.ptx:1:3: error: wrong\n    a b\n      ^\n  do this");
}

TEST(Source, a_place_at_the_end_of_the_text_is_behind_its_last_character) {
  EXPECT_EQ(message_at("ab", {1, 3, 2}), "t.ptx:1:3: error: wrong\n    ab\n      ^");
  EXPECT_EQ(message_at("", {1, 1, 0}), "t.ptx:1:1: error: wrong\n    \n    ^");
}

TEST(Source, bytes_that_cannot_be_printed_are_blanks) {
  EXPECT_THAT(message_at("a\x01\x7f z", {1, 5, 4}), HasSubstr("    a   z\n        ^"));
}

TEST(Cursor, takes_what_is_there_and_leaves_what_is_not) {
  const Source source(", .reg x \"s\"", "t.ptx");
  Cursor cursor(source);
  EXPECT_FALSE(cursor.accept(";"));
  EXPECT_TRUE(cursor.accept(","));
  EXPECT_FALSE(cursor.accept_dotted("param"));
  EXPECT_TRUE(cursor.accept_dotted("reg"));
  EXPECT_EQ(cursor.expect_identifier("a name").text, "x");
  EXPECT_EQ(cursor.expect_string("a text").text, "s");
  EXPECT_EQ(cursor.take().kind, TokenKind::End);
}

TEST(Cursor, a_copy_reads_ahead_without_moving_the_original) {
  const Source source("a b", "t.ptx");
  Cursor cursor(source), ahead = cursor;
  ahead.take();
  EXPECT_EQ(ahead.peek().text, "b");
  EXPECT_EQ(cursor.peek().text, "a");
}

TEST(Cursor, says_what_it_expected_and_what_it_found) {
  const auto expecting = [](const char* text) -> std::string {
    const Source source(text, "t.ptx");
    Cursor cursor(source);
    try {
      cursor.expect("(");
    } catch (const Error& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(expecting("("), "taken");
  EXPECT_THAT(expecting("x"), HasSubstr("expected '(', found 'x'"));
  EXPECT_THAT(expecting(".reg"), HasSubstr("expected '(', found '.reg'"));
  EXPECT_THAT(expecting(" // nothing"), HasSubstr("expected '(', found the end of the text"));
}

TEST(Cursor, skips_braces_with_whatever_is_in_them) {
  const Source source("{ $ ` \n ? } x", "t.ptx");
  Cursor cursor(source);
  cursor.skip_braces();
  EXPECT_EQ(cursor.peek().text, "x");
  EXPECT_EQ(cursor.peek().position.line, 2u);
}

/// An instruction with these dotted words alone.
Instruction with_words(const std::string& words) {
  const Source source(words, "t.ptx");
  Cursor cursor(source);
  Instruction instruction;
  while (cursor.peek().kind == TokenKind::Dotted) {
    const Token word = cursor.take();
    add_dotted_word(instruction, word, cursor);
  }
  return instruction;
}

TEST(DottedWords, the_first_space_is_the_instructions_and_a_second_one_a_modifier) {
  EXPECT_EQ(with_words(".global").space, StateSpace::Global);
  EXPECT_THAT(with_words(".global").modifiers, IsEmpty());
  EXPECT_EQ(with_words(".shared.global").space, StateSpace::Shared);
  EXPECT_THAT(with_words(".shared.global").modifiers, ElementsAre(Modifier::Global));
}

TEST(DottedWords, the_half_of_a_space_is_kept_beside_it) {
  for (const auto& [word, space, modifier] : {std::tuple{".shared::cta", StateSpace::Shared, Modifier::SharedCta},
                                              {".shared::cluster", StateSpace::Shared, Modifier::SharedCluster},
                                              {".param::entry", StateSpace::Param, Modifier::ParamEntry},
                                              {".param::func", StateSpace::Param, Modifier::ParamFunc}}) {
    EXPECT_EQ(with_words(word).space, space) << word;
    EXPECT_THAT(with_words(word).modifiers, ElementsAre(modifier)) << word;
  }
}

TEST(DottedWords, vectors_have_two_four_or_eight_elements) {
  EXPECT_EQ(with_words(".v2").vector_width, 2);
  EXPECT_EQ(with_words(".v8").vector_width, 8);
  EXPECT_EQ(vector_width_from("v4"), 4u);
  for (const char* word : {"v", "v1", "v3", "v16", "x2", "V2"}) EXPECT_FALSE(vector_width_from(word)) << word;
}

TEST(DottedWords, types_and_modifiers_keep_the_order_that_they_stand_in) {
  const Instruction instruction = with_words(".rn.ftz.f32.s32.sat");
  EXPECT_THAT(instruction.types, ElementsAre(ScalarType::F32, ScalarType::S32));
  EXPECT_THAT(instruction.modifiers, ElementsAre(Modifier::Rn, Modifier::Ftz, Modifier::Sat));
}

TEST(DottedWords, an_unknown_one_is_told_with_the_nearest) {
  for (const auto& [word, near] : {std::pair{".f33", ".f32"}, {".gloabl", ".global"}, {".v3", ".v2"}, {".rmm", ".rm"}})
    try {
      with_words(word);
      ADD_FAILURE() << word;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(std::string("unknown word '") + word), HasSubstr(near)));
    }
}

}  // namespace reading_test
}  // namespace warpfork::ptx
