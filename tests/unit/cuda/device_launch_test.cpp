// Kernels that launch kernels, without CUDA's device runtime library: by the calls that it makes of the system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/image/fat_binary.h"
#include "cuda/runtime/api_error.h"
#include "cuda/runtime/runtime.h"
#include "cudart/functional_sink.h"
#include "unit/cuda/fat_wrapper.h"

namespace warpfork::cuda {
namespace device_launch_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Each thread of `parent` launches `child` with so many threads, which add 1, 2, … to words behind `to`.
constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 r) __cuda_syscall_cnpv2GetParameterBufferV2
  (.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cuda_syscall_cnpv2LaunchDeviceV2(.param .b64 p, .param .b64 s);
.visible .entry child(.param .u64 to) {
  .reg .u32 %r<3>;
  .reg .u64 %rd<3>;
  ld.param.u64 %rd0, [to];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd0, %rd0, %rd1;
  add.u32 %r0, %r0, 1;
  red.global.add.u32 [%rd0], %r0;
  ret;
}
.visible .entry parent(.param .u64 to, .param .u32 threads) {
  .reg .u32 %r<3>;
  .reg .u64 %rd<3>;
  .reg .pred %p;
  ld.param.u64 %rd0, [to];
  ld.param.u32 %r0, [threads];
  { .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 r;
    mov.u64 %rd1, child;
    st.param.b64 [f], %rd1;
    st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    st.param.b32 [b], %r0; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
    st.param.b32 [s], 0;
    call (r), __cuda_syscall_cnpv2GetParameterBufferV2, (f, g, b, s);
    ld.param.b64 %rd2, [r]; }
  setp.eq.u64 %p, %rd2, 0;
  @%p ret;
  st.u64 [%rd2], %rd0;
  { .param .b64 p; .param .b64 s; .param .b32 r;
    st.param.b64 [p], %rd2;
    st.param.b64 [s], 0;
    call (r), __cuda_syscall_cnpv2LaunchDeviceV2, (p, s);
    ld.param.b32 %r1, [r]; }
  ret;
}
)";

class DeviceLaunch : public testing::Test {
 protected:
  DeviceLaunch() {
    CodeImage& image = runtime_.registry().add_image(&wrapper_);
    runtime_.registry().add_kernel(image, &host_, "parent");
  }

  void launch(unsigned parents, std::uint32_t threads) {
    void* arguments[] = {&to_, &threads};
    runtime_.launch(*runtime_.registry().find_kernel(&host_), {1, 1, 1}, {parents, 1, 1}, arguments, 0);
  }
  std::vector<std::uint32_t> words(unsigned count) {
    std::vector<std::uint32_t> words(count);
    runtime_.memory().copy(words.data(), to_, count * sizeof words[0], cudaMemcpyDeviceToHost);
    return words;
  }
  std::vector<std::pair<std::string, std::uint64_t>> launched() const {
    std::vector<std::pair<std::string, std::uint64_t>> list;  // of names and who launched them
    for (const report::LaunchRecord& record : records_) list.emplace_back(record.name, record.launched_by.launch);
    return list;
  }

  std::vector<std::byte> image_ = wrap_ptx(kPtx, 70);
  FatWrapper wrapper_{.image = image_.data()};
  char host_ = 0;
  std::vector<report::LaunchRecord> records_;
  Runtime runtime_{DeviceDescription{},
                   "program",
                   std::make_unique<FunctionalSink>(),
                   {},
                   [this](const report::LaunchRecord& record) { records_.push_back(record); }};
  void* to_ = runtime_.memory().allocate(32 * 4);
};

TEST_F(DeviceLaunch, runs_when_its_launcher_has_ended_once_for_each_thread) {
  launch(2, 3);
  EXPECT_THAT(words(4), ElementsAre(2, 4, 6, 0));
  EXPECT_THAT(launched(), ElementsAre(std::pair("parent", 0), std::pair("child", 1), std::pair("child", 1)));
  EXPECT_THAT(runtime_.take_notes(), IsEmpty());
}

TEST_F(DeviceLaunch, that_cannot_be_is_left_out_and_told) {
  launch(1, 4096);
  launch(1, 1);
  EXPECT_THAT(words(2), ElementsAre(1, 0));
  EXPECT_THAT(launched(), ElementsAre(std::pair("parent", 0), std::pair("parent", 0), std::pair("child", 2)));
  EXPECT_THAT(runtime_.take_notes(), ElementsAre(HasSubstr("launch of 'child' with 4096 threads per block")));
}

TEST_F(DeviceLaunch, that_fails_loses_the_device_as_one_of_the_host) {
  to_ = nullptr;
  EXPECT_THROW(launch(1, 1), ApiError);
  EXPECT_EQ(runtime_.lost(), cudaErrorIllegalAddress);
  EXPECT_THAT(launched(), ElementsAre(std::pair("parent", 0)));
}

}  // namespace device_launch_test
}  // namespace warpfork::cuda
