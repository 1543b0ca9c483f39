// See completion.h. What can follow is asked of the table when the script is written, not while a user types.
#include "app/words/completion.h"

#include "app/words/command.h"

namespace invar::app {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

bool are_files(Words words) { return words == Words::model || words == Words::file || words == Words::folder; }

// In single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// ---- bash ----

std::string bash_choice(Words words) {
  std::string line = "COMPREPLY=($(compgen";
  if (const std::string known = joined(known_words(words)); !known.empty()) line += " -W " + quoted(known);
  if (words == Words::folder) line += " -d";
  if (words == Words::file || words == Words::model || words == Words::any) line += " -f";
  return line + " -- \"$current\"))";
}

std::string bash() {
  std::string script =
      "# Completion of invar for bash, written by `invar completion bash`.\n"
      "_invar() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n"
      "  # bash takes --method=x for three words\n"
      "  if [ \"$current\" = = ]; then current=\n"
      "  elif [ \"$before\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W " +
      quoted([] {
        std::vector<std::string> verbs;
        for (const Command& command : commands()) verbs.push_back(command.verb);
        return joined(verbs) + " --help --version";
      }()) +
      " -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"$verb $before\" in\n";
  for (const Command& command : commands())
    for (const Option& option : command.options)
      if (!option.value.empty())
        script += "    '" + command.verb + " " + option.name + "') " + bash_choice(option.words) + "; return ;;\n";
  script += "  esac\n  case \"$verb\" in\n";
  for (const Command& command : commands()) {
    std::vector<std::string> options = {"--help"};
    for (const Option& option : command.options) options.push_back(option.name);
    script += "    " + command.verb + ") case \"$current\" in\n      -*) COMPREPLY=($(compgen -W " +
              quoted(joined(options)) + " -- \"$current\")) ;;\n";
    if (command.most > 0) script += "      *) " + bash_choice(command.words) + " ;;\n";
    script += "    esac ;;\n";
  }
  return script + "  esac\n}\ncomplete -o filenames -F _invar invar\n";
}

// ---- zsh ----

// Colons and brackets have a meaning in specifications.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(Words words) {
  const std::string known = joined(known_words(words));
  if (words == Words::model) return "{ _files; compadd -- " + known + " }";
  if (words == Words::folder) return "_files -/";
  if (words == Words::file || known.empty()) return "_files";
  return "(" + known + ")";
}

std::string zsh() {
  std::string script =
      "#compdef invar\n# Completion of invar for zsh, written by `invar completion zsh`.\n_invar() {\n"
      "  if (( CURRENT == 2 )); then\n    local -a verbs\n    verbs=(\n";
  for (const Command& command : commands())
    script += "      " + quoted(command.verb + ":" + zsh_text(command.help)) + "\n";
  script +=
      "    )\n    _describe command verbs\n    return\n  fi\n  local verb=$words[2]\n  shift words\n"
      "  (( CURRENT-- ))\n  case $verb in\n";
  for (const Command& command : commands()) {
    script += "    " + command.verb + ") _arguments '--help[what it takes]'";
    for (const Option& option : command.options) {
      script += " \\\n      " +
                quoted((option.repeats ? "*" : "") + option.name + (option.value.empty() ? "" : "=") + "[" +
                       zsh_text(option.help) + "]" +
                       (option.value.empty()
                            ? ""
                            : ":" + zsh_text(option.value) + ":" +
                                  (option.words == Words::any ? std::string(" ") : zsh_action(option.words))));
    }
    if (command.most > 0)
      script += " \\\n      " + quoted((command.most > 1 ? "*:" : "1:") + zsh_text(command.arguments) + ":" +
                                       zsh_action(command.words));
    script += " ;;\n";
  }
  return script + "  esac\n}\n_invar \"$@\"\n";
}

// ---- fish ----

std::string fish() {
  std::string script = "# Completion of invar for fish, written by `invar completion fish`.\ncomplete -c invar -f\n";
  for (const Command& command : commands()) {
    script += "complete -c invar -n __fish_use_subcommand -a " + command.verb + " -d " + quoted(command.help) + "\n";
    const std::string here = "complete -c invar -n '__fish_seen_subcommand_from " + command.verb + "'";
    if (command.most > 0) {
      const std::string known = joined(known_words(command.words));
      script += here + (are_files(command.words) ? " -F" : "") + (known.empty() ? "" : " -a " + quoted(known)) + "\n";
    }
    for (const Option& option : command.options) {
      const std::string known = joined(known_words(option.words));
      script += here + " -l " + option.name.substr(2) + " -d " + quoted(option.help);
      if (!option.value.empty()) script += known.empty() ? " -r" : " -x -a " + quoted(known);
      if (!option.value.empty() && are_files(option.words)) script += " -F";
      script += "\n";
    }
  }
  return script;
}

}  // namespace

std::string completion_script(const std::string& shell) {
  return shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish();
}

}  // namespace invar::app
