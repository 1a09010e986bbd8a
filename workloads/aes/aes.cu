// Encryption with AES-256, block by block (FIPS 197, ECB mode): AES of the spatio-temporal SIMT paper's Table II, one
// of the programs of Bakhoda et al. 2009. Four threads encrypt a block of 16 bytes, each a column of its state;
// SubBytes, ShiftRows and MixColumns of a round are four looks into tables (Daemen and Rijmen, AES proposal,
// section 5.2.1).
//
// Never diverges; the looks into tables collide in the banks of shared memory as the data have it.
#include "../common/check.h"
#include "cipher.h"

// Not in the unnamed namespace: there clang 14 takes it for a constant that the host never sets.
__constant__ unsigned round_keys[4 * (aes::kRounds + 1)];

namespace {

constexpr int kThreads = 256;

__device__ inline unsigned byte_of(unsigned column, int row) { return column >> (8 * row) & 0xff; }

// The words of `table` hold what a byte in row 0 adds to each row of the new column. The tables for the other rows are
// the same, turned by one byte more each.
__global__ void encrypt(const unsigned* __restrict__ plain, const unsigned* __restrict__ table, unsigned* cipher) {
  __shared__ unsigned tables[4][256];
  __shared__ unsigned stages[2][kThreads];  // the state of 64 blocks, before and after a round
  const int thread = static_cast<int>(threadIdx.x);
  const int mine = static_cast<int>(blockIdx.x) * kThreads + thread;
  const int column = thread % 4;
  const int second = thread - column + (column + 1) % 4, third = thread - column + (column + 2) % 4,
            fourth = thread - column + (column + 3) % 4;  // ShiftRows: rows 1 to 3 come from these columns

  const unsigned entry = table[thread];
  tables[0][thread] = entry;
  tables[1][thread] = entry << 8 | entry >> 24;
  tables[2][thread] = entry << 16 | entry >> 16;
  tables[3][thread] = entry << 24 | entry >> 8;
  stages[0][thread] = plain[mine] ^ round_keys[column];
  __syncthreads();

#pragma unroll
  for (int round = 1; round < aes::kRounds; ++round) {
    const unsigned* const from = stages[(round - 1) % 2];
    stages[round % 2][thread] = tables[0][byte_of(from[thread], 0)] ^ tables[1][byte_of(from[second], 1)] ^
                                tables[2][byte_of(from[third], 2)] ^ tables[3][byte_of(from[fourth], 3)] ^
                                round_keys[4 * round + column];
    __syncthreads();
  }

  // The last round has no MixColumns: the S-box itself stands in the second byte of table 0.
  const unsigned* const from = stages[(aes::kRounds - 1) % 2];
  const auto substitute = [&](int at, int row) { return byte_of(tables[0][byte_of(from[at], row)], 1) << (8 * row); };
  cipher[mine] = (substitute(thread, 0) | substitute(second, 1) | substitute(third, 2) | substitute(fourth, 3)) ^
                 round_keys[4 * aes::kRounds + column];
}

// What a byte in row 0 adds to its column: MixColumns of its substitute.
std::vector<unsigned> make_table() {
  std::vector<unsigned> table;
  for (int value = 0; value < 256; ++value) {
    const unsigned one = aes::substitute(static_cast<unsigned char>(value));
    const unsigned two = aes::doubled(static_cast<unsigned char>(one));
    table.push_back(two | one << 8 | one << 16 | (two ^ one) << 24);
  }
  return table;
}

// Bytes of a state, in order, are the bytes of its columns from the lowest on.
std::vector<unsigned> columns_of(const std::vector<unsigned char>& bytes) {
  std::vector<unsigned> columns(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) columns[i / 4] |= static_cast<unsigned>(bytes[i]) << (i % 4 * 8);
  return columns;
}

// The example of FIPS 197, appendix C.3: the reference itself is right.
void check_reference() {
  std::vector<unsigned char> state, key;
  for (int i = 0; i < 16; ++i) state.push_back(static_cast<unsigned char>(0x11 * i));
  for (int i = 0; i < 32; ++i) key.push_back(static_cast<unsigned char>(i));
  aes::encrypt(state.data(), aes::expand_key(key));
  workload::expect_equal(
      "example of FIPS 197", state,
      {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89});
}

std::vector<unsigned char> random_bytes(workload::Random& random, int count) {
  std::vector<unsigned char> bytes;
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<unsigned char>(random.below(256)));
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  int blocks = 257;
  workload::Options("aes", "encryption with AES-256 by tables in shared memory, checked exactly")
      .number("--kilobytes", blocks, 1, 65536, "kilobytes of text, 1024 bytes each; a block of threads encrypts one")
      .parse(argc, argv);
  check_reference();

  workload::Random random(29);
  const std::vector<unsigned char> key = aes::expand_key(random_bytes(random, 32));
  std::vector<unsigned char> text = random_bytes(random, blocks * 4 * kThreads);
  const std::vector<unsigned> key_columns = columns_of(key), plain_columns = columns_of(text);
  CUDA_CHECK(cudaMemcpyToSymbol(round_keys, key_columns.data(), key_columns.size() * sizeof(unsigned)));

  const workload::DeviceArray<unsigned> plain(plain_columns), table(make_table()), cipher(plain_columns.size());
  encrypt<<<blocks, kThreads>>>(plain.get(), table.get(), cipher.get());
  CUDA_CHECK(cudaGetLastError());
  const std::vector<unsigned> got = cipher.download();

  for (std::size_t i = 0; i < text.size(); i += 16) aes::encrypt(text.data() + i, key);
  workload::expect_equal("columns of cipher text", got, columns_of(text));
  return workload::pass();
}
