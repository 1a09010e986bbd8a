// What a timeline says of each instruction of a kernel.
#pragma once

#include <string>
#include <vector>

#include "simt/program.h"

namespace warpfork::trace {

class CodeText {
 public:
  explicit CodeText(const simt::Program& program);

  /// "add.u32"
  const std::string& operation(Pc pc) const { return instructions_[pc].operation; }
  /// "pc":3,"place":"PTX line 9, bfs.cu:4","instruction":"add.u32 %r1, %r2, 1;"
  const std::string& arguments(Pc pc) const { return instructions_[pc].arguments; }

 private:
  struct Instruction {
    std::string operation, arguments;
  };
  std::vector<Instruction> instructions_;  // by pc
};

}  // namespace warpfork::trace
