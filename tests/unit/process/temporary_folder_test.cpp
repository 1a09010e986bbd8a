#include "process/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "base/error.h"

namespace warpfork::process {
namespace temporary_folder_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// TMPDIR while it lives.
class TemporaryPlace {
 public:
  explicit TemporaryPlace(const std::string& folder) {
    if (const char* const before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporaryPlace() {
    if (before_)
      setenv("TMPDIR", before_->c_str(), 1);
    else
      unsetenv("TMPDIR");
  }

 private:
  std::optional<std::string> before_;
};

TEST(TemporaryFolder, says_which_variable_names_no_folder_and_what_to_do) {
  const TemporaryPlace none("/none");
  EXPECT_THAT([] { TemporaryFolder(); }, ThrowsMessage<Error>(AllOf(HasSubstr("TMPDIR=/none: there is no such folder"),
                                                                    HasSubstr("set TMPDIR to a folder"))));
}

TEST(TemporaryFolder, says_what_to_do_where_it_cannot_be_made) {
  const TemporaryPlace unwritable("/proc");
  EXPECT_THAT([] { TemporaryFolder(); },
              ThrowsMessage<Error>(AllOf(HasSubstr("/proc/warpfork-"), HasSubstr("set TMPDIR to a folder"))));
}

}  // namespace temporary_folder_test
}  // namespace warpfork::process
