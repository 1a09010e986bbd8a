#include "report/sampling_error.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "report/launch_totals.h"
#include "report/record_sum.h"

namespace warpfork::report {

namespace {

/// Lists the keys and values of all numbers but facts and largest ones.
class NumberVisitor : public RecordVisitor {
 public:
  NumberVisitor(std::string prefix, std::vector<std::pair<std::string, double>>& numbers)
      : prefix_(std::move(prefix)), numbers_(numbers) {}

  template <class Value, class... About>
  void count(const char* name, const Value& value, About&&...) {
    add(prefix_ + name, value);
  }
  template <class Value, class... About>
  void rate(const char* name, const Value& value, About&&...) {
    add(prefix_ + name, value);
  }
  template <class Value, class... About>
  void note(const char* name, const Value& value, About&&...) {
    add(prefix_ + name, value);
  }
  template <class Group>
  void group(const char* name, Group&& group, const char*) {
    group.visit(NumberVisitor(prefix_ + name + ".", numbers_));
  }

 private:
  template <class Value>
  void add(const std::string& key, const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>)
      numbers_.emplace_back(key, static_cast<double>(value));
    else if constexpr (requires { std::is_arithmetic_v<std::remove_cvref_t<decltype(*value.begin())>>; })
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(*value.begin())>> &&
                    !std::is_same_v<Value, std::string>) {
        std::size_t index = 0;
        for (const auto& item : value) add(key + "." + std::to_string(index++), item);
      }
  }

  std::string prefix_;
  std::vector<std::pair<std::string, double>>& numbers_;
};

std::vector<std::pair<std::string, double>> numbers_of(LaunchRecord record) {
  std::vector<std::pair<std::string, double>> numbers;
  record.visit(NumberVisitor("", numbers));
  return numbers;
}

}  // namespace

/// Fisher and Yates, Statistical Tables, table III.
double student_t_975(std::size_t freedom) {
  static constexpr std::array kQuantiles = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                            2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                            2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  return kQuantiles.at(freedom - 1);
}

SamplingError::SamplingError(std::span<const LaunchRecord> launches) {
  for (const LaunchRecord& launch : launches)
    if (!launch.sample.replicates.empty()) sampled_.push_back(&launch);
  if (!sampled_.empty()) sums_ = sum_launches(launches).sums;
}

std::vector<double> SamplingError::with(const LaunchRecord& launch, const Counts& others,
                                        const Numbers& numbers) const {
  const Counts own = counts_of(launch);
  Counts counts = counts_of(sums_);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += others[i] - own[i];
  LaunchRecord record = sums_;
  put_counts(record, counts);
  return numbers(record);
}

/// Launches are sampled independently of one another: their variances add up. What the blocks that warm up would have
/// changed says how much may be left of it behind them.
std::vector<double> SamplingError::of(const Numbers& numbers) const {
  const std::vector<double> estimate = numbers(sums_);
  std::vector<double> squares(estimate.size());
  for (const LaunchRecord* launch : sampled_) {
    const SampleCount& sample = launch->sample;
    const auto count = static_cast<double>(sample.replicates.size());
    std::vector<std::vector<double>> values;
    for (const Counts& replicate : sample.replicates) values.push_back(with(*launch, replicate, numbers));
    const std::vector<double> warm = with(*launch, sample.with_warm_up, numbers);
    const double t = student_t_975(values.size() - 1), factor = t * t * (count - 1) / count * (1 - sample.sampled_part);
    for (std::size_t i = 0; i < squares.size(); ++i) {
      double mean = 0;  // of what they are above the first: 0 if all are alike
      for (const std::vector<double>& value : values) mean += (value[i] - values.front()[i]) / count;
      for (const std::vector<double>& value : values)
        squares[i] += factor * std::pow(value[i] - values.front()[i] - mean, 2);
      squares[i] += std::pow(warm[i] - estimate[i], 2);
    }
  }
  for (double& square : squares) square = std::sqrt(square);
  return squares;
}

HalfIntervals SamplingError::half_intervals() const {
  HalfIntervals halves;
  if (sampled_.empty()) return halves;
  const std::vector<double> of_all = of([](const LaunchRecord& record) {
    std::vector<double> values;
    for (const auto& [key, value] : numbers_of(record)) values.push_back(value);
    return values;
  });
  const auto numbers = numbers_of(sums_);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (of_all[i] != 0) halves[numbers[i].first] = of_all[i];
  return halves;
}

double SamplingError::of(const Number& number) const {
  return of(Numbers([&](const LaunchRecord& record) { return std::vector{number(record)}; })).front();
}

std::string SamplingError::of_share(const Number& share) const {
  return sampled_.empty() ? "" : fmt::format(" ± {:.1f}", 100 * of(share));
}

std::string SamplingError::relative(const Number& number) const {
  if (sampled_.empty()) return "";
  const double estimate = number(sums_);
  return estimate == 0 ? "" : fmt::format(" ± {:.1f} %", 100 * of(number) / estimate);
}

}  // namespace warpfork::report
