#include "unit/x86/recording_builder.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "archive/compression.h"
#include "unit/test_folder.h"
#include "x86/byte_text.h"
#include "x86/recording_packer.h"

namespace warpfork::x86 {

namespace {

void append(Bytes& bytes, const Bytes& more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

void write(const std::filesystem::path& path, const Bytes& bytes, std::ios::openmode mode) {
  std::ofstream(path, std::ios::binary | mode)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

std::uint32_t access_token(std::uint32_t instruction, bool store, std::uint32_t size, std::int32_t delta) {
  return kAccessBit | instruction << 22 | std::uint32_t{store} << 21 | size << 18 |
         (static_cast<std::uint32_t>(delta) & 0x3ffff);
}

std::uint32_t RecordingBuilder::block(std::uint64_t pc, const std::vector<Bytes>& instructions) {
  ByteWriter out;
  out.put(pc);
  out.put(static_cast<std::uint32_t>(instructions.size()));
  Bytes text;
  for (const Bytes& instruction : instructions) {
    text.push_back(static_cast<std::uint8_t>(instruction.size()));
    append(text, instruction);
  }
  out.put(static_cast<std::uint32_t>(text.size()));
  append(code_, out.bytes());
  append(code_, text);
  return blocks_++;
}

void RecordingBuilder::frame(std::uint32_t thread, const std::vector<std::uint32_t>& tokens) {
  ByteWriter raw, header;
  for (const std::uint32_t token : tokens) raw.put(token);
  const Bytes compressed = archive::compress(raw.bytes());
  for (const std::size_t number : {std::size_t{thread}, compressed.size(), tokens.size(), tokens.size()})
    header.put(static_cast<std::uint32_t>(number));
  append(frames_, header.bytes());
  append(frames_, compressed);
}

std::string RecordingBuilder::write() const {
  static int number = 0;
  const RecorderFolder folder{fmt::format("{}/built_{}", test_folder(), ++number)};
  std::filesystem::create_directory(folder.path);
  prepare_recorder_folder(folder);
  x86::write(folder.frames(), frames_, std::ios::app);
  x86::write(folder.code(), code_, std::ios::trunc);
  RecorderEnd end;
  end.threads = threads_;
  RecordingFacts facts;
  facts.program = "built";
  pack_recording(folder, facts, end, {SymbolTable(symbols_), {}});
  return folder.frames().string();
}

}  // namespace warpfork::x86
