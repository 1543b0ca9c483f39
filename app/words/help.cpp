// See help.h.
#include "app/words/help.h"

#include <algorithm>

namespace invar::app {

namespace {

constexpr std::size_t width = 80, widest_first_column = 26;

// Columns that a text takes: its characters, not its bytes.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::vector<std::string> lines_of(std::string_view paragraph, std::size_t room) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < paragraph.size();) {
    const std::size_t end = std::min(paragraph.find(' ', at), paragraph.size());
    const std::string word(paragraph.substr(at, end - at));
    at = end + 1;
    if (!lines.back().empty() && columns(lines.back()) + 1 + columns(word) > room) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with("  "))  // an example, as it stands
      result += std::string(indent, ' ') + std::string(line) + "\n";
    else
      for (const std::string& part : lines_of(line, width - indent))
        result += (part.empty() ? "" : std::string(indent, ' ')) + part + "\n";
    at = end + 1;
  }
  return result;
}

std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t first = 0;
  for (const auto& [name, words] : rows)
    if (columns(name) <= widest_first_column) first = std::max(first, columns(name));
  const std::size_t indent = 2 + first + 2;
  std::string result;
  for (const auto& [name, words] : rows) {
    std::string line = "  " + name;
    if (columns(name) > first)
      line += "\n" + std::string(indent, ' ');
    else
      line += std::string(indent - 2 - columns(name), ' ');
    for (const std::string& part : lines_of(words, width - indent)) {
      result += line + part + "\n";
      line = std::string(indent, ' ');
    }
  }
  return result;
}

std::string shown_option(const Option& option) {
  return option.name + (option.value.empty() ? "" : " " + option.value);
}

std::string usage(const Command& command) {
  return "invar " + command.verb + (command.arguments.empty() ? "" : " " + command.arguments) +
         (command.options.empty() ? "" : " [options]");
}

std::string overview() {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Command& command : commands())
    rows.emplace_back("invar " + command.verb + (command.arguments.empty() ? "" : " " + command.arguments),
                      command.help);
  return "Invar: " + std::string(program_summary) + "\n\nUsage: invar COMMAND …\n\n" + two_columns(rows) + "\n" +
         two_columns({{"invar COMMAND --help", "what a command takes"},
                      {"invar help TOPIC", "about an option, a scheme, a table of the model file, an exit status …"},
                      {"invar --version [--full]", "the version; with its compiler, libraries and sources"}}) +
         "\n" + wrapped("A first model: invar new crane, then invar simulate crane.toml.");
}

std::string help_on(const Command& command) {
  std::string text = wrapped("invar " + command.verb + ": " + command.help) + "\nUsage: " + usage(command) + "\n";
  if (!command.about.empty()) text += "\n" + wrapped(command.about);
  if (command.options.empty()) return text;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Option& option : command.options) rows.emplace_back(shown_option(option), option.help);
  return text + "\nOptions:\n" + two_columns(rows);
}

}  // namespace invar::app
