#include "cuda/runtime/runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/image/fat_binary.h"
#include "cuda/runtime/api_error.h"
#include "cudart/functional_sink.h"
#include "unit/cuda/fat_wrapper.h"

namespace warpfork::cuda {
namespace runtime_test {

constexpr const char* kPtx = R"(.version 6.3
.target sm_70
.address_size 64
.global .align 4 .u32 total = 5;
.visible .entry store(.param .u64 to, .param .u8 small, .param .align 4 .b8 pair[8]) {
  .reg .u32 %r<6>;
  .reg .u64 %rd<4>;
  ld.param.u64 %rd1, [to];
  ld.param.u8 %r1, [small];
  ld.param.u32 %r2, [pair];
  ld.param.u32 %r3, [pair+4];
  add.u32 %r4, %r1, %r2;
  add.u32 %r4, %r4, %r3;
  mov.u32 %r5, %tid.x;
  add.u32 %r4, %r4, %r5;
  mul.wide.u32 %rd2, %r5, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r4;
  ret;
}
)";

/// A runtime with the kernel `store` registered under the address of `host_`.
class RuntimeWithAKernel : public testing::Test {
 protected:
  explicit RuntimeWithAKernel(std::unique_ptr<LaunchSink> sink = std::make_unique<FunctionalSink>(),
                              const DeviceDescription& device = {})
      : runtime_(
            device, "program", std::move(sink), [this](const std::string& text) { printed_ += text; },
            [this](const report::LaunchRecord& record) { record_ = record; }) {}

  void SetUp() override { load(kPtx); }

  void load(const std::string& ptx) {
    image_ = wrap_ptx(ptx, 70);
    wrapper_.image = image_.data();
    CodeImage& image = runtime_.registry().add_image(&wrapper_);
    runtime_.registry().add_kernel(image, &host_, "store");
    runtime_.registry().add_variable(image, &total_, "total");
  }

  cudaError_t launch(Dim3 grid, Dim3 block, std::uint64_t shared = 0) {
    std::uint8_t small = 10;
    std::uint32_t pair[2] = {100, 1000};
    void* arguments[] = {&to_, &small, pair};
    try {
      runtime_.launch(*runtime_.registry().find_kernel(&host_), grid, block, arguments, shared);
    } catch (const ApiError& error) {
      message_ = error.what();
      return error.code();
    }
    return cudaSuccess;
  }

  std::vector<std::byte> image_;
  FatWrapper wrapper_;
  char host_ = 0, total_ = 0;
  std::string printed_;
  Runtime runtime_;
  void* to_ = runtime_.memory().allocate(32 * 4);
  report::LaunchRecord record_;
  std::string message_;
};

TEST_F(RuntimeWithAKernel, launch_packs_arguments_by_the_kernels_parameters) {
  ASSERT_EQ(launch({1, 1, 1}, {32, 1, 1}), cudaSuccess);
  std::uint32_t back[32];
  runtime_.memory().copy(back, to_, sizeof back, cudaMemcpyDeviceToHost);
  EXPECT_EQ(back[0], 1110u);
  EXPECT_EQ(back[31], 1141u);
}

TEST_F(RuntimeWithAKernel, launch_gives_the_sinks_record_and_lets_time_pass) {
  ASSERT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaSuccess);
  EXPECT_EQ(record_.name, "store");
  EXPECT_EQ(record_.cycles, runtime_.timeline().now());
  EXPECT_GT(runtime_.timeline().now(), 0u);
}

TEST_F(RuntimeWithAKernel, compute_capability_is_the_highest_that_the_ptx_is_for) {
  EXPECT_EQ(runtime_.device().compute_capability, 70);
  const std::vector<std::byte> newer = wrap_ptx(kPtx, 90);
  FatWrapper wrapper{.image = newer.data()};
  CodeImage& image = runtime_.registry().add_image(&wrapper);
  EXPECT_EQ(runtime_.device().compute_capability, 90);
  runtime_.registry().remove_image(image);
  EXPECT_EQ(runtime_.device().compute_capability, 70);
}

// What nvcc -rdc=true makes of two source files: machine code, and a list of the fat binaries that it was linked from.
TEST_F(RuntimeWithAKernel, code_of_several_source_files_is_linked) {
  const std::string head = ".version 6.3\n.target sm_70\n.address_size 64\n";
  const auto caller = wrap_ptx(head + ".extern .func f;\n.visible .entry store() { call f; ret; }\n", 70);
  const auto called = wrap_ptx(head + ".visible .func f { ret; }\n", 80);
  const void* const linked[] = {caller.data(), called.data(), nullptr};
  wrapper_ = {.version = 2, .image = image_.data(), .other = linked};
  CodeImage& image = runtime_.registry().add_image(&wrapper_);
  runtime_.registry().add_kernel(image, &host_, "store");
  EXPECT_EQ(launch({1, 1, 1}, {32, 1, 1}), cudaSuccess) << message_;
  EXPECT_EQ(runtime_.device().compute_capability, 80);
}

