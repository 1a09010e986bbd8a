#include "unit/x86/single_stepper.h"

#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace warpfork::x86 {

namespace {

constexpr int kForbidden = 99;  // exit status of a child that may not be traced
constexpr long kBreakpoint = 0xcc;

user_regs_struct registers_of(pid_t child) {
  user_regs_struct registers{};
  ptrace(PTRACE_GETREGS, child, nullptr, &registers);
  return registers;
}

/// Runs the stopped child up to the breakpoint, and removes that.
void run_to(pid_t child, std::uint64_t pc) {
  void* const place = reinterpret_cast<void*>(pc);
  const long code = ptrace(PTRACE_PEEKTEXT, child, place, nullptr);
  ptrace(PTRACE_POKETEXT, child, place, (code & ~0xffL) | kBreakpoint);
  ptrace(PTRACE_CONT, child, nullptr, nullptr);
  waitpid(child, nullptr, 0);
  ptrace(PTRACE_POKETEXT, child, place, code);
  user_regs_struct registers = registers_of(child);
  registers.rip = pc;
  ptrace(PTRACE_SETREGS, child, nullptr, &registers);
}

}  // namespace

std::optional<std::vector<std::uint64_t>> single_steps(const std::string& program, std::uint64_t begin) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(kForbidden);
    execl(program.c_str(), program.c_str(), nullptr);
    _exit(kForbidden);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return std::nullopt;
  if (registers_of(child).rip != begin) run_to(child, begin);
  const std::uint64_t stack = registers_of(child).rsp;
  const auto end = static_cast<std::uint64_t>(ptrace(PTRACE_PEEKDATA, child, stack, nullptr));
  std::vector<std::uint64_t> pcs;
  while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP) {
    const user_regs_struct registers = registers_of(child);
    if (registers.rip == end && registers.rsp == stack + 8) break;
    if (pcs.empty() || pcs.back() != registers.rip) pcs.push_back(registers.rip);
    ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
    waitpid(child, &status, 0);
  }
  if (WIFSTOPPED(status)) {
    ptrace(PTRACE_KILL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
  }
  return pcs;
}

}  // namespace warpfork::x86
