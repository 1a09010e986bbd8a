#include "cuda/kernel_filter.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "report/kernel_name.h"

namespace warpfork::cuda {

namespace {

/// A name that is not of C++ stays as it is.
std::string with_parameters(const std::string& ptx_name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(ptx_name.c_str(), nullptr, nullptr, &status), std::free);
  return ptx_name.starts_with("_Z") && status == 0 ? demangled.get() : ptx_name;
}

}  // namespace

KernelFilter::KernelFilter(const std::string& expression)
    : all_(expression.empty()), expression_(expression, std::regex::extended) {}

bool KernelFilter::matches(const std::string& ptx_name) const {
  return all_ || std::regex_search(ptx_name, expression_) ||
         std::regex_search(report::readable_kernel_name(ptx_name), expression_) ||
         std::regex_search(with_parameters(ptx_name), expression_);
}

}  // namespace warpfork::cuda
