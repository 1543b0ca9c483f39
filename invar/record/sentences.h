// Collects sentences, and those that several tasks say.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "invar/record/summary.h"

namespace invar {

class Sentences {
 public:
  template <class... Values>
  void operator()(fmt::format_string<Values...> sentence, Values&&... values) {
    list_.push_back(fmt::format(sentence, std::forward<Values>(values)...));
  }
  std::vector<std::string> list() && { return std::move(list_); }

 private:
  std::vector<std::string> list_;
};

// "12 ms", "3.4 s"
std::string duration(double seconds);
// How well the constraints hold, if there are any.
void say_constraints(const Summary& summary, Sentences& say);
// "This is said." from "this is said"; nothing from nothing.
std::string as_sentence(std::string words);

}  // namespace invar
