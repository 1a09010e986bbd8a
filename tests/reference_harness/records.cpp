#include "reference_harness/records.h"

#include <array>
#include <cstring>

namespace warpfork::reference {

std::vector<std::byte> bytes_of(const std::vector<ThreadRegisters>& threads) {
  std::vector<std::byte> bytes(threads.size() * kRecordBytes);
  std::byte* record = bytes.data();
  for (const ThreadRegisters& thread : threads) {
    std::memcpy(record, thread.r.data(), sizeof thread.r);
    std::memcpy(record + kLongsOffset, thread.d.data(), sizeof thread.d);
    std::memcpy(record + kHalvesOffset, thread.h.data(), sizeof thread.h);
    for (std::size_t p = 0; p < 4; ++p) record[kPredicatesOffset + 4 * p] = std::byte{thread.p[p]};
    record += kRecordBytes;
  }
  return bytes;
}

std::vector<ThreadRegisters> threads_of(std::span<const std::byte> records) {
  std::vector<ThreadRegisters> threads(records.size() / kRecordBytes);
  const std::byte* record = records.data();
  for (ThreadRegisters& thread : threads) {
    std::memcpy(thread.r.data(), record, sizeof thread.r);
    std::memcpy(thread.d.data(), record + kLongsOffset, sizeof thread.d);
    std::memcpy(thread.h.data(), record + kHalvesOffset, sizeof thread.h);
    for (std::size_t p = 0; p < 4; ++p) thread.p[p] = record[kPredicatesOffset + 4 * p] != std::byte{0};
    record += kRecordBytes;
  }
  return threads;
}

Records::Records(simt::DeviceMemory& memory, const std::vector<ThreadRegisters>& threads)
    : count_(threads.size()),
      records_address_(memory.allocate(threads.size() * kRecordBytes, "records")),
      out_address_(memory.allocate(kOutBytes, "out")),
      records_(memory.find(records_address_, threads.size() * kRecordBytes)),
      out_(memory.find(out_address_, kOutBytes)) {
  const std::vector<std::byte> bytes = bytes_of(threads);
  std::memcpy(records_, bytes.data(), bytes.size());
}

std::vector<std::byte> Records::parameters() const {
  const std::array<std::uint64_t, 2> addresses{records_address_, out_address_};
  std::vector<std::byte> bytes(sizeof addresses);
  std::memcpy(bytes.data(), addresses.data(), sizeof addresses);
  return bytes;
}

Outcome Records::outcome() const {
  Outcome outcome;
  outcome.threads = threads_of({records_, count_ * kRecordBytes});
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
