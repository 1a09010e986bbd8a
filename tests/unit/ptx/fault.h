// A piece of PTX that is wrong, and what the message must say of it: for tables of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace warpfork::ptx {

struct Fault {
  const char* text;
  const char* place;   // "line:column"
  const char* cause;   // part of the first line
  const char* remedy;  // part of the message, "" where the cause says it all
};

inline void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.text; }

/// Holds if the message begins with the place, and has cause and remedy.
inline void expect_fault(const Fault& fault, const std::string& message) {
  EXPECT_THAT(message, testing::StartsWith(std::string("t.ptx:") + fault.place + ": error: ")) << fault.text;
  EXPECT_THAT(message.substr(0, message.find('\n')), testing::HasSubstr(fault.cause)) << fault.text;
  EXPECT_THAT(message, testing::HasSubstr(fault.remedy)) << fault.text;
}

}  // namespace warpfork::ptx
