// What each PTX instruction does to one thread (PTX ISA, "Instruction Set"), a function for each of its chapters.
#pragma once

#include <vector>

#include "reference/thread.h"

namespace warpfork::reference {

/// Executes the thread's current instruction, its guard being true, and moves on. A thread that must wait for others
/// (barrier, warp-wide instruction) only changes its state. Throws Error on what is not supported.
void execute(Thread& thread);

/// Executes the warp-wide instruction that these threads of one warp (ascending lanes) have all reached.
void execute_collective(const std::vector<Thread*>& threads);

/// mma, wmma, ldmatrix, stmatrix, movmatrix: all threads of a warp execute them together.
bool is_of_matrices(ptx::Opcode opcode);
void execute_matrix(const std::vector<Thread*>& threads);

void execute_integer(Thread& thread);           // "Integer Arithmetic", with the extended-precision ones
void execute_video(Thread& thread);             // "Video Instructions"
void execute_bits(Thread& thread);              // "Logic and Shift", and the bit-field instructions
void execute_floating(Thread& thread);          // "Floating Point", "Half Precision Floating Point"
void execute_special_function(Thread& thread);  // rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh
void execute_comparison(Thread& thread);        // "Comparison and Selection", testp
void execute_conversion(Thread& thread);        // cvt
void execute_memory(Thread& thread);            // ld, st, atom, red, cvta, isspacep
void execute_image(Thread& thread);             // tex, tld4, suld, sust
}  // namespace warpfork::reference
