#include "unit/x86/decoder_forms.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warpfork::x86 {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    const auto begin = part.find_first_not_of(' ');
    if (begin != std::string::npos) parts.push_back(part.substr(begin, part.find_last_not_of(' ') + 1 - begin));
  }
  return parts;
}

Form parse(const std::string& line) {
  const std::vector<std::string> columns = split(line, '|');
  if (columns.size() != 3) throw std::runtime_error("a form has three columns: " + line);
  Form form;
  for (const std::string& byte : split(columns[0], ' '))
    form.bytes.push_back(static_cast<std::uint8_t>(std::stoul(byte, nullptr, 16)));
  form.assembly = columns[1];
  for (const std::string& uop : split(columns[2], ';')) form.uops.push_back(with_sorted_sources(uop));
  return form;
}

}  // namespace

std::string with_sorted_sources(const std::string& uop) {
  const auto arrow = uop.find(" <");
  if (arrow == std::string::npos) return uop;
  std::vector<std::string> sources = split(uop.substr(arrow + 2), ' ');
  std::ranges::sort(sources);
  std::string text = uop.substr(0, arrow + 2);
  for (const std::string& source : sources) text += " " + source;
  return text;
}

std::vector<Form> decoder_forms() {
  const std::string name = "tests/unit/x86/decoder_forms.txt";
  std::ifstream file(name);
  if (!file) throw std::runtime_error("cannot read " + name);
  std::vector<Form> forms;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') forms.push_back(parse(line));
  return forms;
}

}  // namespace warpfork::x86
