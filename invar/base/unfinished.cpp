// One list for the whole program, since it ends as a whole.
#include "invar/base/unfinished.h"

#include <chrono>
#include <map>
#include <mutex>
#include <utility>

namespace invar {

namespace {

struct List {
  std::timed_mutex mutex;
  std::map<int, Unfinished::PutAway> actions;  // by when they were entered
  int entered = 0;
};

// Never destroyed: an emergency may come while the program ends.
List& list() {
  static List& all = *new List;
  return all;
}

}  // namespace

Unfinished::Unfinished(PutAway put_away) {
  const std::scoped_lock lock(list().mutex);
  number_ = ++list().entered;
  list().actions.emplace(number_, std::move(put_away));
}

Unfinished::~Unfinished() {
  const std::scoped_lock lock(list().mutex);
  list().actions.erase(number_);
}

void Unfinished::replace(const std::function<void()>& work, PutAway put_away) {
  const std::scoped_lock lock(list().mutex);
  work();
  list().actions[number_] = std::move(put_away);
}

std::vector<std::string> put_all_away() {
  std::vector<std::string> words;
  constexpr auto longest = std::chrono::seconds(2);  // of the step from one folder to another
  if (!list().mutex.try_lock_for(longest)) return words;
  for (auto action = list().actions.rbegin(); action != list().actions.rend(); ++action)
    if (std::string told = action->second(); !told.empty()) words.push_back(std::move(told));
  return words;
}

}  // namespace invar
