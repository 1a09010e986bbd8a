#include "html/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/html/page_data.h"

namespace warpfork::html {
namespace page_test {

using ::testing::HasSubstr;
using ::testing::Not;

Page page_with(std::string json) {
  Page page;
  page.title = "bfs";
  page.data = {{"report", std::move(json)}};
  return page;
}

// https://html.spec.whatwg.org/multipage/syntax.html#attributes-2
TEST(Page, escapes_what_is_special_in_text_and_attributes) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(Page, has_its_title_as_text) {
  Page page = page_with("{}");
  page.title = "</title><b>";
  EXPECT_THAT(assembled(page), HasSubstr("<title>&lt;/title&gt;&lt;b&gt;</title>"));
}

TEST(Page, keeps_data_in_its_element_whatever_it_holds) {
  const std::string json = R"({"ptx":"</script><!-- ½"})";
  EXPECT_EQ(page_data(assembled(page_with(json)), "report"), json);
}

TEST(Page, is_far_smaller_than_data_that_say_the_same_again_and_again) {
  std::string runs = "[";
  for (int i = 0; i < 10000; ++i) runs += R"({"ptx":"ld.param.u64"},)";
  EXPECT_LT(assembled(page_with(runs + "{}]")).size(), assembled(page_with("[]")).size() + runs.size() / 50);
}

TEST(Page, loads_nothing) {
  const std::string text = assembled(page_with("{}"));
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  EXPECT_THAT(text, Not(HasSubstr("src=")));
  EXPECT_THAT(text, Not(HasSubstr("https://")));
}

TEST(Page, has_the_shared_styles_before_its_own) {
  Page page = page_with("{}");
  page.styles = {"h9{}"};
  const std::string text = assembled(page);
  ASSERT_NE(text.find("--series-1"), std::string::npos);
  EXPECT_LT(text.find("--series-1"), text.find("h9{}"));
}

TEST(Page, has_the_shared_script_in_its_head_and_others_behind_the_data) {
  Page page = page_with("[7]");
  page.scripts = {"draw();"};
  const std::string text = assembled(page);
  EXPECT_LT(text.find("pageData"), text.find("</head>"));
  EXPECT_LT(text.find("id=\"report\""), text.find("draw();"));
}

TEST(Page, does_not_take_a_script_that_would_end_early) {
  Page page = page_with("{}");
  page.scripts = {"x = '</SCRIPT>';"};
  EXPECT_THROW(assembled(page), InvariantError);
  page.scripts = {"x = '<!-- ';"};
  EXPECT_THROW(assembled(page), InvariantError);
}

}  // namespace page_test
}  // namespace warpfork::html
