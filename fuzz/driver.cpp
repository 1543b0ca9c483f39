// Fuzzing without a compiler for it: changes inputs at random and tries them. An input that does something new, by the
// words of its target, is kept and changed further. The same seed does the same.
//
//   fuzz_run TARGET [--runs N] [--seed S] [--seconds S] [--out DIR] [FILE …]
//   fuzz_run TARGET --corpus DIR       writes what it begins with, for libFuzzer
//
// FILEs are tried first, as they are. The input that is being tried stands in DIR/TARGET.input, also after a crash.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "fuzz/target.h"

namespace {

using namespace invar::fuzz;
using Random = std::mt19937_64;

constexpr std::size_t most_kept = 4000, longest = 60000, longest_kept = 3000;
constexpr unsigned slowest = 30;  // seconds for one input

struct Wish {
  const Target* target = nullptr;
  std::uint64_t runs = 20000, seed = 1;
  double seconds = 1e9;
  std::filesystem::path out = std::filesystem::temp_directory_path(), corpus;
  std::vector<std::filesystem::path> files;
};

std::string contents(const std::filesystem::path& file) {
  std::ostringstream all;
  all << std::ifstream(file, std::ios::binary).rdbuf();
  return all.str();
}

// A file that has the current input whatever becomes of the process.
class Witness {
 public:
  explicit Witness(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ::ftruncate(file, longest + 8) != 0) std::exit(1);
    place_ = static_cast<char*>(::mmap(nullptr, longest + 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ::close(file);
    if (place_ == MAP_FAILED) std::exit(1);
  }
  void see(std::string_view input) {
    const std::uint64_t size = input.size();
    std::memcpy(place_, &size, 8);
    std::memcpy(place_ + 8, input.data(), input.size());
  }

 private:
  char* place_;
};

class Fuzzer {
 public:
  explicit Fuzzer(const Wish& wish)
      : target_(*wish.target), random_(wish.seed), witness_(wish.out / (std::string(target_.name) + ".input")) {}

  std::size_t kinds() const { return seen_.size(); }

  void try_out(std::string input) {
    if (input.size() > longest) input.resize(longest);
    witness_.see(input);
    ::alarm(slowest);
    const std::string what = target_.take(input);
    const bool is_new = seen_.insert(what).second;
    if (is_new && input.size() <= longest_kept && kept_.size() < most_kept) kept_.push_back(std::move(input));
  }

  std::string changed() {
    std::string text = kept_[below(kept_.size())];
    for (std::size_t n = std::size_t{1} << below(4); n > 0; --n) change(text);
    return text;
  }

  void keep(const std::string& input) { kept_.push_back(input); }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1), length = std::min<std::size_t>(below(30), text.size() - at);
    switch (below(9)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 2: text.erase(at, 1 + length); break;
      case 3: text.insert(below(text.size() + 1), text.substr(at, length)); break;
      case 4: {  // a piece of another one
        const std::string& other = kept_[below(kept_.size())];
        const std::size_t from = below(other.size() + 1);
        text.insert(at, other.substr(from, below(60)));
        break;
      }
      case 5: {  // the end of another one
        const std::string& other = kept_[below(kept_.size())];
        text = text.substr(0, at) + other.substr(std::min(other.size(), below(other.size() + 1)));
        break;
      }
      case 6: change_number(text, at); break;
      default:
        if (!target_.words.empty()) text.insert(at, target_.words[below(target_.words.size())]);
    }
  }

  void change_number(std::string& text, std::size_t at) {
    static constexpr const char* numbers[] = {"0",   "-1", "1e308", "1e-320", "2147483648", "18446744073709551616",
                                              "nan", "3"};
    const std::size_t from = text.find_first_of("0123456789", at);
    if (from == text.npos) return;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.e", from), text.size());
    text.replace(from, end - from, numbers[below(std::size(numbers))]);
  }

  const Target& target_;
  Random random_;
  Witness witness_;
  std::set<std::string> seen_;
  std::vector<std::string> kept_;
};

[[noreturn]] void refuse(const char* why) {
  std::fprintf(stderr, "fuzz_run: %s: fuzz_run TARGET [--runs N] [--seed S] [--seconds S] [--out DIR] [FILE …]\n", why);
  std::fprintf(stderr, "TARGET:");
  for (const Target& target : targets()) std::fprintf(stderr, " %s", std::string(target.name).c_str());
  std::fprintf(stderr, "\n");
  std::exit(1);
}

Wish read(int argc, char** argv) {
  Wish wish;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return ++i < argc ? argv[i] : (refuse("a value is missing"), nullptr); };
    if (word == "--runs")
      wish.runs = std::strtoull(value(), nullptr, 10);
    else if (word == "--seed")
      wish.seed = std::strtoull(value(), nullptr, 10);
    else if (word == "--seconds")
      wish.seconds = std::strtod(value(), nullptr);
    else if (word == "--out")
      wish.out = value();
    else if (word == "--corpus")
      wish.corpus = value();
    else if (wish.target)
      wish.files.emplace_back(word);
    else
      for (const Target& target : targets())
        if (target.name == word) wish.target = &target;
    if (!wish.target && word.front() != '-') refuse("unknown target");
  }
  if (!wish.target) refuse("no target");
  return wish;
}

}  // namespace

int main(int argc, char** argv) {
  const Wish wish = read(argc, argv);
  const std::vector<std::string> corpus = wish.target->corpus();
  if (!wish.corpus.empty()) {
    std::filesystem::create_directories(wish.corpus);
    for (std::size_t i = 0; i < corpus.size(); ++i)
      std::ofstream(wish.corpus / std::to_string(i), std::ios::binary) << corpus[i];
    return 0;
  }
#ifndef __SANITIZE_ADDRESS__
  const rlimit memory = {std::size_t{4} << 30, std::size_t{4} << 30};  // whoever asks for more is found
  ::setrlimit(RLIMIT_AS, &memory);
#endif
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  Fuzzer fuzzer(wish);
  for (const auto& file : wish.files) fuzzer.try_out(contents(file));
  for (const std::string& input : corpus) fuzzer.keep(input), fuzzer.try_out(input);
  std::uint64_t runs = 0;
  double told = 60.0;
  for (; runs < wish.runs && seconds() < wish.seconds; ++runs) {
    fuzzer.try_out(fuzzer.changed());
    if (runs % 1024 == 0 && seconds() > told) {
      std::printf("%s: %llu inputs, %zu kinds of outcomes, %.0f s\n", std::string(wish.target->name).c_str(),
                  static_cast<unsigned long long>(runs), fuzzer.kinds(), seconds());
      std::fflush(stdout);
      told += 60.0;
    }
  }
  std::printf("%s: %zu inputs as they are and %llu changed ones, %zu kinds of outcomes, %.1f s\n",
              std::string(wish.target->name).c_str(), wish.files.size() + corpus.size(),
              static_cast<unsigned long long>(runs), fuzzer.kinds(), seconds());
  return 0;
}
