// See crew.h.
#include "invar/sweep/crew.h"

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <exception>

#include "invar/base/error.h"

namespace invar {

namespace {

using CrewClock = std::chrono::steady_clock;

double seconds_since(CrewClock::time_point begin) {
  return std::chrono::duration<double>(CrewClock::now() - begin).count();
}

// Of this thread.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Payloads with their lengths in front, so that several go in one message.
void add_payload(std::string& message, const std::string& payload) {
  const auto size = std::bit_cast<std::array<char, 8>>(std::uint64_t{payload.size()});
  message.append(size.data(), size.size());
  message += payload;
}

std::string take_payload(std::string_view& message) {
  std::array<char, 8> size{};
  expects(message.size() >= size.size(), "a whole message");
  std::ranges::copy(message.substr(0, size.size()), size.begin());
  message.remove_prefix(size.size());
  std::string payload(message.substr(0, std::bit_cast<std::uint64_t>(size)));
  message.remove_prefix(payload.size());
  return payload;
}

std::string numbers_message(const std::vector<std::uint64_t>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::uint64_t)};
}

std::vector<std::uint64_t> numbers_of(const std::string& message) {
  std::vector<std::uint64_t> numbers(message.size() / sizeof(std::uint64_t));
  std::copy_n(message.data(), numbers.size() * sizeof(std::uint64_t), reinterpret_cast<char*>(numbers.data()));
  return numbers;
}

}  // namespace

// A trouble that is no mistake of a case (a column that there is not) goes with the next message and ends the sweep.
void work_for(Foreman& foreman, const RunCase& run) {
  CaseEncoder encoder;
  std::string message;
  add_payload(message, std::string(sizeof(double), '\0'));
  for (;;) {
    foreman.send(message);
    const std::vector<std::uint64_t> numbers = numbers_of(foreman.receive());
    if (numbers.empty()) return;
    const CrewClock::time_point begin = CrewClock::now();
    std::vector<std::string> payloads;
    for (const std::uint64_t number : numbers) try {
        const std::optional<CaseRecord> record = run(number);
        if (!record) break;
        std::ranges::move(encoder.encode(*record), std::back_inserter(payloads));
      } catch (const UnknownColumn& e) {
        payloads.push_back(std::string("!") + e.what());
        break;
      }
    const auto each = std::bit_cast<std::array<char, 8>>(seconds_since(begin) / static_cast<double>(numbers.size()));
    message.clear();
    add_payload(message, {each.data(), each.size()});
    for (const std::string& payload : payloads) add_payload(message, payload);
  }
}

namespace {

// What the master knows of a worker.
struct Workplace {
  CaseDecoder decoder = {};
  std::vector<std::uint64_t> out = {};  // cases that it has
  CrewClock::time_point since = {};
  bool at_home = false;
};

class Office {
 public:
  Office(Crew& crew, const HandingOut& work) : crew_(crew), work_(work), places_(crew.size()) {}

  void run() {
    while (std::ranges::count(places_, false, &Workplace::at_home) > 0) {
      if (const std::optional<Crew::Message> message = crew_.receive()) {
        if (message->text) {
          note(*message->text);
          take(message->worker, *message->text);
        } else {
          lose(message->worker, CaseStatus::failed, message->reason);
        }
      }
      replace_late();
    }
    if (trouble_) std::rethrow_exception(trouble_);
  }

  const CrewTraffic& traffic() const { return traffic_; }

 private:
  void note(std::string_view message) {
    ++traffic_.messages;
    traffic_.bytes += message.size();
  }

  void take(std::size_t worker, std::string_view text) {
    Workplace& place = places_[worker];
    const std::string head = take_payload(text);
    std::array<char, 8> bytes{};
    std::copy_n(head.begin(), std::min(head.size(), bytes.size()), bytes.begin());
    const auto each = std::bit_cast<double>(bytes);
    while (!text.empty()) {
      const std::string payload = take_payload(text);
      if (payload.starts_with('!')) {
        if (!trouble_) trouble_ = std::make_exception_ptr(InputError(payload.substr(1)));
      } else if (const std::optional<CaseRecord> record = place.decoder.decode(payload)) {
        std::erase(place.out, record->number);
        ++traffic_.runs;
        deliver(*record);
      }
    }
    give(worker, each);
  }

  void give(std::size_t worker, double each) {
    constexpr double most = 4096.0;
    const double count = each > 0.0 ? std::clamp(work_.interval / each, 1.0, most) : 1.0;
    Workplace& place = places_[worker];
    place.out.clear();
    while (static_cast<double>(place.out.size()) + 1.0 <= count && !ends()) {
      const std::optional<std::uint64_t> next = work_.queue.next();
      if (!next) break;
      place.out.push_back(*next);
    }
    place.since = CrewClock::now();
    place.at_home = place.out.empty();
    const std::string message = numbers_message(place.out);
    note(message);
    crew_.send(worker, message);
  }

  // Workers that can get lost have one case at a time.
  void lose(std::size_t worker, CaseStatus status, const std::string& reason) {
    Workplace& place = places_[worker];
    if (place.at_home) return;
    for (const std::uint64_t number : place.out) deliver({number, status, reason, {}, {}});
    place = {};
    place.at_home = !crew_.replace(worker);
  }

  void replace_late() {
    if (work_.limit <= 0.0) return;
    for (std::size_t w = 0; w < places_.size(); ++w)
      if (!places_[w].at_home && !places_[w].out.empty() && seconds_since(places_[w].since) > work_.limit)
        lose(w, CaseStatus::stopped, fmt::format("did not end when it was told to, after {:.6g} s", work_.limit));
  }

  // Whatever happens, all are sent home before it is told.
  void deliver(const CaseRecord& record) {
    if (!trouble_) try {
        work_.deliver(record);
      } catch (...) {
        trouble_ = std::current_exception();
      }
  }

  bool ends() const { return trouble_ || (work_.stop && work_.stop()); }

  Crew& crew_;
  const HandingOut& work_;
  std::vector<Workplace> places_;
  std::exception_ptr trouble_;
  CrewTraffic traffic_;
};

}  // namespace

void refuse_work(Foreman& foreman, const std::string& reason) {
  std::string message;
  add_payload(message, std::string(sizeof(double), '\0'));
  add_payload(message, "!" + reason);
  foreman.send(message);
  foreman.receive();
}

CrewTraffic hand_out(Crew& crew, const HandingOut& work) {
  const double begin = processor_seconds();
  Office office(crew, work);
  office.run();
  CrewTraffic traffic = office.traffic();
  traffic.seconds = processor_seconds() - begin;
  return traffic;
}

}  // namespace invar
