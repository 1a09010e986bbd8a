// One training step of a neural network with one hidden layer of 16: BP of Rodinia as the papers describe it, one
// kernel for the forward pass of the input layer, one for its new weights; the small rest runs on the host.
//
// The forward kernel sums over 16 inputs by a tree in shared memory: at each step half of the remaining rows fall out.
#include "../common/check.h"

namespace {

constexpr int kHidden = 16;          // hidden units: threadIdx.x
constexpr int kInputsPerBlock = 16;  // inputs of a block: threadIdx.y
constexpr float kLearningRate = 0.3f;
constexpr float kMomentum = 0.3f;

// partial[block][unit] = the sum, over the inputs of a block, of input times weight.
// `weights` holds, for the bias and then every input, a weight per hidden unit.
__global__ void forward(const float* input, const float* weights, float* partial) {
  __shared__ float value[kInputsPerBlock];
  __shared__ float product[kInputsPerBlock][kHidden];
  const int unit = static_cast<int>(threadIdx.x), local = static_cast<int>(threadIdx.y);
  const int index = kInputsPerBlock * static_cast<int>(blockIdx.y) + local;

  if (unit == 0) value[local] = input[index];
  __syncthreads();
  product[local][unit] = weights[(index + 1) * kHidden + unit] * value[local];
  __syncthreads();

  for (int distance = 1; distance < kInputsPerBlock; distance *= 2) {
    if (local % (2 * distance) == 0) product[local][unit] += product[local + distance][unit];
    __syncthreads();
  }
  if (local == 0) partial[static_cast<int>(blockIdx.y) * kHidden + unit] = product[0][unit];
}

// weight += rate * delta of its unit * input + momentum * what the weight changed by the last time.
__global__ void adjust_weights(const float* delta, const float* input, float* weights, float* changes) {
  const int unit = static_cast<int>(threadIdx.x);
  const int index = kInputsPerBlock * static_cast<int>(blockIdx.y) + static_cast<int>(threadIdx.y);
  const int at = (index + 1) * kHidden + unit;
  const float change = kLearningRate * delta[unit] * input[index] + kMomentum * changes[at];
  weights[at] += change;
  changes[at] = change;

  if (index == 0) {  // the bias, whose input is always 1
    const float bias_change = kLearningRate * delta[unit] + kMomentum * changes[unit];
    weights[unit] += bias_change;
    changes[unit] = bias_change;
  }
}

struct Network {
  std::vector<float> input;           // one value per input
  std::vector<float> weights;         // (1 + inputs) x kHidden, the bias first
  std::vector<float> changes;         // of the weights, in the step before
  std::vector<float> output_weights;  // 1 + kHidden, the bias first
  float target = 0.1f;
};

Network make_network(int inputs) {
  workload::Random random(13);
  Network network;
  const float scale = 1.0f / std::sqrt(static_cast<float>(inputs));
  for (int i = 0; i < inputs; ++i) network.input.push_back(random.unit());
  for (int i = 0; i < (inputs + 1) * kHidden; ++i) {
    network.weights.push_back(scale * (random.unit() - 0.5f));
    network.changes.push_back(scale * 0.01f * random.unit());
  }
  for (int i = 0; i <= kHidden; ++i) network.output_weights.push_back(random.unit() - 0.5f);
  return network;
}

double squash(double sum) { return 1.0 / (1.0 + std::exp(-sum)); }

// The host's part: the output and, from its error, the delta of every hidden unit.
std::vector<double> hidden_deltas(const Network& network, const std::vector<double>& hidden) {
  double sum = network.output_weights[0];
  for (int unit = 0; unit < kHidden; ++unit) sum += network.output_weights[unit + 1] * hidden[unit];
  const double output = squash(sum);
  const double output_delta = output * (1.0 - output) * (network.target - output);
  std::vector<double> deltas;
  for (int unit = 0; unit < kHidden; ++unit)
    deltas.push_back(hidden[unit] * (1.0 - hidden[unit]) * output_delta * network.output_weights[unit + 1]);
  return deltas;
}

struct Step {
  std::vector<double> hidden, weights, changes;
};

Step reference(const Network& network) {
  Step step;
  for (int unit = 0; unit < kHidden; ++unit) {
    double sum = network.weights[unit];
    for (std::size_t i = 0; i < network.input.size(); ++i)
      sum += static_cast<double>(network.input[i]) * network.weights[(i + 1) * kHidden + unit];
    step.hidden.push_back(squash(sum));
  }
  const std::vector<double> deltas = hidden_deltas(network, step.hidden);
  for (std::size_t at = 0; at < network.weights.size(); ++at) {
    const double input = at < kHidden ? 1.0 : network.input[at / kHidden - 1];
    step.changes.push_back(kLearningRate * deltas[at % kHidden] * input + kMomentum * network.changes[at]);
    step.weights.push_back(network.weights[at] + step.changes.back());
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
  const workload::DeviceArray<float> input(network.input), weights(network.weights), changes(network.changes);
  const workload::DeviceArray<float> partial(static_cast<std::size_t>(blocks) * kHidden);
  const dim3 grid(1, blocks), block(kHidden, kInputsPerBlock);
  forward<<<grid, block>>>(input.get(), weights.get(), partial.get());
  CUDA_CHECK(cudaGetLastError());

  std::vector<double> sums(network.weights.begin(), network.weights.begin() + kHidden);
  const std::vector<float> parts = partial.download();
  for (std::size_t i = 0; i < parts.size(); ++i) sums[i % kHidden] += parts[i];
  std::vector<float> hidden;
  for (double& sum : sums) hidden.push_back(static_cast<float>(sum = squash(sum)));

  const std::vector<double> deltas = hidden_deltas(network, sums);
  const workload::DeviceArray<float> device_deltas(std::vector<float>(deltas.begin(), deltas.end()));
  adjust_weights<<<grid, block>>>(device_deltas.get(), input.get(), weights.get(), changes.get());
  CUDA_CHECK(cudaGetLastError());

  const Step expected = reference(network);
  workload::expect_near("hidden units", hidden, expected.hidden, 1e-5);
  workload::expect_near("weight changes", changes.download(), expected.changes, 1e-7);
  workload::expect_near("weights", weights.download(), expected.weights, 1e-5);
  return workload::pass();
}
