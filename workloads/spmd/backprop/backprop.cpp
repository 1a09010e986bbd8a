// Training step of a neural network after Rodinia's backprop (Che et al. 2009): inputs, one hidden layer of 16 units,
// one output, sigmoids, gradient descent with momentum. As in the original the loops over a layer's units are parallel,
// so that at most 16 threads have work, and weights lie input by input: a unit's are a column.
#include <omp.h>

#include <cmath>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/verdict.h"

namespace {

constexpr int kHidden = 16;
constexpr float kLearningRate = 0.3f, kMomentum = 0.3f;

// Weights between two layers. Unit 0 of the lower layer is the constant 1, whose weights are the thresholds.
struct Connections {
  Connections(int lower, int upper) : lower(lower), upper(upper), weights((lower + 1) * upper), changes(weights) {}

  int lower, upper;
  std::vector<float> weights, changes;  // [unit of the lower layer][unit of the upper layer]
};

extern "C" [[gnu::noinline]] void backprop_worker_forward(const Connections& connections,
                                                          const std::vector<float>& below, std::vector<float>& above) {
  const int upper = connections.upper;
#pragma omp parallel for schedule(static)
  for (int unit = 0; unit < upper; ++unit) {
    float sum = 0;
    for (int input = 0; input <= connections.lower; ++input)
      sum += connections.weights[input * upper + unit] * below[input];
    above[unit + 1] = 1 / (1 + std::exp(-sum));
  }
}

extern "C" [[gnu::noinline]] void backprop_worker_adjust(Connections& connections, const std::vector<float>& below,
                                                         const std::vector<float>& errors) {
  const int upper = connections.upper;
#pragma omp parallel for schedule(static)
  for (int unit = 0; unit < upper; ++unit)
    for (int input = 0; input <= connections.lower; ++input) {
      const int weight = input * upper + unit;
      const float change = kLearningRate * errors[unit] * below[input] + kMomentum * connections.changes[weight];
      connections.weights[weight] += change;
      connections.changes[weight] = change;
    }
}

struct Network {
  explicit Network(int inputs) : to_hidden(inputs, kHidden), to_output(kHidden, 1) {}

  Connections to_hidden, to_output;
};

// Errors are times the sigmoid's slope; those of hidden units come from before the output's weights are adjusted.
void train(Network& network, const std::vector<float>& inputs, float target) {
  std::vector<float> hidden(kHidden + 1, 1), output(2, 1);
  backprop_worker_forward(network.to_hidden, inputs, hidden);
  backprop_worker_forward(network.to_output, hidden, output);
  const std::vector<float> output_errors = {output[1] * (1 - output[1]) * (target - output[1])};
  std::vector<float> hidden_errors;
  for (int unit = 1; unit <= kHidden; ++unit)
    hidden_errors.push_back(hidden[unit] * (1 - hidden[unit]) * output_errors[0] * network.to_output.weights[unit]);
  backprop_worker_adjust(network.to_output, hidden, output_errors);
  backprop_worker_adjust(network.to_hidden, inputs, hidden_errors);
}

// The same step in double precision, unit by unit, from the network before it. Expects `got` to be the network after.
void check(spmd::Verdict& verdict, const Network& before, const Network& got, const std::vector<float>& inputs,
           double target) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const auto expect = [&](const char* layer, const Connections& old, const Connections& now, int weight, double slope) {
    const double change = double{kLearningRate} * slope + double{kMomentum} * old.changes[weight];
    verdict.near(layer, weight, now.changes[weight], change, 1e-7);
    verdict.near(layer, weight, now.weights[weight], old.weights[weight] + change, 1e-6);
  };
  std::vector<double> hidden = {1};
  for (int unit = 0; unit < kHidden; ++unit) {
    double sum = 0;
    for (std::size_t input = 0; input < inputs.size(); ++input)
      sum += double{inputs[input]} * before.to_hidden.weights[input * kHidden + unit];
    hidden.push_back(sigmoid(sum));
  }
  double sum = 0;
  for (int unit = 0; unit <= kHidden; ++unit) sum += hidden[unit] * before.to_output.weights[unit];
  const double output = sigmoid(sum), error = output * (1 - output) * (target - output);
  for (int unit = 0; unit <= kHidden; ++unit)
    expect("output weight", before.to_output, got.to_output, unit, error * hidden[unit]);
  for (int unit = 0; unit < kHidden; ++unit) {
    const double share = hidden[unit + 1] * (1 - hidden[unit + 1]) * error * before.to_output.weights[unit + 1];
    for (std::size_t input = 0; input < inputs.size(); ++input)
      expect("hidden weight", before.to_hidden, got.to_hidden, static_cast<int>(input) * kHidden + unit,
             share * inputs[input]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"INPUTS", 512, 1 << 16, 1, 1 << 22}, {"STEPS", 2, 3, 1, 1000}});
  omp_set_num_threads(command.threads());
  spmd::Random random(9);
  Network network(command[0]);
  const double scale = 1 / std::sqrt(command[0]);  // keeps the sigmoids out of saturation
  for (float& weight : network.to_hidden.weights) weight = static_cast<float>(scale * random.between(-1, 1));
  for (float& weight : network.to_output.weights) weight = static_cast<float>(random.between(-1, 1));
  std::vector<float> inputs = {1};
  for (int i = 0; i < command[0]; ++i) inputs.push_back(static_cast<float>(random.unit()));

  constexpr float kTarget = 0.1f;
  Network before = network;
  for (int step = 0; step < command[1]; ++step) {
    before = network;
    train(network, inputs, kTarget);
  }

  spmd::Verdict verdict;
  check(verdict, before, network, inputs, kTarget);
  std::printf("backprop: %d inputs, output weight 1 now %.6f\n", command[0], network.to_output.weights[1]);
  return verdict.conclude();
}
