// Tables of records' keys in the documentation. With WARPFORK_UPDATE_GOLDENS set they are rewritten
// (scripts/update_goldens.sh): what is then to be read is their diff.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "unit/report/record_documents.h"

namespace warpfork::report {

inline std::string text_of(const char* file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

inline void expect_file(const char* file, const std::string& text) {
  if (std::getenv("WARPFORK_UPDATE_GOLDENS") != nullptr) std::ofstream(file) << text;
  EXPECT_EQ(text_of(file), text) << "scripts/update_goldens.sh rewrites " << file;
}

/// By the key of the record, of the outermost one by this name.
inline std::map<std::string, std::string> tables_of(const std::vector<PublishedKey>& keys,
                                                    const std::string& outermost) {
  std::map<std::string, std::string> tables;
  for (const PublishedKey& key : keys) {
    std::string& table = tables[key.record.empty() ? outermost : key.record];
    if (table.empty()) table = "| key | unit | definition |\n| --- | --- | --- |\n";
    table += "| `" + key.name + "` | " + key.unit + " | " + key.doc + " |\n";
  }
  return tables;
}

/// The text with each table between the lines `<!-- keys of NAME -->` and `<!-- end of NAME -->`.
inline std::string with_tables(std::string text, const std::map<std::string, std::string>& tables) {
  for (const auto& [name, table] : tables) {
    const std::string head = "<!-- keys of " + name + " -->\n", end = "<!-- end of " + name + " -->\n";
    const std::size_t from = text.find(head), to = text.find(end);
    if (from == std::string::npos || to == std::string::npos)
      ADD_FAILURE() << "there is no place for the keys of " << name << ": " << head << end;
    else
      text = text.substr(0, from + head.size()) + table + text.substr(to);
  }
  return text;
}

/// Each key by its record and name: expects that it has a unit and a definition, and that no other is called so.
inline std::set<std::pair<std::string, std::string>> documented(const std::vector<PublishedKey>& keys) {
  std::set<std::pair<std::string, std::string>> names;
  for (const PublishedKey& key : keys) {
    EXPECT_NE(key.unit, "") << key.name;
    EXPECT_GT(key.doc.size(), 2u) << key.name;
    EXPECT_TRUE(names.emplace(key.record, key.name).second) << key.record << " has two keys " << key.name;
  }
  return names;
}

}  // namespace warpfork::report
