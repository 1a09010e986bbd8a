// SPDX-License-Identifier: GPL-2.0-or-later
#include "code_table.h"

#include <utility>

namespace recorder {

namespace {

bool is_prefix(std::uint8_t byte) {
  switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf0:
    case 0xf2:
    case 0xf3:
      return true;
    default:
      return (byte & 0xf0) == 0x40;  // REX
  }
}

/// Of the one-byte opcodes that access memory through a ModRM byte, and of all behind 0x0f.
bool has_modrm(std::uint8_t opcode) {
  if (opcode < 0x40) return (opcode & 7) < 4;
  return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b || (opcode >= 0x80 && opcode < 0x90) ||
         (opcode & 0xfe) == 0xc0 || (opcode & 0xfe) == 0xc6 || (opcode & 0xfc) == 0xd0 || (opcode & 0xfe) == 0xf6 ||
         opcode == 0xdb || opcode >= 0xfe;
}

/// movs, cmps, stos, lods and scas.
bool is_string_operation(std::uint8_t opcode) {
  return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf);
}

}  // namespace

InstructionTraits traits(std::span<const std::uint8_t> bytes) {
  InstructionTraits found;
  std::size_t at = 0;
  bool has_repeat = false;
  for (; at < bytes.size() && is_prefix(bytes[at]); ++at) {
    found.is_atomic |= bytes[at] == 0xf0;
    has_repeat |= bytes[at] == 0xf2 || bytes[at] == 0xf3;
    found.is_global |= bytes[at] == 0x64 || bytes[at] == 0x65;
  }
  if (at >= bytes.size()) return found;
  const std::uint8_t opcode = bytes[at];
  found.repeats = has_repeat && is_string_operation(opcode);
  if (opcode == 0xc2 || opcode == 0xc3) found.end = BlockEnd::Return;
  if (opcode == 0xe8 && bytes.size() - at == 5) found.end = BlockEnd::Call;
  const std::size_t modrm_at = at + (opcode == 0x0f ? 2 : 1);
  if (modrm_at >= bytes.size() || (opcode != 0x0f && !has_modrm(opcode))) return found;
  const std::uint8_t modrm = bytes[modrm_at];
  found.is_global |= (modrm & 0xc7) == 0x05;
  found.is_atomic |= (opcode & 0xfe) == 0x86 && modrm < 0xc0;
  const int operation = modrm >> 3 & 7;
  found.is_long_double = opcode == 0xdb && modrm < 0xc0 && (operation == 5 || operation == 7);
  if (opcode == 0xff && operation == 2) found.end = BlockEnd::Call;
  return found;
}

const Block* CodeTable::add(std::uint64_t pc, std::uint32_t count, BlockText text) {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = by_pc_.equal_range(pc);
  for (auto known = begin; known != end; ++known)
    if (known->second->text == text) return &known->second->block;
  if (slots_ + count > kMaxSlots) return nullptr;
  Entry& entry = entries_.emplace_back();
  entry.block.pc = pc;
  entry.block.id = static_cast<std::uint32_t>(entries_.size() - 1);
  entry.block.count = count;
  entry.block.first_slot = slots_;
  entry.text = std::move(text);
  describe(entry);
  slots_ += count;
  by_pc_.emplace(pc, &entry);
  return &entry.block;
}

void CodeTable::describe(Entry& entry) const {
  Block& block = entry.block;
  block.end_pc = block.pc;
  std::span<const std::uint8_t> rest(entry.text);
  while (!rest.empty()) {
    const std::size_t length = rest[0];
    const InstructionTraits known = traits(rest.subspan(1, length));
    block.end = known.end;
    block.is_iteration = known.repeats && block.count == 1;
    block.end_pc += length;
    rest = rest.subspan(1 + length);
  }
  const auto function = request_.functions.find(block.pc);
  if (function != request_.functions.end()) block.function = &function->second;
  block.is_special = block.function || block.end != BlockEnd::Other;
}

bool CodeTable::write(const std::string& path) const {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (!file) return false;
  bool is_whole = true;
  for (const Entry& entry : entries_) {
    const auto size = static_cast<std::uint32_t>(entry.text.size());
    is_whole &= std::fwrite(&entry.block.pc, 8, 1, file) == 1 && std::fwrite(&entry.block.count, 4, 1, file) == 1 &&
                std::fwrite(&size, 4, 1, file) == 1 && std::fwrite(entry.text.data(), 1, size, file) == size;
  }
  return std::fclose(file) == 0 && is_whole;
}

}  // namespace recorder
