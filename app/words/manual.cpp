// See manual.h.
#include "app/words/manual.h"

#include "app/words/command.h"
#include "app/words/help.h"
#include "invar/record/summary.h"

namespace invar::app {

namespace {

// Text in roff: a line must not begin with a dot or quote, a hyphen is a minus, a backslash is one.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool begins = result.empty() || result.back() == '\n';
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

// What follows the command; no line at all if nothing does, since an empty one parts paragraphs.
std::string synopsis(const Command& command) {
  std::string words = roff(command.arguments);
  if (!command.options.empty()) words += words.empty() ? "[options]" : " [options]";
  return words.empty() ? words : words + "\n";
}

void add_command(std::string& page, const Command& command) {
  page += ".SS " + roff("invar " + command.verb + (command.arguments.empty() ? "" : " " + command.arguments)) + "\n" +
          roff(command.help) + ".\n";
  if (!command.about.empty()) page += ".PP\n" + roff(command.about) + "\n";
  for (const Option& option : command.options)
    page += ".TP\n.B " + roff(shown_option(option)) + "\n" + roff(option.help) + "\n";
}

}  // namespace

std::string manual_page() {
  std::string page = ".TH INVAR 1 \"\" \"Invar " + program_version() + "\" \"User commands\"\n.SH NAME\ninvar \\- " +
                     roff(program_summary) + "\n.SH SYNOPSIS\n";
  for (const Command& command : commands()) page += ".B invar " + command.verb + "\n" + synopsis(command) + ".br\n";
  page += ".SH COMMANDS\n";
  for (const Command& command : commands()) add_command(page, command);
  page += ".SH EXIT STATUS\n";
  for (const ExitStatus& status : exit_statuses)
    page += ".TP\n.B " + std::to_string(status.status) + "\n" + roff(status.meaning) + "\n";
  return page;
}

std::string manual_markdown() {
  std::string page =
      "# The command line\n\nThis page is printed by `invar manual --markdown`, from the table by which the command "
      "line is read. What the files hold is\ntold in [format.md](format.md).\n\n| command | |\n| --- | --- |\n";
  const auto call = [](const Command& c) { return "invar " + c.verb + (c.arguments.empty() ? "" : " " + c.arguments); };
  for (const Command& command : commands())
    page += "| [`" + call(command) + "`](#invar-" + command.verb + ") | " + command.help + " |\n";
  for (const Command& command : commands()) {
    page += "\n## invar " + command.verb + "\n\n    " + usage(command) + "\n\nTo " + command.help + ".\n";
    if (!command.about.empty()) page += "\n" + command.about + "\n";
    if (command.options.empty()) continue;
    page += "\n| option | |\n| --- | --- |\n";
    for (const Option& option : command.options) page += "| `" + shown_option(option) + "` | " + option.help + " |\n";
  }
  page += "\n## Exit status\n\n| status | |\n| --- | --- |\n";
  for (const ExitStatus& status : exit_statuses)
    page += "| " + std::to_string(status.status) + " | " + std::string(status.meaning) + " |\n";
  return page;
}

}  // namespace invar::app
