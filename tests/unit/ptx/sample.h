// What the tests of the PTX room share: tiny modules around a body, and the text of errors.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/error.h"
#include "ptx/parser.h"

namespace warpfork::ptx {

inline const std::string kHead = ".version 7.0\n.target sm_70\n.address_size 64\n";

/// A module with one entry `k` around the body; registers %r %rd %f %d %h %p of every common type are declared.
inline std::string entry_text(const std::string& body) {
  return kHead +
         ".visible .entry k(.param .u64 p) {\n"
         ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %d<8>; .reg .b16 %h<8>; .reg .pred %p<8>;\n" +
         body + "\n}\n";
}

inline Module parse_text(const std::string& text) { return parse(text, "t.ptx"); }

inline Function parse_body(const std::string& body) { return parse_text(entry_text(body)).functions.at(0); }

inline Instruction parse_instruction(const std::string& text) { return parse_body(text).body.at(0); }

inline const Register& register_of(const Function& function, const Operand& operand) {
  return function.registers.at(operand.as<RegisterOperand>()->id);
}

/// The whole text of the error; fails the test if there is none.
inline std::string error_of(const std::string& text) {
  try {
    parse_text(text);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error for:\n" << text;
  return {};
}

inline std::string body_error(const std::string& body) { return error_of(entry_text(body)); }

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace warpfork::ptx
