// What CUDA's device linker makes of the device code of several sources, with what the system provides in PTX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfork::cuda {

/// One text of these (ptx::link) and of what they need of archives, with the barrier of a cooperative launch's blocks
/// where one names it: cudaCGGetIntrinsicHandle and cudaCGSynchronize, and the calls of the system by which
/// libcudadevrt has these. Throws Error as ptx::link does.
std::string link_device_code(std::vector<std::string> units, std::string_view name,
                             const std::vector<std::string>& archived = {});

}  // namespace warpfork::cuda
