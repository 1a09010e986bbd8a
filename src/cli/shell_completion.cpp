#include "cli/shell_completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <string_view>
#include <vector>

namespace warpfork::cli {

namespace {

/// Calls `visit` with each command and the words that name it.
void each_command(const CommandHelp& command, const std::string& path,
                  const std::function<void(const CommandHelp&, const std::string&)>& visit) {
  visit(command, path);
  for (const CommandHelp& part : command.commands) each_command(part, path + " " + part.name, visit);
}

/// A pattern of `case` that all commands match but the program's own name.
std::string paths(const CommandHelp& program) {
  std::vector<std::string> quoted;
  each_command(program, program.name, [&](const CommandHelp& command, const std::string& path) {
    if (&command != &program) quoted.push_back("'" + path + "'");
  });
  return fmt::format("{}", fmt::join(quoted, " | "));
}

/// Words in single quotes for a shell; `:` parts a word from its description for zsh.
std::string described(std::string_view word, std::string_view description) {
  std::string text = "'" + std::string(word) + ":";
  for (const char c : description) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

constexpr std::string_view kBash = R"(# bash completion for {0}
_{0}() {{
  local path={0} word commands='' options=''
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path $word" in
      {1}) path="$path $word" ;;
      *) break ;;
    esac
  done
  case $path in
{2}  esac
  word=${{COMP_WORDS[COMP_CWORD]}}
  if [[ $word == -* ]]; then commands=$options; fi
  COMPREPLY=($(compgen -W "$commands" -- "$word"))
}}
complete -o default -F _{0} {0}
)";

constexpr std::string_view kZsh = R"(#compdef {0}
_{0}() {{
  local line={0} word
  local -a commands options
  for word in ${{words[2,CURRENT-1]}}; do
    case "$line $word" in
      {1}) line="$line $word" ;;
      *) break ;;
    esac
  done
  case $line in
{2}  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}}
_{0} "$@"
)";

}  // namespace

std::string bash_completion(const CommandHelp& program) {
  std::string cases;
  each_command(program, program.name, [&](const CommandHelp& command, const std::string& path) {
    std::vector<std::string> commands, options;
    for (const CommandHelp& part : command.commands) commands.push_back(part.name);
    for (const OptionHelp& option : command.options)
      options.insert(options.end(), option.names.begin(), option.names.end());
    cases += fmt::format("    '{}') commands='{}' options='{}' ;;\n", path, fmt::join(commands, " "),
                         fmt::join(options, " "));
  });
  return fmt::format(kBash, program.name, paths(program), cases);
}

std::string zsh_completion(const CommandHelp& program) {
  std::string cases;
  each_command(program, program.name, [&](const CommandHelp& command, const std::string& path) {
    std::vector<std::string> commands, options;
    for (const CommandHelp& part : command.commands) commands.push_back(described(part.name, part.summary));
    for (const OptionHelp& option : command.options)
      for (const std::string& name : option.names) options.push_back(described(name, option.description));
    cases += fmt::format("    '{}') commands=({}) options=({}) ;;\n", path, fmt::join(commands, " "),
                         fmt::join(options, " "));
  });
  return fmt::format(kZsh, program.name, paths(program), cases);
}

}  // namespace warpfork::cli
