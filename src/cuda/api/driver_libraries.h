// Libraries that a program brings and that no CUDA runtime can serve.
#pragma once

namespace warpfork::cuda {

/// Reports as unsupported, for each of NVIDIA's libraries that the process has loaded by now (cuBLAS, cuFFT …), that it
/// calls the GPU's driver by itself: without a word its calls would fail with codes of their own.
void report_driver_libraries();

}  // namespace warpfork::cuda
