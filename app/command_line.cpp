// See command_line.h. Words are read by the table of commands; what is wrong with one is said about what was typed.
#include "app/command_line.h"

#include <algorithm>
#include <set>

#include "app/about_build.h"
#include "app/words/arguments.h"
#include "app/words/command.h"
#include "app/words/help.h"
#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/record/summary.h"

namespace invar::app {

namespace {

std::vector<std::string> verbs() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.push_back(command.verb);
  return names;
}

const Command& command_called(const std::string& verb) {
  if (const Command* command = find_command(verb)) return *command;
  if (verb.empty()) throw InputError("say what to do, such as invar simulate MODEL; see invar --help");
  if (verb.front() == '-') throw InputError("unknown option " + verb + "; a command comes first; see invar --help");
  const std::string meant = suggestion(verb, verbs());
  throw InputError("unknown command " + in_quotes(verb) + (meant.empty() ? "; see invar --help" : meant));
}

// The commands that have an option which this one lacks.
std::vector<std::string> others_with(std::string_view option) {
  std::vector<std::string> found;
  for (const Command& command : commands())
    if (find_option(command, option)) found.push_back(command.verb);
  return found;
}

[[noreturn]] void refuse_option(const Command& command, const std::string& name) {
  std::vector<std::string> known;
  for (const Option& option : command.options) known.push_back(option.name);
  const std::string see = "; see invar " + command.verb + " --help", meant = suggestion(name, known);
  if (!meant.empty()) throw InputError("unknown option " + name + meant);
  const std::vector<std::string> others = others_with(name);
  throw InputError("unknown option " + name + (others.empty() ? "" : ", which is one of " + one_of(others)) + see);
}

// A unit behind a value, as in --step 10 ms.
bool is_after_number(const std::vector<std::string>& words, std::size_t place) {
  return place > 0 && !words[place - 1].empty() &&
         words[place - 1].find_first_not_of("0123456789.e+-") == std::string::npos &&
         words[place].find_first_not_of("abcdefghijklmnopqrstuvwxyzANWH/^2") == std::string::npos;
}

// Whether these words are all that there are, so that another one is a mistake.
bool is_closed(Words words) {
  return words == Words::formulation || words == Words::format || words == Words::task || words == Words::kind ||
         words == Words::shell || words == Words::sampling;
}

// What follows the verb.
class Reader {
 public:
  Reader(const Command& command, std::vector<std::string> words) : command_(command), words_(std::move(words)) {
    line_.command = &command;
    line_.task = command.task;
  }

  CommandLine read() {
    for (; next_ < words_.size(); ++next_) {
      const std::string& word = words_[next_];
      if (!only_arguments_ && word == "--")
        only_arguments_ = true;
      else if (!only_arguments_ && word.size() > 1 && word.front() == '-' && command_.words != Words::topic)
        take_option(word);
      else
        take_argument(word);
    }
    if (line_.arguments.size() < command_.least)
      throw InputError("missing " + command_.arguments + "; write " + usage(command_) +
                       (is_closed(command_.words)
                            ? ", " + command_.arguments + " being " + one_of(known_words(command_.words))
                            : std::string()));
    if (command_.words == Words::model) line_.model = line_.arguments.front();
    return std::move(line_);
  }

 private:
  void take_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option* option = find_option(command_, name);
    if (option == nullptr) refuse_option(command_, name);
    if (!given_.insert(name).second && !option->repeats) throw InputError(name + " is given twice");
    if (option->value.empty()) {
      if (equals != std::string::npos) throw InputError(name + " takes no value");
      return option->take(line_, {});
    }
    if (equals != std::string::npos) return take_value(*option, word.substr(equals + 1));
    const bool is_last = next_ + 1 == words_.size();
    if (is_last || (words_[next_ + 1].starts_with("--") && find_option(command_, words_[next_ + 1])))
      throw InputError(name + " needs a value: " + name + " " + option->value);
    take_value(*option, words_[++next_]);
  }

  void take_value(const Option& option, const std::string& value) {
    if (is_closed(option.words)) require_known(value, known_words(option.words), option.name);
    option.take(line_, value);
  }

  void take_argument(const std::string& word) {
    if (command_.words == Words::topic && !line_.arguments.empty()) {  // exit status
      line_.arguments.front() += " " + word;
      return;
    }
    if (line_.arguments.size() == command_.most)
      throw InputError("too many words: " + word +
                       (is_after_number(words_, next_) ? "; values are SI without units"
                                                       : "; see invar " + command_.verb + " --help"));
    if (is_closed(command_.words)) require_known(word, known_words(command_.words), command_.verb);
    line_.arguments.push_back(word);
  }

  const Command& command_;
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  bool only_arguments_ = false;
  std::set<std::string> given_;
  CommandLine line_;
};

// --version, which may be followed by --full.
std::string version_asked(const std::vector<std::string>& rest) {
  const bool full = rest == std::vector<std::string>{"--full"};
  if (!rest.empty() && !full) throw InputError("invar --version may be followed by --full, not by " + rest.front());
  return full ? about_this_build() : "invar " + program_version() + "\n";
}

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h"; }

}  // namespace

Parsed parse_command_line(int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const std::string first = words.empty() ? std::string() : words.front();
  try {
    if (asks_for_help(first)) return {std::nullopt, overview(), 0};
    if (first == "--version") return {std::nullopt, version_asked({words.begin() + 1, words.end()}), 0};
    const Command& command = command_called(first);
    const auto rest = words.begin() + 1;
    if (std::any_of(rest, std::find(rest, words.end(), "--"), asks_for_help))
      return {std::nullopt, help_on(command), 0};
    return {Reader(command, {rest, words.end()}).read(), {}, 0};
  } catch (const InputError& e) {
    return {std::nullopt, std::string("invar: ") + e.what() + "\n", 1};
  }
}

}  // namespace invar::app
