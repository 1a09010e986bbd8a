#include "cuda/image/device_link.h"

#include <algorithm>
#include <iterator>

#include "ptx/linker.h"

namespace warpfork::cuda {

namespace {

/// The handle of a grid is its workspace, which a launch has that is cooperative: a size and a barrier, of four bytes
/// each, as this_grid().sync() of cooperative_groups.h uses them. One thread of each block comes to the barrier; with
/// the last one its highest bit changes. 999 is cudaErrorUnknown.
constexpr std::string_view kGridBarrier = R"(.version 6.0
.target sm_30
.address_size 64

.weak .func (.param .b64 handle) __cuda_syscall_CGS_get_intrinsic_handle(.param .b32 scope)
{
  .reg .b32 %scope, %high, %low;
  .reg .b64 %workspace;
  .reg .pred %is_grid;
  ld.param.b32 %scope, [scope];
  setp.eq.u32 %is_grid, %scope, 1;
  mov.u32 %high, %envreg1;
  mov.u32 %low, %envreg2;
  mov.b64 %workspace, {%low, %high};
  selp.b64 %workspace, %workspace, 0, %is_grid;
  st.param.b64 [handle], %workspace;
  ret;
}

.weak .func (.param .b32 error) __cuda_syscall_CGS_sync(.param .b64 handle, .param .b32 flags)
{
  .reg .b32 %x, %y, %z, %step, %before, %now;
  .reg .b64 %workspace;
  .reg .pred %is_other, %waits;
  ld.param.b64 %workspace, [handle];
  bar.sync 0;
  mov.u32 %x, %tid.x;
  mov.u32 %y, %tid.y;
  mov.u32 %z, %tid.z;
  or.b32 %x, %x, %y;
  or.b32 %x, %x, %z;
  setp.ne.u32 %is_other, %x, 0;
  @%is_other bra TOGETHER;
  mov.u32 %x, %nctaid.x;
  mov.u32 %y, %nctaid.y;
  mov.u32 %z, %nctaid.z;
  mul.lo.u32 %x, %x, %y;
  mul.lo.u32 %x, %x, %z;
  sub.u32 %step, 0x80000001, %x;
  mov.u32 %x, %ctaid.x;
  mov.u32 %y, %ctaid.y;
  mov.u32 %z, %ctaid.z;
  or.b32 %x, %x, %y;
  or.b32 %x, %x, %z;
  setp.ne.u32 %is_other, %x, 0;
  selp.b32 %step, 1, %step, %is_other;
  membar.gl;
  atom.global.add.u32 %before, [%workspace+4], %step;
WAIT:
  ld.volatile.global.u32 %now, [%workspace+4];
  xor.b32 %now, %now, %before;
  setp.ge.s32 %waits, %now, 0;
  @%waits bra WAIT;
  membar.gl;
TOGETHER:
  bar.sync 0;
  st.param.b32 [error], 0;
  ret;
}

.weak .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  .reg .b32 %scope;
  .reg .b64 %workspace;
  ld.param.b32 %scope, [scope];
  {
    .param .b32 asked;
    .param .b64 given;
    st.param.b32 [asked], %scope;
    call.uni (given), __cuda_syscall_CGS_get_intrinsic_handle, (asked);
    ld.param.b64 %workspace, [given];
  }
  st.param.b64 [handle], %workspace;
  ret;
}

.weak .func (.param .b32 error) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  .reg .b64 %workspace;
  .reg .pred %is_none;
  ld.param.b64 %workspace, [handle];
  setp.eq.u64 %is_none, %workspace, 0;
  @%is_none bra FAIL;
  {
    .param .b64 whose;
    .param .b32 none, got;
    st.param.b64 [whose], %workspace;
    st.param.b32 [none], 0;
    call.uni (got), __cuda_syscall_CGS_sync, (whose, none);
  }
  st.param.b32 [error], 0;
  ret;
FAIL:
  st.param.b32 [error], 999;
  ret;
}
)";

bool names_grid_barrier(const std::string& unit) {
  return unit.find("cudaCG") != std::string::npos || unit.find("__cuda_syscall_CGS_") != std::string::npos;
}

}  // namespace

std::string link_device_code(std::vector<std::string> units, std::string_view name,
                             const std::vector<std::string>& archived) {
  bool has_barrier = false;
  const auto add_barrier = [&] {
    if (has_barrier || std::ranges::none_of(units, names_grid_barrier)) return;
    units.emplace_back(kGridBarrier);
    has_barrier = true;
  };
  add_barrier();  // first, so that no archive is asked for it
  if (!archived.empty()) {
    std::ranges::move(ptx::needed_units(units, archived, name), std::back_inserter(units));
    add_barrier();
  }
  return ptx::link(units, name);
}

}  // namespace warpfork::cuda
