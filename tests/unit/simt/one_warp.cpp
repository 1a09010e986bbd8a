#include "one_warp.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "ptx/parser.h"

namespace warpfork::simt {

namespace {

std::string module_text(std::string_view body, std::string_view module) {
  return fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n{}\n"
      ".visible .entry kernel(.param .u64 buffer, .param .u32 number)\n{{\n"
      ".reg .b32 %r<10>;\n.reg .b64 %d<10>;\n.reg .b16 %h<10>;\n.reg .pred %p<10>;\n{}\nret;\n}}\n",
      module, body);
}

}  // namespace

OneWarp::OneWarp(std::string_view body, HostInstructionSet set, std::string_view module) {
  loaded_ = std::make_unique<LoadedModule>(ptx::parse(module_text(body, module), "test.ptx"), memory_, set);
  launch_.program = &loaded_->kernel("kernel");
  launch_.memory = &memory_;
  launch_.block = {32, 1, 1};
  launch_.printed = &printed_;
  launch_.parameters.resize(launch_.program->parameter_bytes);
  block_ = std::make_unique<BlockContext>(launch_);
  block_->start({0, 0, 0});
}

std::size_t OneWarp::find(std::string_view name) const {
  const auto& registers = launch_.program->function->registers;
  for (std::size_t id = 0; id < registers.size(); ++id)
    if (registers[id].name == name) return id;
  throw Error("no register {}", name);
}

/// Rows lie in the order of the declarations, predicates apart.
std::byte* OneWarp::row(std::string_view name) const {
  const auto& registers = launch_.program->function->registers;
  std::size_t offset = 0;
  for (std::size_t id = 0; id < find(name); ++id)
    if (registers[id].type != ptx::ScalarType::Pred) offset += ptx::bits_of(registers[id].type) == 64 ? 256 : 128;
  return block_->warp(0).registers + offset;
}

void OneWarp::set(std::string_view name, const Lanes32& values) {
  std::memcpy(row(name), values.data(), sizeof values);
}
void OneWarp::set(std::string_view name, std::uint32_t value) {
  Lanes32 values;
  values.fill(value);
  set(name, values);
}
void OneWarp::set64(std::string_view name, std::uint64_t value) {
  Lanes64 values;
  values.fill(value);
  std::memcpy(row(name), values.data(), sizeof values);
}

/// %p0 is the first predicate.
void OneWarp::set_predicate(std::string_view name, RowLanes lanes) {
  block_->warp(0).predicates[find(name) - find("%p0")] = lanes.bits();
}
RowLanes OneWarp::predicate(std::string_view name) const {
  return RowLanes(block_->warp(0).predicates[find(name) - find("%p0")]);
}

void OneWarp::run(RowLanes lanes) {
  for (const Instruction& instruction : launch_.program->code)
    if (instruction.handler)
      instruction.handler(instruction, block_->warp(0), guarded(instruction, block_->warp(0), lanes));
}

Lanes32 OneWarp::lanes(std::string_view name) const {
  Lanes32 values;
  std::memcpy(values.data(), row(name), sizeof values);
  return values;
}
std::uint32_t OneWarp::lane(std::string_view name, unsigned lane) const { return lanes(name)[lane]; }
std::uint64_t OneWarp::lane64(std::string_view name, unsigned lane) const {
  std::uint64_t value;
  std::memcpy(&value, row(name) + lane * sizeof value, sizeof value);
  return value;
}

std::uint32_t r0_of(std::string_view body, std::uint32_t r1, std::uint32_t r2, std::uint32_t r3) {
  OneWarp warp(body);
  warp.set("%r1", r1);
  warp.set("%r2", r2);
  warp.set("%r3", r3);
  warp.run();
  return warp.lane("%r0", 31);
}

std::uint64_t d0_of(std::string_view body, std::uint64_t d1, std::uint64_t d2, std::uint64_t d3) {
  OneWarp warp(body);
  warp.set64("%d1", d1);
  warp.set64("%d2", d2);
  warp.set64("%d3", d3);
  warp.run();
  return warp.lane64("%d0", 31);
}

std::string refusal(std::string_view body, std::string_view module) {
  try {
    OneWarp warp(body, host_instruction_set(), module);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace warpfork::simt