TEST(Runtime, compute_capability_of_the_description_goes_before_the_programs) {
  DeviceDescription device;
  device.compute_capability = 35;
  EXPECT_EQ(Runtime(device, "program", std::make_unique<FunctionalSink>(), {}, {}).device().compute_capability, 35);
  device.compute_capability = 0;  // open, and no PTX: Fermi's
  EXPECT_EQ(Runtime(device, "program", std::make_unique<FunctionalSink>(), {}, {}).device().compute_capability, 20);
}

TEST_F(RuntimeWithAKernel, variable_is_reached_by_its_host_address) {
  std::uint32_t value = 0;
  const auto symbol = runtime_.registry().symbol(&total_);
  EXPECT_EQ(symbol.bytes, 4u);
  runtime_.memory().copy(&value, reinterpret_cast<void*>(symbol.address), 4, cudaMemcpyDeviceToHost);
  EXPECT_EQ(value, 5u);
  EXPECT_THROW(runtime_.registry().symbol(&host_), ApiError);
}

TEST_F(RuntimeWithAKernel, impossible_launch_is_refused_and_the_device_kept) {
  EXPECT_EQ(launch({0, 1, 1}, {1, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch({1, 1, 1}, {1025, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(message_, "launch of 'store' with 1025 threads per block (1025x1x1): the machine allows 1024");
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}, 48 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(message_,
            "launch of 'store' with 49153 bytes of dynamic shared memory: the machine allows 49152; one that has more: "
            "--set core.shared.bytes=N");
  EXPECT_EQ(runtime_.lost(), cudaSuccess);
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}, 48 * 1024), cudaSuccess);
}

class RuntimeOfASmallCore : public RuntimeWithAKernel {
 protected:
  RuntimeOfASmallCore() : RuntimeWithAKernel(std::make_unique<FunctionalSink>(), small()) {}

  static DeviceDescription small() {
    DeviceDescription device;
    device.max_threads_per_block = 64;
    return device;
  }
};

TEST_F(RuntimeOfASmallCore, names_the_keys_that_give_it_more_threads) {
  EXPECT_EQ(launch({1, 1, 1}, {65, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(
      message_,
      "launch of 'store' with 65 threads per block (65x1x1): the machine allows 64; a core that has room for more: "
      "--set core.threads=N, core.warps=N");
}

TEST_F(RuntimeWithAKernel, access_out_of_bounds_loses_the_device) {
  to_ = nullptr;
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaErrorIllegalAddress);
  EXPECT_THAT(message_, testing::HasSubstr("program.0.ptx"));
  EXPECT_EQ(runtime_.lost(), cudaErrorIllegalAddress);
}

TEST_F(RuntimeWithAKernel, misaligned_access_loses_the_device) {
  to_ = static_cast<std::byte*>(to_) + 2;
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaErrorMisalignedAddress);
  EXPECT_EQ(runtime_.lost(), cudaErrorMisalignedAddress);
}

TEST_F(RuntimeWithAKernel, any_other_failure_is_unspecified) {
  std::string traps = kPtx;
  traps.replace(traps.find("ret;"), 4, "trap;");
  load(traps);
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaErrorLaunchFailure);
  EXPECT_EQ(runtime_.lost(), cudaErrorLaunchFailure);
}

/// Has room for no block, for lack of something.
class FullSink final : public LaunchSink {
 public:
  explicit FullSink(std::vector<std::string> limited_by) : limited_by_(std::move(limited_by)) {}
  LaunchOutcome run(const simt::Launch&) override { return {}; }
  Residency residency(const simt::Program&, unsigned, std::uint32_t) const override { return {0, limited_by_}; }
  void copied_from_host(std::uint64_t, std::uint64_t) override {}

 private:
  std::vector<std::string> limited_by_;
};

class RuntimeOfFewRegisters : public RuntimeWithAKernel {
 protected:
  RuntimeOfFewRegisters() : RuntimeWithAKernel(std::make_unique<FullSink>(std::vector<std::string>{"registers"})) {}
};

TEST_F(RuntimeOfFewRegisters, says_that_there_may_be_more) {
  EXPECT_EQ(launch({1, 1, 1}, {32, 1, 1}), cudaErrorLaunchOutOfResources);
  EXPECT_THAT(message_, testing::HasSubstr("a block of 32 threads"));
  EXPECT_THAT(message_, testing::HasSubstr("(limit: registers); use smaller blocks, or a machine with more"));
}

/// Of a core of 128 registers; a thread of `store` takes more than 4 of its own accord.
class RegisterSink final : public LaunchSink {
 public:
  LaunchOutcome run(const simt::Launch& launch) override {
    EXPECT_TRUE(launch.program->is_fitted);
    return {};
  }
  void copied_from_host(std::uint64_t, std::uint64_t) override {}
  simt::CodeOptions code_options() const override {
    simt::CodeOptions code;
    code.registers.allocate = true;
    code.registers.of_core = 4 * 32;
    return code;
  }
  Residency residency(const simt::Program& program, unsigned threads, std::uint32_t) const override {
    return {4 * 32 / (threads * program.registers_of_thread()), {"registers"}};
  }
};

class RuntimeThatAllocates : public RuntimeWithAKernel {
 protected:
  RuntimeThatAllocates() : RuntimeWithAKernel(std::make_unique<RegisterSink>()) {}
};

TEST_F(RuntimeThatAllocates, gives_the_threads_of_large_blocks_fewer_registers) {
  const RegisteredKernel& kernel = *runtime_.registry().find_kernel(&host_);
  EXPECT_GT(runtime_.registry().program(kernel).registers_of_thread(), 4u);
  EXPECT_EQ(runtime_.resident_blocks(kernel, 32, 0), 1u);
  EXPECT_EQ(runtime_.resident_blocks_as_usual(kernel, 32), 0u);
  EXPECT_EQ(launch({1, 1, 1}, {32, 1, 1}), cudaSuccess) << message_;
  EXPECT_EQ(runtime_.resident_blocks(kernel, 512, 0), 0u);
  EXPECT_EQ(launch({1, 1, 1}, {512, 1, 1}), cudaErrorLaunchOutOfResources);
}

class RuntimeOfFewThreads : public RuntimeWithAKernel {
 protected:
  RuntimeOfFewThreads()
      : RuntimeWithAKernel(std::make_unique<FullSink>(std::vector<std::string>{"threads", "warps"})) {}
};

TEST_F(RuntimeOfFewThreads, does_not_speak_of_registers_to_be_allocated) {
  EXPECT_EQ(launch({1, 1, 1}, {32, 1, 1}), cudaErrorLaunchOutOfResources);
  EXPECT_THAT(message_, testing::EndsWith("does not fit on a core (limit: threads, warps); use smaller blocks"));
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaErrorLaunchOutOfResources);
  EXPECT_THAT(message_, testing::HasSubstr("a block of 1 thread with "));
}

