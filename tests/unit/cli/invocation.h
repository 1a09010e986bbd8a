// The commands as main calls them, within this process: what they print, their exit status, what they refuse.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "unit/test_folder.h"

namespace warpfork::cli {

struct Printed {
  std::string output, errors;
  int status = 0;
};

/// The words of a command line as a shell would part them; quotes mean nothing.
inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Throws UsageError and Error as the command does; what it had printed is then lost.
inline Printed invoke(const std::vector<std::string>& given) {
  CommandLine line("", "warpfork");
  Command root = line.root();
  root.require_command();
  Session session;
  for (auto* add :
       {add_run, add_compare, add_explain, add_step, add_experiment, add_inspect, add_machines, add_mechanisms, add_cc,
        add_cpu, add_record, add_completion, add_manual, add_version, add_sweep, add_why, add_results, add_report})
    add(root, session);
  const std::vector<std::string> words = line.normalised(given);
  if (!words.empty()) session.words.assign(words.begin() + 1, words.end());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const auto captured = [&] {
    Printed printed;
    printed.output = testing::internal::GetCapturedStdout();
    printed.errors = testing::internal::GetCapturedStderr();
    printed.status = session.status;
    return printed;
  };
  try {
    line.run(words);
  } catch (...) {
    captured();
    throw;
  }
  return captured();
}

inline Printed invoke(const std::string& line) { return invoke(words_of(line)); }

/// Path of a file of the test's folder with this text.
inline std::string file_with(const std::string& name, const std::string& text) {
  const std::string path = test_folder() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

/// A kernel `number` that leaves each thread's number plus one in a buffer `out`.
inline std::string number_kernel() {
  return file_with("number.ptx", R"(.version 6.0
.target sm_20
.address_size 64
.visible .entry number(.param .u64 out) {
  .reg .b32 %r<3>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  add.u32 %r2, %r1, 1;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r2;
  ret;
}
)");
}

/// Its launch with four threads; `expected` are the values of the buffer, nothing is expected where it is empty.
inline std::string number_launch(const std::string& expected = "") {
  const std::string expect =
      expected.empty() ? "" : "[[expect]]\nbuffer = \"out\"\ntype = \"u32\"\nvalues = " + expected + "\n";
  return file_with("number.toml",
                   "kernel = \"number\"\ngrid = 1\nblock = 4\n"
                   "[[argument]]\nbuffer = \"out\"\nbytes = 16\nzeros = true\n" +
                       expect);
}

}  // namespace warpfork::cli
