// Golden files: input and expected text in one file, parted by a line "----"; scripts/update_goldens.sh rewrites them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

namespace warpfork::golden {

/// Expects that `make`, given the input, returns the expected text. With WARPFORK_UPDATE_GOLDENS set the file is
/// rewritten instead. `path` is relative to the root of the sources, where tests run.
inline void check(const std::string& path, const std::function<std::string(const std::string& input)>& make) {
  std::ifstream file(path);
  ASSERT_TRUE(file) << "cannot open " << path << "; tests run in the root of the sources";
  std::ostringstream whole;
  whole << file.rdbuf();
  const std::string text = whole.str(), rule = "----\n";
  const std::size_t at = text.find(rule);
  const std::string input = text.substr(0, at);
  const std::string expected = at == std::string::npos ? "" : text.substr(at + rule.size());
  const std::string made = make(input);
  if (std::getenv("WARPFORK_UPDATE_GOLDENS") != nullptr) {
    std::ofstream(path) << input << rule << made;
  } else {
    EXPECT_EQ(made, expected) << path << ": if this is meant, run scripts/update_goldens.sh and review the diff";
  }
}

}  // namespace warpfork::golden
