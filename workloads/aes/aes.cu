// Encryption with AES-128, block by block (FIPS 197, ECB mode): AES of the spatio-temporal SIMT paper's Table II, one
// of the programs of Bakhoda et al. 2009 that come with GPGPU-Sim. Four threads encrypt a block of 16 bytes, each a
// column of its state; SubBytes, ShiftRows and MixColumns of a round are four looks into tables (Daemen and Rijmen,
// AES proposal, section 5.2.1).
//
// Which memory holds what is as in the original: every thread copies a word of each of four tables from constant to
// shared memory; the state goes to and fro between two arrays in shared memory and is read by bytes; whose column a
// byte comes from is looked up in constant memory in every round; round keys come through the texture cache.
//
// Never diverges; the looks into tables collide in the banks of shared memory as the data have it.
#include "../common/check.h"
#include "cipher.h"

// What a byte in row 0, 1, 2 or 3 adds to each row of the new column.
// Not in the unnamed namespace: there clang 14 takes these for constants that the host never sets.
__constant__ unsigned row_0_table[256];
__constant__ unsigned row_1_table[256];
__constant__ unsigned row_2_table[256];
__constant__ unsigned row_3_table[256];
// ShiftRows: the column that the byte in row r of column c comes from is at 4 c + r.
__constant__ unsigned char source_columns[16];

namespace {

constexpr int kThreads = 256;

__global__ void encrypt(const unsigned* plain, const unsigned* round_keys, unsigned* cipher) {
  // The state of 64 blocks, before and after a round.
  __shared__ unsigned stage_1[kThreads];
  __shared__ unsigned stage_2[kThreads];
  __shared__ unsigned table_0[256];
  __shared__ unsigned table_1[256];
  __shared__ unsigned table_2[256];
  __shared__ unsigned table_3[256];
  const unsigned thread = threadIdx.x, mine = blockIdx.x * kThreads + thread;
  const unsigned column = thread % 4, first_column = thread / 4 * 4;

  stage_1[thread] = plain[mine];
  table_0[thread] = row_0_table[thread];
  table_1[thread] = row_1_table[thread];
  table_2[thread] = row_2_table[thread];
  table_3[thread] = row_3_table[thread];
  __syncthreads();

  stage_2[thread] = stage_1[thread] ^ __ldg(round_keys + column);
  __syncthreads();

  const auto byte_of = [](const unsigned* words, unsigned index, unsigned byte) {
    return reinterpret_cast<const unsigned char*>(words + index)[byte];
  };
  const auto shifted = [&](const unsigned* stage, unsigned row) {
    return byte_of(stage, source_columns[4 * column + row] + first_column, row);
  };

#pragma unroll
  for (unsigned round = 1; round < aes::kRounds; ++round) {
    const unsigned* const from = round % 2 == 1 ? stage_2 : stage_1;
    unsigned* const to = round % 2 == 1 ? stage_1 : stage_2;
    to[thread] = table_0[shifted(from, 0)] ^ table_1[shifted(from, 1)] ^ table_2[shifted(from, 2)] ^
                 table_3[shifted(from, 3)] ^ __ldg(round_keys + column + 4 * round);
    __syncthreads();
  }

  // The last round has no MixColumns: the S-box itself stands in the highest byte of the table for row 1.
  const unsigned key = __ldg(round_keys + column + 4 * aes::kRounds);
  auto* const last = reinterpret_cast<unsigned char*>(stage_2 + thread);
  const unsigned row_0 = shifted(stage_1, 0), row_1 = shifted(stage_1, 1), row_2 = shifted(stage_1, 2),
                 row_3 = shifted(stage_1, 3);
  last[3] = static_cast<unsigned char>(byte_of(table_1, row_3, 3) ^ key >> 24);
  last[2] = static_cast<unsigned char>(byte_of(table_1, row_2, 3) ^ (key >> 16 & 0xff));
  last[1] = static_cast<unsigned char>(byte_of(table_1, row_1, 3) ^ (key >> 8 & 0xff));
  last[0] = static_cast<unsigned char>(byte_of(table_1, row_0, 3) ^ (key & 0xff));
  __syncthreads();

  cipher[mine] = stage_2[thread];
}

// What a byte in `row` adds to its column: MixColumns of its substitute. A row further turns it by one byte more.
std::vector<unsigned> make_table(int row) {
  std::vector<unsigned> table;
  for (int value = 0; value < 256; ++value) {
    const unsigned one = aes::substitute(static_cast<unsigned char>(value));
    const unsigned two = aes::doubled(static_cast<unsigned char>(one));
    const unsigned added[4] = {two, one, one, two ^ one};
    unsigned entry = 0;
    for (int to = 0; to < 4; ++to) entry |= added[(to - row + 4) % 4] << (8 * to);
    table.push_back(entry);
  }
  return table;
}

std::vector<unsigned char> make_source_columns() {
  std::vector<unsigned char> sources;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row) sources.push_back(static_cast<unsigned char>((column + row) % 4));
  return sources;
}

template <class Element, std::size_t kCount>
void fill_constant(Element (&symbol)[kCount], const std::vector<Element>& values) {
  CUDA_CHECK(cudaMemcpyToSymbol(symbol, values.data(), kCount * sizeof(Element)));
}

// Bytes of a state, in order, are the bytes of its columns from the lowest on.
std::vector<unsigned> columns_of(const std::vector<unsigned char>& bytes) {
  std::vector<unsigned> columns(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) columns[i / 4] |= static_cast<unsigned>(bytes[i]) << (i % 4 * 8);
  return columns;
}

void check_example(const char* what, const std::vector<unsigned char>& key, std::vector<unsigned char> state,
                   const std::vector<unsigned char>& cipher) {
  aes::encrypt(state.data(), aes::expand_key(key));
  workload::expect_equal(what, state, cipher);
}

// The examples of FIPS 197, appendices B and C.1: the reference itself is right.
void check_reference() {
  check_example("example of FIPS 197, appendix B",
                {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c},
                {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34},
                {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32});
  check_example("example of FIPS 197, appendix C.1",
                {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f},
                {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff},
                {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a});
}

std::vector<unsigned char> random_bytes(workload::Random& random, int count) {
  std::vector<unsigned char> bytes;
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<unsigned char>(random.below(256)));
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  int blocks = 257;
  workload::Options("aes", "encryption with AES-128 by tables in shared memory, checked exactly")
      .number("--kilobytes", blocks, 1, 65536, "kilobytes of text, 1024 bytes each; a block of threads encrypts one")
      .parse(argc, argv);
  check_reference();

  workload::Random random(29);
  const std::vector<unsigned char> key = aes::expand_key(random_bytes(random, 16));
  std::vector<unsigned char> text = random_bytes(random, blocks * 4 * kThreads);
  fill_constant(row_0_table, make_table(0));
  fill_constant(row_1_table, make_table(1));
  fill_constant(row_2_table, make_table(2));
  fill_constant(row_3_table, make_table(3));
  fill_constant(source_columns, make_source_columns());

  const workload::DeviceArray<unsigned> plain(columns_of(text)), round_keys(columns_of(key)), cipher(text.size() / 4);
  encrypt<<<blocks, kThreads>>>(plain.get(), round_keys.get(), cipher.get());
  CUDA_CHECK(cudaGetLastError());
  const std::vector<unsigned> got = cipher.download();

  for (std::size_t i = 0; i < text.size(); i += 16) aes::encrypt(text.data() + i, key);
  workload::expect_equal("columns of cipher text", got, columns_of(text));
  return workload::pass();
}
