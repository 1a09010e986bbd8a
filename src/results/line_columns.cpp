#include "results/line_columns.h"

#include "report/line_count.h"
#include "report/record_visitor.h"

namespace warpfork::results {

namespace {

class CountNames : public report::RecordVisitor {
 public:
  CountNames(std::string object, std::vector<LineColumn>& columns) : object_(std::move(object)), columns_(columns) {}

  template <class... About>
  void count(const char* name, About&&...) {
    const report::Json::json_pointer place(object_.empty() ? "" : "/" + object_);
    columns_.push_back({object_.empty() ? name : object_ + "_" + name, place / name});
  }
  template <class Group>
  void group(const char* name, Group&& group, const char*) {
    group.visit(CountNames(name, columns_));
  }

 private:
  std::string object_;
  std::vector<LineColumn>& columns_;
};

}  // namespace

std::vector<LineColumn> line_columns() {
  std::vector<LineColumn> columns;
  report::LineCount().visit(CountNames("", columns));
  return columns;
}

}  // namespace warpfork::results
