// See watch.h. A save during a run ends it and begins another one. Nothing is written: the page is kept in memory.
#include "app/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "app/commands.h"
#include "app/examples.h"
#include "app/results/result_rows.h"
#include "app/results/work.h"
#include "app/serve/file_watch.h"
#include "app/serve/page_server.h"
#include "app/serve/watch_page.h"
#include "app/streams.h"
#include "app/terminal.h"
#include "invar/base/characters.h"
#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/base/private_files.h"
#include "invar/model/file/document.h"
#include "invar/read/read_problem.h"
#include "invar/report/page/page.h"
#include "invar/report/page/run_words.h"
#include "invar/task/table/tasks.h"

namespace invar::app {

namespace {

using Clock = std::chrono::steady_clock;
using Path = std::filesystem::path;

// Words between quotes, whatever the file says with them: also where it is no TOML for the moment.
std::set<std::string> quoted_words(const std::string& text) {
  constexpr std::size_t longest = 300;
  std::set<std::string> words;
  for (const char quote : {'"', '\''})
    for (std::size_t from = text.find(quote); from != text.npos; from = text.find(quote, from + 1)) {
      const std::size_t end = text.find_first_of(std::string("\n") + quote, from + 1);
      if (end != text.npos && text[end] == quote && end - from < longest)
        words.insert(text.substr(from + 1, end - from - 1));
    }
  return words;
}

// Long runs keep a sample of their rows only if the rows go somewhere.
class Nowhere : public RowSink {
 public:
  void begin(const std::vector<std::string>&, std::size_t) override {}
  void append(std::span<const double>) override {}
  void finish() override {}
};

// What the page is told.
struct News {
  std::size_t report = 0;  // so many there were
  std::string error;       // as JSON
  std::string said;
};

std::string in_json(const News& news) {
  nlohmann::json event = news.error.empty() ? nlohmann::json::object() : nlohmann::json::parse(news.error);
  event["report"] = news.report;
  event["said"] = news.said;
  return event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// One model that is run again and again.
class Watched {
 public:
  explicit Watched(const CommandLine& command)
      : command_(command), model_(find_model(command.model)), server_(std::string(watch_page())) {}

  int run() {
    print("{}: {}\n", model_.string(), server_.url());
    flush_output();
    if (command_.open && !run_program({"xdg-open", server_.url()}))
      complain("invar: no browser can be opened by xdg-open; open the address above\n");
    constexpr auto a_moment = std::chrono::milliseconds(200);
    while (!Interruption::requested()) {
      once();
      while (!Interruption::requested() && !files_.wait(a_moment)) {
      }
    }
    return 130;
  }

 private:
  void once() {
    files_.watch(files_of_model(model_));
    const auto begin = Clock::now();
    try {
      const std::string said = compute();
      const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
      news_.said = fmt::format("{}; shown after {} ms", said, taken.count());
      if (!command_.quiet) print("{}\n", news_.said);
      flush_output();
    } catch (const Interrupted&) {
      return;  // by the next save, or for good
    } catch (const InputError& e) {
      complain("{}\n", e.what());
      news_.error = told_error(e.what(), model_);
      news_.said = "the model is refused";
    }
    server_.tell(in_json(news_));
  }

  // What is said of the run; its page is there then.
  std::string compute() {
    CommandLine command = command_;
    command.task = find_task(command_.task_name.empty() ? task_of_model(model_) : command_.task_name);
    const Problem problem = problem_for(command, *command.task);
    RunOptions options;
    Nowhere nowhere;
    options.rows = &nowhere;
    options.kept_numbers = kept_numbers;
    if (command.compile) options.compiler = user_compiler();
    const auto stop = [this] { return Interruption::requested() || files_.has_changed(); };
    options.keep_going = [&](double) { return !stop(); };
    const InterruptScope scope(stop);
    const Ran ran = run_to_some_end(*command.task, Prepared(problem), {}, options);
    const Summary& summary = ran.outcome.summary;
    if (summary.status == RunStatus::interrupted) throw Interrupted();
    server_.show(report_page({.problem = problem,
                              .summary = summary,
                              .trajectory = ran.outcome.trajectory,
                              .costates = ran.outcome.table("costates"),
                              .model_text = problem.text,
                              .documentation = documentation_address()}));
    ++news_.report;
    news_.error = summary.status == RunStatus::done ? "" : told_error(problem.file + ": " + summary.message, model_);
    const std::vector<std::string> sentences = run_in_words(summary);
    return sentences.empty() ? summary.name : sentences.front();
  }

  CommandLine command_;
  Path model_;
  PageServer server_;
  FileWatch files_;
  News news_;
};

}  // namespace

std::vector<Path> files_of_model(const Path& model) {
  std::vector<Path> files = {model};
  const std::optional<std::string> text = read_file(model.string());
  if (!text) return files;
  std::error_code error;
  for (const std::string& word : quoted_words(*text))
    if (const Path file = model.parent_path() / word; !word.empty() && std::filesystem::is_regular_file(file, error))
      files.push_back(file);
  return files;
}

std::string task_of_model(const Path& model) {
  try {
    const model::Document document = model::read_document(model.string());
    for (const Task* task : tasks())
      if (std::ranges::find(document.root, task->verb, &model::Entry::key) != document.root.end())
        return std::string(task->verb);
  } catch (const InputError&) {
    return "simulate";  // the reader says what is wrong
  }
  return "simulate";
}

std::string told_error(const std::string& message, const Path& model) {
  nlohmann::json told = {{"error", message}, {"line", 0}, {"excerpt", nlohmann::json::array()}};
  const std::string opening = model.string() + ":";
  int line = 0;
  if (message.starts_with(opening))
    std::from_chars(message.data() + opening.size(), message.data() + message.size(), line);
  if (line > 0) {
    constexpr int around = 3;
    told["line"] = line;
    std::istringstream text(read_file(model.string()).value_or(std::string()));
    int number = 1;
    for (std::string row; number <= line + around && std::getline(text, row); ++number)
      if (number >= line - around) told["excerpt"].push_back({number, row.substr(0, 300)});
  }
  return told.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

int watch(const CommandLine& command) {
  if (command.model == "-") throw InputError("invar: watch needs a file, which can be saved again");
  return Watched(command).run();
}

}  // namespace invar::app
