// One training step of a neural network with one hidden layer of 16: BP of Rodinia as the papers describe it, one
// kernel for the forward pass of the input layer, one for its new weights; the small rest runs on the host.
//
// The forward kernel sums over 16 inputs by a tree in shared memory. As in Rodinia's, each step finds its distance by
// special functions, a power of two from a logarithm's loop, and its rows by a remainder: the spatio-temporal SIMT
// paper (section 5.9) has scalars gain most here, since these functions are the same for all threads. The arrays have
// an element for the bias in front, in every row of weights, too, and constants of the new weights are double.
#include "../common/check.h"

namespace {

constexpr int kHidden = 16;          // hidden units: threadIdx.x
constexpr int kInputsPerBlock = 16;  // inputs of a block: threadIdx.y
constexpr int kRow = kHidden + 1;    // weights of an input; the first belongs to no unit
constexpr double kLearningRate = 0.3;
constexpr double kMomentum = 0.3;

// The weight of an input (0 = the bias) and a unit, from 0.
__host__ __device__ inline int weight_of(int input, int unit) { return input * kRow + unit + 1; }

// partial[block][unit] = the sum, over the inputs of a block, of input times weight. The products' sums, as far as the
// tree has come, take the weights' place.
__global__ void forward(const float* input, float* weights, float* partial) {
  __shared__ float value[kInputsPerBlock];
  __shared__ float product[kInputsPerBlock][kHidden];
  const int unit = static_cast<int>(threadIdx.x), local = static_cast<int>(threadIdx.y);
  const int index = kInputsPerBlock * static_cast<int>(blockIdx.y) + local + 1;

  if (unit == 0) value[local] = input[index];
  __syncthreads();
  product[local][unit] = weights[weight_of(index, unit)];
  __syncthreads();
  product[local][unit] *= value[local];
  __syncthreads();

  for (int step = 1; step <= __log2f(kInputsPerBlock); ++step) {
    const int rows = static_cast<int>(__powf(2.0f, static_cast<float>(step)));
    if (local % rows == 0) product[local][unit] += product[local + rows / 2][unit];
    __syncthreads();
  }
  weights[weight_of(index, unit)] = product[local][unit];
  __syncthreads();
  if (unit == 0) partial[static_cast<int>(blockIdx.y) * kHidden + local] = product[0][local];
}

// What a weight changes by: rate * delta of its unit * input + momentum * what it changed by the last time.
__device__ inline double change(float delta, float input, float before) {
  return kLearningRate * delta * input + kMomentum * before;
}

__global__ void adjust_weights(const float* delta, const float* input, float* weights, float* changes) {
  const int unit = static_cast<int>(threadIdx.x);
  const int index = kInputsPerBlock * static_cast<int>(blockIdx.y) + static_cast<int>(threadIdx.y) + 1;
  const int at = weight_of(index, unit);
  weights[at] += change(delta[unit + 1], input[index], changes[at]);
  changes[at] = change(delta[unit + 1], input[index], changes[at]);
  __syncthreads();

  if (threadIdx.y == 0 && blockIdx.y == 0) {  // the bias, whose input is always 1
    weights[unit + 1] += kLearningRate * delta[unit + 1] + kMomentum * changes[unit + 1];
    changes[unit + 1] = kLearningRate * delta[unit + 1] + kMomentum * changes[unit + 1];
  }
}

// Every array begins with the bias; of `weights` and `changes` a row's first element is nobody's, and 0.
struct Network {
  std::vector<float> input;           // 1 + inputs, the first is 1
  std::vector<float> weights;         // (1 + inputs) x kRow
  std::vector<float> changes;         // of the weights, in the step before
  std::vector<float> output_weights;  // 1 + kHidden
  float target = 0.1f;

