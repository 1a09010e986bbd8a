// The tables of the result store and how a point's document fills them; docs/sweep.md explains every column.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "report/json.h"
#include "results/database.h"
#include "results/line_columns.h"

namespace warpfork::results {

/// Makes the tables in an empty database, and fills them.
class Tables {
 public:
  explicit Tables(Database& database);

  /// A point's document, of a result or a failure. Throws Error if a key that the tables need is missing.
  void add(const std::string& id, const report::Json& document);
  /// Makes what is asked: views in which every row has its point's hashes and overrides, and each axis as a column.
  void make_views();

 private:
  void add_point(const std::string& id, const report::Json& document);
  void add_groups(const std::string& id, const report::Json& groups, const report::Json& kernels);
  void add_launch(const std::string& id, std::size_t number, report::Json launch);
  void add_branch(const std::string& id, std::size_t number, const report::Json& branch);
  void add_instructions(const std::string& id, std::size_t number, const report::Json& launch);

  Database& database_;
  const std::vector<LineColumn> columns_ = line_columns();
  Statement points_, axes_, groups_, launches_, branches_, instructions_;
  std::set<std::string> axis_names_;
};

}  // namespace warpfork::results
