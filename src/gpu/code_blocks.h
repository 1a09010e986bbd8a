// A kernel's control-flow graph as results have it.
#pragma once

#include <vector>

#include "report/code_block.h"
#include "simt/program.h"

namespace warpfork::gpu {

/// In the order of the text.
std::vector<report::CodeBlock> code_blocks(const simt::Program& program);

}  // namespace warpfork::gpu
