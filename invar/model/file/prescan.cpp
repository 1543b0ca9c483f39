// A look at the text of a TOML file before toml++ parses it, for what toml++ 3.3 does not survive.
#include "invar/model/file/prescan.h"

namespace invar::model {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_plain(char c) { return is_blank(c) || (c > 0x20 && c < 0x7f); }

class Scanner {
 public:
  Scanner(std::string_view text, int most_key_parts) : text_(text), most_key_parts_(most_key_parts) {}

  std::optional<Trouble> run() {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") i_ = key_ = 3;
    while (i_ < text_.size() && !trouble_) {
      const char c = text_[i_];
      if (c == '"' || c == '\'')
        skip_string();
      else if (c == '#')
        skip_comment();
      else
        read_bare(c);
    }
    return trouble_;
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(i_, what.size()) == what; }

  void skip_comment() {
    while (i_ < text_.size() && text_[i_] != '\n') ++i_;
  }

  // Where a string is malformed any end will do, since the parser goes no further than that.
  void skip_string() {
    const char quote = text_[i_];
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool is_long = starts(triple);
    for (i_ += is_long ? 3 : 1; i_ < text_.size() && !trouble_; ++i_) {
      if (quote == '"' && text_[i_] == '\\') {
        skip_escape();
      } else if (is_long && starts(triple)) {
        i_ += 3;
        for (int extra = 0; extra < 2 && i_ < text_.size() && text_[i_] == quote; ++extra)
          ++i_;  // """a""""" ends in ""
        return;
      } else if (!is_long && (text_[i_] == quote || text_[i_] == '\n')) {
        if (text_[i_] == quote) ++i_;
        return;
      }
    }
  }

  // Stops at the last byte of the escape: a backslash swallows blanks, where the parser looks for more of them.
  void skip_escape() {
    std::size_t next = i_ + 1;
    while (next < text_.size() && is_blank(text_[next])) ++next;
    if (next < text_.size() && !is_plain(text_[next])) trouble_ = {next, "unexpected character after a backslash"};
    i_ = next > i_ + 1 ? next - 1 : next;
  }

  void read_bare(char c) {
    if (!is_plain(c)) {
      trouble_ = {i_, c >= 0 ? "unexpected control character" : "unexpected character; quote keys that are not ASCII"};
      return;
    }
    if (c == '.' && ++parts_ > most_key_parts_)
      trouble_ = {key_, "a key with more than " + std::to_string(most_key_parts_) + " parts"};
    ++i_;
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) {
      parts_ = 1;
      key_ = i_;
    }
  }

  std::string_view text_;
  int most_key_parts_;
  std::size_t i_ = 0;
  std::size_t key_ = 0;  // where the present key, or number, may have begun
  int parts_ = 1;
  std::optional<Trouble> trouble_;
};

}  // namespace

std::optional<Trouble> find_trouble(std::string_view toml, int most_key_parts) {
  return Scanner(toml, most_key_parts).run();
}

}  // namespace invar::model
