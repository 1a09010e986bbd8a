// Proves while a kernel runs that what is executed once for a warp gives what its threads would each have computed
// (STSIMT section 5.8: "adding checks to the simulator").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/register_use.h"
#include "gpu/step.h"
#include "simt/launch.h"
#include "simt/register_rows.h"

namespace warpfork::gpu {

/// The hardware's view beside the threads': a scalar file for each warp of one block, into which what is written to a
/// scalar register goes. Throws Error, with instruction, line, register, thread and both values, where
///  - a scalar instruction finds different operands in threads that execute it, or writes a register of each thread,
///  - threads write different values into a scalar register at a time,
///  - a thread reads a scalar register and its own value is another one: the file has lost it, or holds another
///    register in its place.
class ScalarChecker {
 public:
  /// Of a block of the launch, whose program has a rule.
  explicit ScalarChecker(const simt::Launch& launch);

  /// A block begins; its registers are zero.
  void start();
  /// The step's instruction is about to be executed, and has been, by threads of one warp.
  void before(const Step& step, simt::BlockContext& block) const;
  void after(const Step& step, simt::BlockContext& block);

 private:
  using Id = ptx::RegisterId;

  bool is_scalar(Id id) const { return program_.scalars.registers.contains(id); }
  std::size_t unit(const Step& step, Id id) const;
  std::uint64_t kept(const Step& step, Id id) const;
  void keep(const Step& step, Id id, std::uint64_t value);
  std::uint64_t value(const simt::WarpContext& warp, unsigned lane, Id id) const;
  void read(const Step& step, simt::BlockContext& block, Id id, ActiveMask lanes) const;
  void read_special(const Step& step, simt::BlockContext& block) const;
  std::uint64_t equal(const Step& step, simt::BlockContext& block, Id id, ActiveMask lanes,
                      std::string_view verb) const;
  [[noreturn]] void fail(const Step& step, simt::BlockContext& block, unsigned lane, const std::string& cause) const;
  const std::string& name(Id id) const { return program_.function->registers[id].name; }

  const simt::Program& program_;
  simt::RegisterRows rows_;
  std::size_t own_;                  // of the units of a warp the first that no other register shares
  std::size_t units_;                // of a warp
  std::vector<std::uint32_t> kept_;  // by warp and 32-bit register; allocated ones share some
  analysis::RegisterUses uses_;
};

}  // namespace warpfork::gpu
