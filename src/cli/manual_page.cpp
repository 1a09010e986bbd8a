#include "cli/manual_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace warpfork::cli {

namespace {

/// Backslashes and hyphens mean something else there, as does a dot or an apostrophe at the begin of a line.
std::string escaped(std::string_view text) {
  std::string result;
  bool at_begin = true;
  for (const char c : text) {
    if (at_begin && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    at_begin = c == '\n';
  }
  return result;
}

/// Lines that stay as they are.
std::string verbatim(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.empty() ? "" : fmt::format(".nf\n{}\n.fi\n", escaped(text));
}

std::string option_text(const OptionHelp& option) {
  std::string head = fmt::format("\\fB{}\\fR", escaped(fmt::format("{}", fmt::join(option.names, ", "))));
  if (option.names.empty()) head.clear();
  if (!option.value.empty()) head += fmt::format("{}\\fI{}\\fR", head.empty() ? "" : " ", escaped(option.value));
  return fmt::format(".TP\n{}\n{}\n", head, escaped(option.description));
}

std::string body(const CommandHelp& command) {
  std::string text = verbatim(command.usage);
  for (const OptionHelp& option : command.options) text += option_text(option);
  if (!command.footer.empty()) text += ".PP\n" + verbatim(command.footer);
  return text;
}

std::string sections(const CommandHelp& of, const std::string& path) {
  std::string text;
  for (const CommandHelp& command : of.commands) {
    const std::string name = path + " " + command.name;
    text += fmt::format(".SS \"{}\"\n{}\n{}", escaped(name), escaped(command.summary), body(command));
    text += sections(command, name);
  }
  return text;
}

}  // namespace

std::string manual_page(const CommandHelp& program, const std::string& version) {
  return fmt::format(".TH {} 1 \"\" \"{}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}.SH COMMANDS\n{}", program.name,
                     version, program.name, escaped(program.summary), body(program), sections(program, program.name));
}

}  // namespace warpfork::cli
