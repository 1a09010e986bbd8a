// Training step of a neural network after Rodinia's backprop (Che et al. 2009): inputs, one hidden layer of 16 units,
// one output, sigmoids, gradient descent with momentum. As in the original the loops over a layer's units are parallel,
// so that at most 16 threads have work, and weights lie input by input, each input's row in memory of its own: who
// follows a unit's weights loads a pointer for each.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "common/command.h"
#include "common/random.h"
#include "common/verdict.h"

namespace {

constexpr int kHidden = 16;
constexpr float kLearningRate = 0.3f, kMomentum = 0.3f;

// A row of numbers for each unit of a lower layer.
class Rows {
 public:
  Rows(int count, int length) : length_(length) {
    for (int row = 0; row < count; ++row) rows_.push_back(std::make_unique<float[]>(length));
  }
  Rows(const Rows& other) : Rows(static_cast<int>(other.rows_.size()), other.length_) {
    for (std::size_t row = 0; row < rows_.size(); ++row) std::copy_n(other.rows_[row].get(), length_, rows_[row].get());
  }
  Rows& operator=(Rows other) {
    rows_.swap(other.rows_);
    length_ = other.length_;
    return *this;
  }

  float* operator[](int row) { return rows_[row].get(); }
  const float* operator[](int row) const { return rows_[row].get(); }

 private:
  std::vector<std::unique_ptr<float[]>> rows_;
  int length_;
};

// Weights between two layers. Unit 0 of the lower layer is the constant 1, whose weights are the thresholds; the upper
// layer's unit 0 has none.
struct Connections {
  Connections(int lower, int upper)
      : lower(lower), upper(upper), weights(lower + 1, upper + 1), changes(lower + 1, upper + 1) {}

  int lower, upper;
  Rows weights, changes;  // [unit of the lower layer][unit of the upper layer]
};

extern "C" [[gnu::noinline]] void backprop_worker_forward(const Connections& connections, const float* below,
                                                          float* above) {
  const int lower = connections.lower, upper = connections.upper;
#pragma omp parallel for schedule(static)
  for (int unit = 1; unit <= upper; ++unit) {
    float sum = 0;
    for (int input = 0; input <= lower; ++input) sum += connections.weights[input][unit] * below[input];
    above[unit] = static_cast<float>(1 / (1 + std::exp(-double{sum})));
  }
}

extern "C" [[gnu::noinline]] void backprop_worker_adjust(Connections& connections, const float* below,
                                                         const float* errors) {
  const int lower = connections.lower, upper = connections.upper;
#pragma omp parallel for schedule(static)
  for (int unit = 1; unit <= upper; ++unit)
    for (int input = 0; input <= lower; ++input) {
      const float change = kLearningRate * errors[unit] * below[input] + kMomentum * connections.changes[input][unit];
      connections.weights[input][unit] += change;
      connections.changes[input][unit] = change;
    }
}

struct Network {
  explicit Network(int inputs) : to_hidden(inputs, kHidden), to_output(kHidden, 1) {}

  Connections to_hidden, to_output;
};

// Errors are times the sigmoid's slope; those of hidden units come from before the output's weights are adjusted.
void train(Network& network, const std::vector<float>& inputs, float target) {
  std::vector<float> hidden(kHidden + 1, 1), output(2, 1), hidden_errors(kHidden + 1);
  backprop_worker_forward(network.to_hidden, inputs.data(), hidden.data());
  backprop_worker_forward(network.to_output, hidden.data(), output.data());
  const std::vector<float> output_errors = {0, output[1] * (1 - output[1]) * (target - output[1])};
  for (int unit = 1; unit <= kHidden; ++unit)
    hidden_errors[unit] = hidden[unit] * (1 - hidden[unit]) * output_errors[1] * network.to_output.weights[unit][1];
  backprop_worker_adjust(network.to_output, hidden.data(), output_errors.data());
  backprop_worker_adjust(network.to_hidden, inputs.data(), hidden_errors.data());
}

// The same step in double precision, unit by unit, from the network before it. Expects `got` to be the network after.
void check(spmd::Verdict& verdict, const Network& before, const Network& got, const std::vector<float>& inputs,
           double target) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const auto expect = [&](const char* layer, const Connections& old, const Connections& now, int lower, int upper,
                          double slope) {
    const int number = lower * now.upper + upper - 1;
    const double change = double{kLearningRate} * slope + double{kMomentum} * old.changes[lower][upper];
    verdict.near(layer, number, now.changes[lower][upper], change, 1e-7);
    verdict.near(layer, number, now.weights[lower][upper], old.weights[lower][upper] + change, 1e-6);
  };
  const int count = static_cast<int>(inputs.size());
  std::vector<double> hidden = {1};
  for (int unit = 1; unit <= kHidden; ++unit) {
    double sum = 0;
    for (int input = 0; input < count; ++input) sum += double{inputs[input]} * before.to_hidden.weights[input][unit];
    hidden.push_back(sigmoid(sum));
  }
  double sum = 0;
  for (int unit = 0; unit <= kHidden; ++unit) sum += hidden[unit] * before.to_output.weights[unit][1];
  const double output = sigmoid(sum), error = output * (1 - output) * (target - output);
  for (int unit = 0; unit <= kHidden; ++unit)
    expect("output weight", before.to_output, got.to_output, unit, 1, error * hidden[unit]);
  for (int unit = 1; unit <= kHidden; ++unit) {
    const double share = hidden[unit] * (1 - hidden[unit]) * error * before.to_output.weights[unit][1];
    for (int input = 0; input < count; ++input)
      expect("hidden weight", before.to_hidden, got.to_hidden, input, unit, share * inputs[input]);
  }
}

// Weights as small as keeps the sigmoids out of saturation.
void randomise(Connections& connections, double scale, spmd::Random& random) {
  for (int lower = 0; lower <= connections.lower; ++lower)
    for (int upper = 1; upper <= connections.upper; ++upper)
      connections.weights[lower][upper] = static_cast<float>(scale * random.between(-1, 1));
}

}  // namespace

int main(int argc, char** argv) {
  const spmd::Command command(argc, argv, {{"INPUTS", 512, 1 << 16, 1, 1 << 22}, {"STEPS", 2, 3, 1, 1000}});
  omp_set_num_threads(command.threads());
  spmd::Random random(9);
  Network network(command[0]);
  randomise(network.to_hidden, 1 / std::sqrt(command[0]), random);
  randomise(network.to_output, 1, random);
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
  std::printf("backprop: %d inputs, output weight 1 now %.6f\n", command[0], network.to_output.weights[1][1]);
  return verdict.conclude();
}
