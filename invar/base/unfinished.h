// What must be put away if the program has to end at once, wherever it is: folders that are half written, programs that
// it has started.
//
//   const Unfinished removal([path] { remove_all(path); return ""; });   // until it ends, an emergency removes it
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace invar {

class Unfinished {
 public:
  // What is done in an emergency, by another thread while this one may still be at work; it returns what the user must
  // know, if anything.
  using PutAway = std::function<std::string()>;
  explicit Unfinished(PutAway put_away);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  // Work that an emergency finds either not begun or done, after which something else is to be put away, or nothing.
  void replace(const std::function<void()>& work, PutAway put_away);

 private:
  int number_;
};

// Puts all away, the latest first, and returns what is to be told. Whoever begins or finishes something afterwards
// waits for ever: the program is to be ended.
std::vector<std::string> put_all_away();

}  // namespace invar