/// Cuts every launch off.
class CuttingSink final : public LaunchSink {
 public:
  LaunchOutcome run(const simt::Launch&) override {
    LaunchOutcome outcome{7, {}};
    outcome.record.cut_off = "still ran";
    return outcome;
  }
  Residency residency(const simt::Program&, unsigned, std::uint32_t) const override { return {1, {}}; }
  void copied_from_host(std::uint64_t, std::uint64_t) override {}
};

class RuntimeThatCutsOff : public RuntimeWithAKernel {
 protected:
  RuntimeThatCutsOff() : RuntimeWithAKernel(std::make_unique<CuttingSink>()) {}
};

TEST_F(RuntimeThatCutsOff, gives_the_launchs_record_and_loses_the_device) {
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaErrorLaunchTimeout);
  EXPECT_EQ(message_, "still ran");
  EXPECT_EQ(record_.cut_off, "still ran");
  EXPECT_EQ(runtime_.lost(), cudaErrorLaunchTimeout);
}

TEST_F(RuntimeWithAKernel, bad_ptx_is_an_error_when_it_is_first_needed) {
  load(".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry store() { nonsense; }\n");
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaErrorInvalidPtx);
  EXPECT_THAT(message_, testing::HasSubstr("nonsense"));
}

TEST_F(RuntimeWithAKernel, kernel_that_cannot_be_executed_is_bad_ptx_and_others_are_not) {
  load(std::string(kPtx) + ".extern .func f();\n.visible .entry bad() { call f; ret; }\n");
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaSuccess);
  load(std::string(".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry other() { ret; }\n") +
       ".extern .func f();\n.visible .entry store() { call f; ret; }\n");
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaErrorInvalidPtx);
  EXPECT_THAT(message_, testing::HasSubstr("function 'f' has no body"));
}

TEST_F(RuntimeWithAKernel, kernel_that_is_not_in_the_image_is_named) {
  runtime_.registry().add_kernel(runtime_.registry().add_image(&wrapper_), &host_, "absent");
  EXPECT_EQ(launch({1, 1, 1}, {1, 1, 1}), cudaErrorInvalidDeviceFunction);
  EXPECT_THAT(message_, testing::HasSubstr("absent"));
}

TEST_F(RuntimeWithAKernel, removed_image_takes_its_kernels_along) {
  CodeImage& image = runtime_.registry().add_image(&wrapper_);
  runtime_.registry().add_kernel(image, &image_, "store");
  RegisteredKernel* kernel = runtime_.registry().find_kernel(&image_);
  EXPECT_EQ(runtime_.registry().find_kernel(kernel), kernel) << "its handle";
  runtime_.registry().remove_image(image);
  EXPECT_EQ(runtime_.registry().find_kernel(&image_), nullptr);
  EXPECT_EQ(runtime_.registry().find_kernel(kernel), nullptr);
}

}  // namespace runtime_test
}  // namespace warpfork::cuda
