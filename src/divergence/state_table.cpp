#include "divergence/state_table.h"

#include <algorithm>
#include <utility>

namespace warpfork {

namespace {

constexpr unsigned kNameWidth = 6, kPcWidth = 5;

std::string without_trailing_blanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// Of a column with a name, with the blanks that part it from the one before.
std::string cell(const StateTable::Column& column, const std::string& value, bool is_first, std::size_t lanes_width) {
  const std::size_t width = std::max(column.name.size(), lanes_width);
  switch (column.kind) {
    case StateTable::Kind::ProgramCounter:
      return fmt::format("{}{:>{}}", is_first ? "" : " ", value, kPcWidth);
    case StateTable::Kind::Number:
      return fmt::format("  {:>{}}", value, column.name.size());
    case StateTable::Kind::Mask:
      return fmt::format("  {:<{}}", value, width);
    case StateTable::Kind::Text:
      break;
  }
  return "  " + value;
}

}  // namespace

std::string text_of(const StateTable& table) {
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  const auto line = [&](const std::string& head, const auto& value_of) {
    std::string text = fmt::format("{:<{}}", head, kNameWidth), behind;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& value = value_of(i);
      if (!table.columns[i].name.empty())
        text += cell(table.columns[i], value, i == 0, widths[i]);
      else if (!value.empty())
        behind += "  " + value;
    }
    return without_trailing_blanks(without_trailing_blanks(std::move(text)) + behind) + "\n";
  };
  std::string text = line(table.name, [&](std::size_t i) -> const std::string& { return table.columns[i].name; });
  for (const auto& row : table.rows) text += line("", [&](std::size_t i) -> const std::string& { return row[i]; });
  return table.note.empty() ? text : text + table.note + "\n";
}

std::string text_of(const std::vector<StateTable>& tables) {
  std::string text;
  for (const StateTable& table : tables) text += text_of(table);
  return text;
}

}  // namespace warpfork
