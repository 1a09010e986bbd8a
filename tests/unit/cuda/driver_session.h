// The driver API within this process, over the functional sink, with a context: what a program calls that loads PTX.
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {

/// Has a context of its own, and can load a text with kernel `store(unsigned* to, unsigned value)`, of 256 threads a
/// block at most, and the variable `table` of two words, 7 and 8.
class DriverTest : public ApiTest {
 protected:
  DriverTest();
  ~DriverTest() override;

  static const char* const kText;
  static const char* const kBroken;  // an instruction that there is none of

  CUmodule load(const char* text = kText);
  CUfunction store() { return function(load(), "store"); }
  static CUfunction function(CUmodule module, const char* name);
  /// One thread.
  static CUresult launch_one(CUfunction function, void** arguments, void** extra = nullptr);
  static unsigned word_at(CUdeviceptr address);

  CUcontext context_ = nullptr;
};

}  // namespace warpfork::cuda
