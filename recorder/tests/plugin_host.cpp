// SPDX-License-Identifier: GPL-2.0-or-later
// A stand-in for QEMU with the plugin interface of version INTERFACE, which loads the recorder as QEMU does, and has it
// translate two blocks: plugin_host RECORDER FOLDER.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../qemu_plugin.h"

struct qemu_plugin_insn {
  std::string bytes;
};
struct qemu_plugin_tb {
  qemu_plugin_insn instructions[2];
};

namespace {

constexpr int kOldest = INTERFACE >= 2 ? 2 : 0;  // QEMU's QEMU_PLUGIN_MIN_VERSION
qemu_plugin_vcpu_tb_trans_cb_t on_translation;
qemu_plugin_udata_cb_t on_end;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  return 1;
}

}  // namespace

extern "C" {
#if INTERFACE >= 2
int qemu_plugin_num_vcpus() { return 1; }
#endif
#if INTERFACE >= 3
std::uintptr_t qemu_plugin_insn_data(const qemu_plugin_insn* instruction, void* copy, std::size_t size) {
  std::copy_n(instruction->bytes.data(), size, static_cast<char*>(copy));
  return size;
}
#else
std::uintptr_t qemu_plugin_insn_data(const qemu_plugin_insn* instruction, void*, std::size_t) {
  return reinterpret_cast<std::uintptr_t>(instruction->bytes.data());
}
#endif
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t, qemu_plugin_vcpu_simple_cb_t) {}
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, qemu_plugin_vcpu_tb_trans_cb_t call) {
  on_translation = call;
}
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb*, qemu_plugin_vcpu_udata_cb_t, qemu_plugin_cb_flags, void*) {}
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn*, qemu_plugin_vcpu_mem_cb_t, qemu_plugin_cb_flags,
                                      qemu_plugin_mem_rw, void*) {}
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, qemu_plugin_vcpu_syscall_cb_t) {}
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t, qemu_plugin_vcpu_syscall_ret_cb_t) {}
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, qemu_plugin_udata_cb_t call, void*) { on_end = call; }
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb*) { return 2; }
std::uint64_t qemu_plugin_tb_vaddr(const qemu_plugin_tb*) { return 0x1000; }
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb* block, std::size_t number) {
  return const_cast<qemu_plugin_insn*>(&block->instructions[number]);
}
std::size_t qemu_plugin_insn_size(const qemu_plugin_insn* instruction) { return instruction->bytes.size(); }
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t) { return 0; }
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t) { return false; }
}

int main(int, char** arguments) {
  void* const plugin = dlopen(arguments[1], RTLD_NOW);
  if (!plugin) return fail(dlerror());
  const int version = *static_cast<int*>(dlsym(plugin, "qemu_plugin_version"));
  if (version < kOldest || version > INTERFACE)
    return fail("asks for version " + std::to_string(version) + " of the interface, from which QEMU turns away");

  const std::filesystem::path folder = arguments[2];
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const char* name : {"request", "frames"}) std::ofstream(folder / name).flush();
  std::ofstream(folder / "progress") << std::string(8, '\0');
  std::string option = "folder=" + folder.string();
  char* options[] = {option.data(), nullptr};
  const qemu_info_t info{"x86_64", {kOldest, INTERFACE}, false, {0, 0}};
  const auto install = reinterpret_cast<decltype(&qemu_plugin_install)>(dlsym(plugin, "qemu_plugin_install"));
  if (install(0, &info, 1, options) != 0) return fail("does not let itself be installed");

  qemu_plugin_tb with_long_double{{{"\xdb\x28"}, {"\xc3"}}}, block{{{"\x0f\x0b"}, {"\xc3"}}};  // fld, ret; ud2, ret
  on_translation(0, &with_long_double);
  on_translation(0, &block);
  on_end(0, nullptr);
  if (!content(folder / "code").ends_with("\x02\x0f\x0b\x01\xc3"))
    return fail("reads other instructions than there are");
  if ((content(folder / "end").find("failed it uses long double") != std::string::npos) != (INTERFACE >= 3))
    return fail("is wrong about what QEMU tells of");
}
