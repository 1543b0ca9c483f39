// See case_codec.h.
#include "invar/sweep/case_codec.h"

#include <bit>

#include "invar/base/error.h"

namespace invar {

namespace {

void put(std::string& bytes, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift & 0xffU);
}
void put(std::string& bytes, const std::string& text) {
  put(bytes, text.size());
  bytes += text;
}
void put(std::string& bytes, std::span<const double> values) {
  for (const double x : values) put(bytes, std::bit_cast<std::uint64_t>(x));
}

// Checksums have been compared: what does not fit was written by another version.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::string_view eight = take(8);
    for (std::size_t i = 0; i < 8; ++i) value |= std::uint64_t{static_cast<unsigned char>(eight[i])} << 8 * i;
    return value;
  }
  std::string text() { return std::string(take(number())); }
  double real() { return std::bit_cast<double>(number()); }
  std::vector<double> reals(std::uint64_t count) {
    if (count > bytes_.size() / 8) refuse();
    std::vector<double> values(count);
    for (double& x : values) x = real();
    return values;
  }
  [[noreturn]] static void refuse() { throw InputError("a record of a sweep that this version cannot read"); }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) refuse();
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::string_view bytes_;
};

CaseDecoder::Head read_head(ByteReader& reader, std::size_t lists) {
  CaseDecoder::Head head;
  head.number = reader.number();
  const std::uint64_t status = reader.number();
  if (status > static_cast<std::uint64_t>(CaseStatus::stopped)) ByteReader::refuse();
  head.status = static_cast<CaseStatus>(status);
  head.list = reader.number();
  if (head.list >= lists) ByteReader::refuse();
  head.reason = reader.text();
  return head;
}

}  // namespace

CaseEncoder::CaseEncoder(const std::vector<CaseNames>& told) {
  for (const CaseNames& names : told) lists_.try_emplace(names, lists_.size());
}

std::vector<std::string> CaseEncoder::encode(const CaseRecord& record) {
  std::vector<std::string> payloads;
  CaseNames names;
  for (const NamedNumber& n : record.numbers) names.numbers.push_back(n.name);
  for (const NamedSeries& s : record.series) names.series.push_back(s.name);
  const auto [list, is_new] = lists_.try_emplace(names, lists_.size());
  if (is_new) {
    std::string& payload = payloads.emplace_back("N");
    put(payload, names.numbers.size());
    put(payload, names.series.size());
    for (const std::string& name : names.numbers) put(payload, name);
    for (const std::string& name : names.series) put(payload, name);
  }
  std::string& payload = payloads.emplace_back("C");
  put(payload, record.number);
  put(payload, static_cast<std::uint64_t>(record.status));
  put(payload, list->second);
  put(payload, record.reason);
  for (const NamedNumber& n : record.numbers) put(payload, std::span(&n.value, 1));
  for (const NamedSeries& s : record.series) {
    put(payload, s.values.size());
    put(payload, s.values);
  }
  return payloads;
}

std::optional<CaseDecoder::Head> CaseDecoder::head(std::string_view payload) {
  if (payload.empty()) ByteReader::refuse();
  ByteReader reader(payload.substr(1));
  if (payload.front() == 'C') return read_head(reader, lists_.size());
  if (payload.front() != 'N') ByteReader::refuse();
  const std::uint64_t numbers = reader.number(), series = reader.number();
  CaseNames names;
  for (std::uint64_t i = 0; i < numbers; ++i) names.numbers.push_back(reader.text());
  for (std::uint64_t i = 0; i < series; ++i) names.series.push_back(reader.text());
  lists_.push_back(std::move(names));
  return std::nullopt;
}

std::optional<CaseRecord> CaseDecoder::decode(std::string_view payload) {
  if (!payload.empty() && payload.front() == 'C') return record(payload);
  head(payload);
  return std::nullopt;
}

CaseRecord CaseDecoder::record(std::string_view payload) const {
  if (payload.empty() || payload.front() != 'C') ByteReader::refuse();
  ByteReader reader(payload.substr(1));
  const Head head = read_head(reader, lists_.size());
  CaseRecord record{head.number, head.status, head.reason, {}, {}};
  for (const std::string& name : lists_[head.list].numbers) record.numbers.push_back({name, reader.real()});
  for (const std::string& name : lists_[head.list].series)
    record.series.push_back({name, reader.reals(reader.number())});
  return record;
}

}  // namespace invar
