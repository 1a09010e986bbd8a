// From the operands of an instruction to the fields of its flat record, one function for each way that operations.def
// names (PTX ISA, "Instruction Set").
#pragma once

#include "simt/decode_context.h"

/// Each fills operands, modes and handler of `decoded`, and its kind where that is no plain operation. Throws Error for
/// whatever is not supported.
namespace warpfork::simt::decode_operands {

#define WAY(name) void name(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded)
WAY(arithmetic);
WAY(lop3);
WAY(scalar_video);
WAY(multiply_video);
WAY(simd_video);
WAY(compare);
WAY(mov);
WAY(convert);
WAY(cvta);
WAY(isspacep);
WAY(load);
WAY(store);
WAY(atomic);
WAY(texture);
WAY(surface);
WAY(vote);
WAY(collective);
WAY(matrix_product);
WAY(load_matrix);
WAY(store_matrix);
WAY(move_matrix);
WAY(branch);
WAY(barrier);
WAY(exit);
WAY(fence);
WAY(call);
WAY(trap);
WAY(nothing);
#undef WAY

}  // namespace warpfork::simt::decode_operands