  int inputs() const { return static_cast<int>(input.size()) - 1; }
};

Network make_network(int inputs) {
  workload::Random random(13);
  Network network;
  const float scale = 1.0f / std::sqrt(static_cast<float>(inputs));
  network.input.push_back(1.0f);
  for (int i = 0; i < inputs; ++i) network.input.push_back(random.unit());
  network.weights.resize(network.input.size() * kRow);
  network.changes.resize(network.weights.size());
  for (int i = 0; i <= inputs; ++i)
    for (int unit = 0; unit < kHidden; ++unit) {
      network.weights[weight_of(i, unit)] = scale * (random.unit() - 0.5f);
      network.changes[weight_of(i, unit)] = scale * 0.01f * random.unit();
    }
  for (int i = 0; i <= kHidden; ++i) network.output_weights.push_back(random.unit() - 0.5f);
  return network;
}

double squash(double sum) { return 1.0 / (1.0 + std::exp(-sum)); }

// The host's part: the output and, from its error, the delta of every hidden unit. A hidden unit and a delta for the
// bias come first.
std::vector<double> hidden_deltas(const Network& network, const std::vector<double>& hidden) {
  double sum = 0.0;
  for (int unit = 0; unit <= kHidden; ++unit) sum += network.output_weights[unit] * hidden[unit];
  const double output = squash(sum);
  const double output_delta = output * (1.0 - output) * (network.target - output);
  std::vector<double> deltas;
  for (int unit = 0; unit <= kHidden; ++unit)
    deltas.push_back(hidden[unit] * (1.0 - hidden[unit]) * output_delta * network.output_weights[unit]);
  return deltas;
}

struct Step {
  std::vector<double> hidden, sums, weights, changes;  // `sums`: what the forward kernel leaves in the weights' place
};

// The tree over the products of each block, as the kernel goes up it.
std::vector<double> tree_sums(const Network& network) {
  std::vector<double> sums(network.weights.begin(), network.weights.end());
  for (int i = 1; i <= network.inputs(); ++i)
    for (int unit = 0; unit < kHidden; ++unit) sums[weight_of(i, unit)] *= network.input[i];
  for (int first = 1; first <= network.inputs(); first += kInputsPerBlock)
    for (int rows = 2; rows <= kInputsPerBlock; rows *= 2)
      for (int local = 0; local < kInputsPerBlock; local += rows)
        for (int unit = 0; unit < kHidden; ++unit)
          sums[weight_of(first + local, unit)] += sums[weight_of(first + local + rows / 2, unit)];
  return sums;
}

Step reference(const Network& network) {
  Step step;
  step.sums = tree_sums(network);
  step.hidden.push_back(1.0);
  for (int unit = 0; unit < kHidden; ++unit) {
    double sum = 0.0;
    for (int i = 0; i <= network.inputs(); ++i)
      sum += static_cast<double>(network.input[i]) * network.weights[weight_of(i, unit)];
    step.hidden.push_back(squash(sum));
  }
  const std::vector<double> deltas = hidden_deltas(network, step.hidden);
  step.weights.assign(network.weights.begin(), network.weights.end());
  step.changes.assign(network.changes.begin(), network.changes.end());
  for (int i = 0; i <= network.inputs(); ++i)
    for (int unit = 0; unit < kHidden; ++unit) {
      const int at = weight_of(i, unit);
      step.changes[at] = kLearningRate * deltas[unit + 1] * network.input[i] + kMomentum * network.changes[at];
      step.weights[at] += step.changes[at];
    }
  return step;
}

}  // namespace

int main(int argc, char** argv) {
  int blocks = 256;
  workload::Options("backprop", "one training step of a neural network, checked against double precision")
      .number("--size", blocks, 1, 65535, "inputs of the network in blocks of 16")
      .parse(argc, argv);

  const Network network = make_network(blocks * kInputsPerBlock);
  const workload::DeviceArray<float> input(network.input), sums(network.weights);
  const workload::DeviceArray<float> partial(static_cast<std::size_t>(blocks) * kHidden);
  const dim3 grid(1, blocks), block(kHidden, kInputsPerBlock);
  forward<<<grid, block>>>(input.get(), sums.get(), partial.get());
  CUDA_CHECK(cudaGetLastError());

  std::vector<double> hidden(network.weights.begin(), network.weights.begin() + kRow);
  hidden[0] = 1.0;
  const std::vector<float> parts = partial.download();
  for (std::size_t i = 0; i < parts.size(); ++i) hidden[i % kHidden + 1] += parts[i];
  for (int unit = 1; unit <= kHidden; ++unit) hidden[unit] = squash(hidden[unit]);

  const std::vector<double> deltas = hidden_deltas(network, hidden);
  const workload::DeviceArray<float> device_deltas(std::vector<float>(deltas.begin(), deltas.end()));
  const workload::DeviceArray<float> weights(network.weights), changes(network.changes);
  adjust_weights<<<grid, block>>>(device_deltas.get(), input.get(), weights.get(), changes.get());
  CUDA_CHECK(cudaGetLastError());

  const Step expected = reference(network);
  workload::expect_near("sums of products", sums.download(), expected.sums, 1e-5);
  workload::expect_near("hidden units", std::vector<float>(hidden.begin(), hidden.end()), expected.hidden, 1e-5);
  workload::expect_near("weight changes", changes.download(), expected.changes, 1e-7);
  workload::expect_near("weights", weights.download(), expected.weights, 1e-5);
  return workload::pass();
}
