#include "kernel.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "ptx/parser.h"

namespace warpfork::gpu {

namespace {

constexpr std::string_view kModule = R"(.version 6.0
.target sm_70
.address_size 64
{module}
.visible .entry kernel(.param .u64 out_parameter)
{{
  .reg .pred %p<10>;
  .reg .b32 %r<20>, %thread;
  .reg .b64 %d<10>, %out, %mine, %offset;
  ld.param.u64 %out, [out_parameter];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %thread, %r0, %r1, %thread;
  mul.wide.u32 %offset, %thread, 4;
  add.u64 %mine, %out, %offset;
{body}
}}
)";

}  // namespace

Kernel::Kernel(std::string_view body, Dim3 grid, Dim3 block, std::size_t words, std::string_view module,
               const simt::CodeOptions& code)
    : memory_(std::make_unique<simt::DeviceMemory>(1 << 24)), words_(words) {
  const std::string text = fmt::format(kModule, fmt::arg("module", module), fmt::arg("body", body));
  loaded_ = std::make_unique<simt::LoadedModule>(ptx::parse(text, "kernel.ptx"), *memory_, simt::host_instruction_set(),
                                                 code);
  out_ = memory_->allocate(words * 4, "out");
  launch_.program = &loaded_->kernel("kernel");
  launch_.memory = memory_.get();
  launch_.grid = grid;
  launch_.block = block;
  launch_.parameters.resize(sizeof out_);
  std::memcpy(launch_.parameters.data(), &out_, sizeof out_);
}

report::LaunchRecord Kernel::run(const MachineSpec& spec, const LaunchOptions& options) const {
  Device device(spec);
  return run(device, options);
}

report::LaunchRecord Kernel::run(Device& device, const LaunchOptions& options) const {
  return device.run(launch_, options);
}

std::string Kernel::error(const MachineSpec& spec, const LaunchOptions& options) const {
  try {
    return run(spec, options).cut_off;
  } catch (const Error& error) {
    return error.what();
  }
}

std::vector<std::uint32_t> Kernel::out() const {
  std::vector<std::uint32_t> words(words_);
  std::memcpy(words.data(), memory_->find(out_, words_ * 4), words_ * 4);
  return words;
}

void Kernel::clear_out() const { std::memset(memory_->find(out_, words_ * 4), 0, words_ * 4); }

Kernel if_else(std::string_view part) {
  return {std::string(part) + R"(
      and.b32 %r3, %r2, 1;
      setp.ne.u32 %p0, %r3, 0;
      @%p0 bra SECOND;
      add.u32 %r4, %thread, 1;
      bra MEET;
    SECOND:
      add.u32 %r4, %thread, 2;
    MEET:
      st.global.u32 [%mine], %r4;
      ret;)",
          {1, 1, 1},
          {64, 1, 1}};
}

std::string repeated(unsigned count, std::string_view line) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text.append(line).append("\n");
  return text;
}

}  // namespace warpfork::gpu
