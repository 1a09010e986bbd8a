// What instruction_set.h's handlers are for textures and surfaces: lane by lane, as few programs read many of them.
#pragma once

#include "simt/launch.h"
#include "simt/program.h"

namespace warpfork::simt {

void read_texture(const Instruction& instruction, WarpContext& warp, RowLanes lanes);
void gather_texture(const Instruction& instruction, WarpContext& warp, RowLanes lanes);
/// Registers of 64 bits hold elements of 64 bits, others those of 8 to 32.
void load_surface(const Instruction& instruction, WarpContext& warp, RowLanes lanes);
void load_wide_surface(const Instruction& instruction, WarpContext& warp, RowLanes lanes);
void store_surface(const Instruction& instruction, WarpContext& warp, RowLanes lanes);
void store_wide_surface(const Instruction& instruction, WarpContext& warp, RowLanes lanes);

}  // namespace warpfork::simt
