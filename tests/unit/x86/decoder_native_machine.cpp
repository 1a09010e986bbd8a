#include "unit/x86/decoder_native_machine.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

// The registers are loaded from a frame that rsp points to, so that all others are free for the instruction; it ends
// with a jump through the frame back to here.
#define EACH_GENERAL(X) \
  X(rax, 0)             \
  X(rcx, 8)             \
  X(rdx, 16)            \
  X(rbx, 24)            \
  X(rbp, 40)            \
  X(rsi, 48) X(rdi, 56) X(r8, 64) X(r9, 72) X(r10, 80) X(r11, 88) X(r12, 96) X(r13, 104) X(r14, 112) X(r15, 120)
#define EACH_VECTOR(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define LOAD(name, offset) "mov " #name ", [rsp+" #offset "]\n"
#define STORE(name, offset) "mov [rsp+" #offset "], " #name "\n"
#define LOAD_VECTOR(n) "vmovdqu ymm" #n ", [rsp+160+32*" #n "]\n"
#define STORE_VECTOR(n) "vmovdqu [rsp+160+32*" #n "], ymm" #n "\n"
extern "C" void warpfork_run_instruction(void* frame);
extern "C" void warpfork_after_instruction();
asm(".intel_syntax noprefix\n"
    ".text\n"
    ".globl warpfork_run_instruction\n"
    ".type warpfork_run_instruction, @function\n"
    "warpfork_run_instruction:\n"
    "push rbx\npush rbp\npush r12\npush r13\npush r14\npush r15\n"
    "mov [rdi+152], rsp\n"
    "lea rax, [rip+warpfork_after_instruction]\n"
    "mov [rdi+144], rax\n"
    "mov rsp, rdi\n" EACH_VECTOR(LOAD_VECTOR)
    "push qword ptr [rsp+128]\npopfq\n" EACH_GENERAL(LOAD)
    "jmp qword ptr [rsp+136]\n"
    ".globl warpfork_after_instruction\n"
    "warpfork_after_instruction:\n" EACH_GENERAL(STORE)
    "pushfq\npop qword ptr [rsp+128]\ncld\n" EACH_VECTOR(STORE_VECTOR)
    "mov rsp, [rsp+152]\n"
    "pop r15\npop r14\npop r13\npop r12\npop rbp\npop rbx\n"
    "vzeroupper\n"
    "ret\n"
    ".size warpfork_run_instruction, .-warpfork_run_instruction\n"
    ".att_syntax prefix\n");

namespace warpfork::x86 {

namespace {

constexpr std::uint64_t kArithmeticFlags = 0x8d5, kAlwaysSet = 0x202;  // OF SF ZF AF PF CF; IF and the reserved one
constexpr std::size_t kPage = 4096;
constexpr std::array kFaults = {SIGILL, SIGSEGV, SIGFPE, SIGBUS, SIGTRAP};

/// What a signal handler needs to leave the instruction that is being run.
struct Running {
  std::uint64_t code = 0, back = 0, stack_pointer = 0;
  volatile bool faulted = false;
} running;

void leave_instruction(int signal, siginfo_t*, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (static_cast<std::uint64_t>(registers[REG_RIP]) - running.code >= kPage) {
    std::signal(signal, SIG_DFL);  // not ours
    return;
  }
  running.faulted = true;
  registers[REG_RIP] = static_cast<greg_t>(running.back);
  registers[REG_RSP] = static_cast<greg_t>(running.stack_pointer);
}

}  // namespace

struct NativeMachine::Frame {
  std::array<std::uint64_t, 4096> room{};  // below the frame: for popfq, and for signals
  alignas(32) std::array<std::uint64_t, 16> general{};
  std::uint64_t flags = 0, code = 0, back = 0, saved_stack_pointer = 0;
  std::array<std::array<std::uint64_t, 4>, 16> vectors{};
  alignas(64) std::array<std::uint64_t, kMemoryWords> memory{};
};

bool NativeMachine::is_able() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
}

NativeMachine::NativeMachine() : frame_(std::make_unique<Frame>()) {
  static_assert(offsetof(Frame, vectors) - offsetof(Frame, general) == 160);
  void* const page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::runtime_error("no page that can be written and executed");
  code_ = static_cast<std::uint8_t*>(page);
  signal_stack_.resize(1 << 16);
  stack_t stack{};
  stack.ss_sp = signal_stack_.data();
  stack.ss_size = signal_stack_.size();
  sigaltstack(&stack, &former_signal_stack_);
  struct sigaction action {};
  action.sa_sigaction = leave_instruction;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int fault : kFaults) sigaction(fault, &action, &former_handlers_.emplace_back());
}

NativeMachine::~NativeMachine() {
  for (std::size_t index = 0; index < kFaults.size(); ++index)
    sigaction(kFaults[index], &former_handlers_[index], nullptr);
  sigaltstack(&former_signal_stack_, nullptr);
  munmap(code_, kPage);
}

void NativeMachine::take(std::span<const std::uint8_t> instruction) {
  constexpr std::uint8_t kJumpBack[] = {0xff, 0xa4, 0x24, 144, 0, 0, 0};  // jmp [rsp+144]
  std::fill_n(code_, kPage, 0);
  std::ranges::copy(kJumpBack, std::ranges::copy(instruction, code_).out);
}

std::uint64_t NativeMachine::memory_address() const { return reinterpret_cast<std::uint64_t>(frame_->memory.data()); }

bool NativeMachine::run(const NativeState& before, NativeState& after) {
  frame_->general = before.general;
  frame_->flags = (before.flags & kArithmeticFlags) | kAlwaysSet;
  frame_->vectors = before.vectors;
  std::ranges::copy(before.memory, frame_->memory.begin());
  frame_->code = reinterpret_cast<std::uint64_t>(code_);
  running.code = frame_->code;
  running.back = reinterpret_cast<std::uint64_t>(&warpfork_after_instruction);
  running.stack_pointer = reinterpret_cast<std::uint64_t>(&frame_->general);
  running.faulted = false;
  warpfork_run_instruction(&frame_->general);
  if (running.faulted) return false;
  after.general = frame_->general;
  after.flags = frame_->flags & kArithmeticFlags;
  after.vectors = frame_->vectors;
  after.memory.assign(frame_->memory.begin(), frame_->memory.end());
  return true;
}

}  // namespace warpfork::x86
