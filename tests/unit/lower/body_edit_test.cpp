// Edits of a body, made and taken back.
#include "lower/body_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace body_edit_test {

using testing::ElementsAre;

const std::string kBody = "bra L;\nL:\nmov.u32 %r1, 7;\nmov.u32 %r2, 8;\nbra M;\nM:\nst.global.u32 [64], %r2;\nret;";

/// Both moves go, one of them comes back before the store.
BodyEdit edited(ptx::Function& function) {
  BodyEdit edit(function);
  edit.insert_before(4, function.body[2]);
  edit.insert_after(4, function.body[1]);
  edit.remove(1);
  edit.remove(2);
  edit.apply();
  return edit;
}

TEST(BodyEdit, is_made_at_once) {
  ptx::Function function = lowered(kBody);
  edited(function);
  EXPECT_THAT(lines(function), ElementsAre("bra L; -> 1", "bra M; -> 2", "mov.u32 %r2, 8;", "st.global.u32 [64], %r2;",
                                           "mov.u32 %r1, 7;", "ret;"));
}

TEST(BodyEdit, is_taken_back_with_labels_that_stood_before_what_was_removed) {
  ptx::Function function = lowered(kBody);
  BodyEdit edit = edited(function);
  edit.revert();
  EXPECT_EQ(lines(function), lowered_lines(kBody));
}

}  // namespace body_edit_test
}  // namespace warpfork::lower
