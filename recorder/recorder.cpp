// SPDX-License-Identifier: GPL-2.0-or-later
// A plugin for QEMU's user-mode emulation that records which code every guest thread runs and where it accesses
// memory: one callback per executed block and one per access. `warpfork record` loads it and makes a recording of the
// files that it writes.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "new_threads.h"
#include "qemu_plugin.h"
#include "stream.h"

/// Asked for before we are told which version the emulator has: up to QEMU 8.2 it takes 0 and 1, from 9.0 on only from
/// 2 on.
int qemu_plugin_version = qemu_plugin_num_vcpus ? 2 : 1;

namespace recorder {

namespace {

constexpr std::size_t kMaxProcessors = 8192;  // guest threads at the same time
constexpr std::int64_t kSysClone = 56;
constexpr std::uint32_t kMaxBlockInstructions = 512;  // QEMU's TCG_MAX_INSNS, which the tokens rely on

// QEMU gives its callbacks no pointer for all of them.
std::unique_ptr<Session> session;
std::array<Stream*, kMaxProcessors> streams;
bool is_forked_child = false;
bool copies_instructions = false;          // which the interface does from version 3 on
thread_local bool creates_thread = false;  // in the system call that it is in
NewThreads new_threads;

void on_system_call(qemu_plugin_id_t, unsigned processor, std::int64_t number, std::uint64_t flags, std::uint64_t,
                    std::uint64_t, std::uint64_t exit_word, std::uint64_t, std::uint64_t, std::uint64_t,
                    std::uint64_t) {
  if (number != kSysClone || is_forked_child) return;
  creates_thread = (flags & CLONE_VM) && !(flags & CLONE_VFORK);
  if (processor < kMaxProcessors && streams[processor]) streams[processor]->creates(exit_word);
}

/// Its creator makes a thread's stream. When the emulator makes the thread's processor, and in which thread it says so,
/// depends on its version (8 in the creator, 9 in the new thread).
void on_system_call_end(qemu_plugin_id_t, unsigned processor, std::int64_t number, std::int64_t result) {
  if (number != kSysClone || is_forked_child || !creates_thread || result <= 0) return;
  Stream* const creator = processor < kMaxProcessors ? streams[processor] : nullptr;
  new_threads.add(result, creator ? new Stream(*session, creator) : nullptr);
}

/// In the thread itself, before its first block; streams are found by processor from then on.
Stream* begin(unsigned processor) {
  if (is_forked_child) return nullptr;
  if (processor >= kMaxProcessors) {
    session->fail("more than 8192 threads at a time");
    return nullptr;
  }
  const pid_t id = gettid();
  return streams[processor] = id == getpid() ? new Stream(*session, nullptr) : new_threads.take(id);
}

void on_thread_end(qemu_plugin_id_t, unsigned processor) {
  if (is_forked_child || processor >= kMaxProcessors || !streams[processor]) return;
  streams[processor]->end();
  delete streams[processor];
  streams[processor] = nullptr;
}

void on_block(unsigned processor, void* block) {
  Stream* stream = streams[processor & (kMaxProcessors - 1)];
  if (!stream) [[unlikely]] {
    stream = begin(processor);
    if (!stream) return;
  }
  stream->block(*static_cast<const Block*>(block));
}

void on_access(unsigned processor, qemu_plugin_meminfo_t info, std::uint64_t address, void* site) {
  if (Stream* const stream = streams[processor & (kMaxProcessors - 1)]) [[likely]]
    stream->access(AccessSite::of(site), qemu_plugin_mem_is_store(info), qemu_plugin_mem_size_shift(info), address);
}

using InstructionBytes = std::array<std::uint8_t, 16>;  // they are 15 at most

std::span<const std::uint8_t> bytes_of(const qemu_plugin_insn* instruction, InstructionBytes& copy) {
  const std::size_t size = std::min(qemu_plugin_insn_size(instruction), copy.size());
  const std::uintptr_t data = qemu_plugin_insn_data(instruction, copy.data(), size);
  return {copies_instructions ? copy.data() : reinterpret_cast<const std::uint8_t*>(data), size};
}

void on_translation(qemu_plugin_id_t, qemu_plugin_tb* translated) {
  const auto count = static_cast<std::uint32_t>(qemu_plugin_tb_n_insns(translated));
  if (is_forked_child || count == 0 || count > kMaxBlockInstructions) return;
  BlockText text;
  InstructionBytes copy;
  for (std::uint32_t number = 0; number < count; ++number) {
    const auto bytes = bytes_of(qemu_plugin_tb_get_insn(translated, number), copy);
    text.push_back(static_cast<std::uint8_t>(bytes.size()));
    text.insert(text.end(), bytes.begin(), bytes.end());
  }
  const Block* const block = session->code.add(qemu_plugin_tb_vaddr(translated), count, std::move(text));
  if (!block) return session->fail("more than 16 million instructions of code");
  qemu_plugin_register_vcpu_tb_exec_cb(translated, on_block, QEMU_PLUGIN_CB_NO_REGS, const_cast<Block*>(block));
  for (std::uint32_t number = 0; number < count; ++number) {
    qemu_plugin_insn* const instruction = qemu_plugin_tb_get_insn(translated, number);
    const InstructionTraits known = traits(bytes_of(instruction, copy));
    AccessSite site{block->first_slot + number, kAccessBit | number << kInstructionShift};
    if (known.is_long_double && copies_instructions)
      session->fail("it uses long double, of whose accesses QEMU from 9.1 on does not tell; QEMU 7.2 does");
    if (known.is_atomic) site.token |= AccessSite::kAtomic;
    if (known.is_global) site.token |= AccessSite::kGlobal;
    qemu_plugin_register_vcpu_mem_cb(instruction, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, site.data());
  }
}

void on_exit(qemu_plugin_id_t, void*) {
  if (is_forked_child) return;
  for (Stream* const stream : streams)
    if (stream) stream->end();
  session->close();
}

/// A process that the guest forks off is not recorded.
void on_fork_in_child() {
  is_forked_child = true;
  streams.fill(nullptr);
}

}  // namespace

}  // namespace recorder

/// Its argument: folder=PATH, with the files `request`, `frames` and `progress`; `code` and `end` are written.
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
  using namespace recorder;
  constexpr std::string_view kFolder = "folder=";
  if (argc != 1 || !std::string_view(argv[0]).starts_with(kFolder) || info->system_emulation ||
      std::string_view(info->target_name) != "x86_64") {
    std::fputs("the recorder of warpfork is a plugin for qemu-x86_64, loaded by `warpfork record`\n", stderr);
    return 1;
  }
  session = std::make_unique<Session>(argv[0] + kFolder.size());
  if (const std::string fault = session->open(); !fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    return 1;
  }
  copies_instructions = info->version.cur >= 3;
  pthread_atfork(nullptr, nullptr, on_fork_in_child);
  qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
  qemu_plugin_register_vcpu_syscall_cb(id, on_system_call);
  qemu_plugin_register_vcpu_syscall_ret_cb(id, on_system_call_end);
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  qemu_plugin_register_atexit_cb(id, on_exit, nullptr);
  return 0;
}
