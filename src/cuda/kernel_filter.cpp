#include "cuda/kernel_filter.h"

#include "base/demangled_name.h"
#include "report/kernel_name.h"

namespace warpfork::cuda {

KernelFilter::KernelFilter(const std::string& expression)
    : all_(expression.empty()), expression_(expression, std::regex::extended) {}

bool KernelFilter::matches(const std::string& ptx_name) const {
  return all_ || std::regex_search(ptx_name, expression_) ||
         std::regex_search(report::readable_kernel_name(ptx_name), expression_) ||
         std::regex_search(demangled_name(ptx_name), expression_);
}

}  // namespace warpfork::cuda
