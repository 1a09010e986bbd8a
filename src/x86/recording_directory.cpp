#include "x86/recording_directory.h"

#include "x86/byte_text.h"

namespace warpfork::x86 {

namespace {

void put(ByteWriter& out, const RecordingFacts& facts) {
  out.put_text(facts.recorder);
  out.put_text(facts.program);
  out.put(static_cast<std::uint32_t>(facts.arguments.size()));
  for (const std::string& argument : facts.arguments) out.put_text(argument);
  out.put_text(facts.start);
  out.put_text(facts.region);
  out.put(facts.limit);
}

RecordingFacts take_facts(ByteReader& in) {
  RecordingFacts facts;
  facts.recorder = in.take_text();
  facts.program = in.take_text();
  for (auto left = in.take<std::uint32_t>(); left > 0; --left) facts.arguments.push_back(in.take_text());
  facts.start = in.take_text();
  facts.region = in.take_text();
  facts.limit = in.take<std::uint64_t>();
  return facts;
}

void put(ByteWriter& out, const archive::Section& section) {
  for (const std::uint64_t number : {section.offset, section.bytes, section.raw_bytes, section.checksum})
    out.put(number);
}

archive::Section take_section(ByteReader& in) {
  archive::Section section;
  for (std::uint64_t* number : {&section.offset, &section.bytes, &section.raw_bytes, &section.checksum})
    *number = in.take<std::uint64_t>();
  return section;
}

void put(ByteWriter& out, const FrameEntry& frame) {
  out.put(frame.offset);
  out.put(frame.checksum);
  for (const std::uint32_t number : {frame.header.compressed_bytes, frame.header.tokens, frame.header.instructions})
    out.put(number);
}

FrameEntry take_frame(ByteReader& in, std::uint32_t thread) {
  FrameEntry frame;
  frame.offset = in.take<std::uint64_t>();
  frame.checksum = in.take<std::uint64_t>();
  frame.header.thread = thread;
  for (std::uint32_t* number : {&frame.header.compressed_bytes, &frame.header.tokens, &frame.header.instructions})
    *number = in.take<std::uint32_t>();
  return frame;
}

}  // namespace

std::vector<std::uint8_t> to_bytes(const RecordingDirectory& directory) {
  ByteWriter out;
  put(out, directory.facts);
  for (const archive::Section* section : {&directory.code, &directory.symbols, &directory.lines}) put(out, *section);
  out.put(static_cast<std::uint32_t>(directory.threads.size()));
  for (const ThreadEntry& thread : directory.threads) {
    out.put(thread.creator);
    out.put(thread.calls.value_or(0));
    out.put(static_cast<std::uint64_t>(thread.frames.size()));
    for (const FrameEntry& frame : thread.frames) put(out, frame);
  }
  return out.bytes();
}

RecordingDirectory directory_from(std::span<const std::uint8_t> bytes, std::uint32_t version, const std::string& what) {
  ByteReader in(bytes, what);
  RecordingDirectory directory;
  directory.facts = take_facts(in);
  for (archive::Section* section : {&directory.code, &directory.symbols, &directory.lines}) *section = take_section(in);
  const auto threads = in.take<std::uint32_t>();
  for (std::uint32_t number = 0; number < threads; ++number) {
    ThreadEntry& thread = directory.threads.emplace_back();
    thread.creator = in.take<std::uint32_t>();
    if (version >= kVersionWithCalls) thread.calls = in.take<std::uint32_t>();
    for (auto left = in.take<std::uint64_t>(); left > 0; --left) thread.frames.push_back(take_frame(in, number));
  }
  if (!in.is_at_end()) throw Error("{}: goes on behind its end; it is damaged", what);
  return directory;
}

}  // namespace warpfork::x86
