#include "reference_harness/records.h"

#include <array>
#include <cstring>

namespace warpfork::reference {

Records::Records(simt::DeviceMemory& memory, const std::vector<ThreadRegisters>& threads)
    : count_(threads.size()),
      records_address_(memory.allocate(threads.size() * kRecordBytes, "records")),
      out_address_(memory.allocate(kOutBytes, "out")),
      records_(memory.find(records_address_, threads.size() * kRecordBytes)),
      out_(memory.find(out_address_, kOutBytes)) {
  for (std::size_t i = 0; i < threads.size(); ++i) {
    std::byte* record = records_ + i * kRecordBytes;
    std::memcpy(record, threads[i].r.data(), sizeof threads[i].r);
    std::memcpy(record + kLongsOffset, threads[i].d.data(), sizeof threads[i].d);
    std::memcpy(record + kHalvesOffset, threads[i].h.data(), sizeof threads[i].h);
    for (std::size_t p = 0; p < 4; ++p) record[kPredicatesOffset + 4 * p] = std::byte{threads[i].p[p]};
  }
}

std::vector<std::byte> Records::parameters() const {
  const std::array<std::uint64_t, 2> addresses{records_address_, out_address_};
  std::vector<std::byte> bytes(sizeof addresses);
  std::memcpy(bytes.data(), addresses.data(), sizeof addresses);
  return bytes;
}

Outcome Records::outcome() const {
  Outcome outcome;
  outcome.threads.resize(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    const std::byte* record = records_ + i * kRecordBytes;
    ThreadRegisters& thread = outcome.threads[i];
    std::memcpy(thread.r.data(), record, sizeof thread.r);
    std::memcpy(thread.d.data(), record + kLongsOffset, sizeof thread.d);
    std::memcpy(thread.h.data(), record + kHalvesOffset, sizeof thread.h);
    for (std::size_t p = 0; p < 4; ++p) thread.p[p] = record[kPredicatesOffset + 4 * p] != std::byte{0};
  }
  outcome.out.resize(kOutBytes / 4);
  std::memcpy(outcome.out.data(), out_, kOutBytes);
  return outcome;
}

WordBuffer::WordBuffer(simt::DeviceMemory& memory, std::size_t count, std::size_t address_bytes)
    : count_(count),
      address_bytes_(address_bytes),
      address_(memory.allocate(count * 4, "words")),
      bytes_(memory.find(address_, count * 4)) {}

std::vector<std::byte> WordBuffer::parameters() const {
  std::vector<std::byte> bytes(address_bytes_);
  std::memcpy(bytes.data(), &address_, address_bytes_);
  return bytes;
}

std::vector<std::uint32_t> WordBuffer::words() const {
  std::vector<std::uint32_t> words(count_);
  std::memcpy(words.data(), bytes_, count_ * 4);
  return words;
}

}  // namespace warpfork::reference
