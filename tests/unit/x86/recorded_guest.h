// The programs of the folder `guests`, recorded while the test runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "x86/instruction_stream.h"
#include "x86/marked_functions.h"
#include "x86/recording.h"

namespace warpfork::x86 {

/// Path of a guest's executable.
std::string guest_path(const std::string& guest);

/// Runs the guest under the recorder. Returns the path of the recording; a test that fails to make one fails.
std::string record_guest(const std::string& guest, const std::string& arguments = "",
                         const RecorderRequest& request = {});

/// The whole thread; the last one has no instruction, but the events behind all others.
std::vector<DynamicInstruction> all_of(InstructionStream& stream);
std::vector<std::uint64_t> pcs_of(InstructionStream& stream);

}  // namespace warpfork::x86
