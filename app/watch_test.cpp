// invar watch: from an edit to the picture, for a browser of this machine only.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "app/serve/answer.h"
#include "app/serve/file_watch.h"
#include "app/serve/shared_program.h"
#include "app/shell_test_support.h"
#include "app/watch.h"

namespace invar::app {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr const char* watched_pendulum = R"(name = "pendulum"
[parameters]
g = 9.81
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "g*y"
[[system.constraint]]
name = "rod"
expr = "x^2 + y^2 - 1"
[initial]
x = -1
y = 0
[simulate]
until = 0.5
step = 0.01
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

// A connection to the server, as a browser has it.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval limit = {30, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(const std::string& text) {
    EXPECT_EQ(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL), ssize_t(text.size()));
  }

  std::string all() {
    while (receive()) {
    }
    return text_;
  }

  // The next event of a stream.
  nlohmann::json event() {
    for (;;) {
      const std::size_t from = text_.find("data: "), end = text_.find("\n\n", from);
      if (from != text_.npos && end != text_.npos) {
        const std::string data = text_.substr(from + 6, end - from - 6);
        text_.erase(0, end + 2);
        return nlohmann::json::parse(data);
      }
      if (!receive()) return nullptr;
    }
  }

 private:
  bool receive() {
    char bytes[65536];
    const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
    if (count > 0) text_.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  int socket_;
  std::string text_;
};

class Watch : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    file("model.toml", watched_pendulum);
  }

  void TearDown() override {
    if (process_ > 0) end();
    Shell::TearDown();
  }

  void begin() {
    process_ = ::fork();
    if (process_ == 0) {
      std::filesystem::current_path(folder);
      if (!std::freopen("printed", "w", stdout) || !std::freopen("errors", "w", stderr)) ::_exit(127);
      ::execl(INVAR_BINARY, INVAR_BINARY, "watch", "model.toml", "--no-compile", nullptr);
      ::_exit(127);
    }
    std::string printed;
    for (int tries = 0; tries < 3000 && printed.find('\n') == printed.npos; ++tries) {
      std::this_thread::sleep_for(10ms);
      printed = text("printed");
    }
    const std::size_t at = printed.find("http://127.0.0.1:");
    ASSERT_NE(at, printed.npos) << printed << text("errors");
    const std::string address = printed.substr(at + 7, printed.find('\n') - at - 7);
    host = address.substr(0, address.find('/'));
    root = address.substr(address.find('/'));
    port = std::stoi(host.substr(host.find(':') + 1));
  }

  int end() {
    ::kill(process_, SIGTERM);
    int status = 0;
    ::waitpid(std::exchange(process_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
  }

  std::string request(const std::string& target, const std::string& fields = {},
                      const std::string& method = "GET") const {
    return method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n";
  }
  std::string get(const std::string& target, const std::string& fields = {}, const std::string& method = "GET") const {
    Client client(port);
    client.send(request(target, fields, method));
    return client.all();
  }

  std::string host, root;
  int port = 0;

 private:
  pid_t process_ = 0;
};

TEST_F(Watch, ShowsEveryEditAndItsMistakes) {
  begin();
  Client events(port);
  events.send(request(root + "events"));
  nlohmann::json event = events.event();
  ASSERT_EQ(event["report"], 1) << event;
  EXPECT_FALSE(event.contains("error"));
  EXPECT_NE(get(root).find("EventSource"), std::string::npos);
  const std::string first = get(root + "report");
  EXPECT_TRUE(first.starts_with("HTTP/1.1 200 OK")) << first.substr(0, 100);
  EXPECT_NE(first.find("g = 9.81"), std::string::npos) << "the model is in its page";
  EXPECT_LT(first.size(), 100'000u) << "the program is not";
  const std::string program = get(root + "program.js");
  EXPECT_NE(program.find("Cache-Control: private, max-age=86400, immutable\r\n"), std::string::npos);
  EXPECT_GT(program.size(), 500'000u);

  const auto begin = Clock::now();
  file("model.toml", replaced(watched_pendulum, "g = 9.81", "g = 1.62"));
  event = events.event();
  const std::string second = get(root + "report");
  const std::chrono::duration<double> taken = Clock::now() - begin;
  RecordProperty("seconds_from_edit_to_page", std::to_string(taken.count()));
  std::cout << "from edit to page " << taken.count() << " s\n";
  EXPECT_EQ(event["report"], 2) << event;
  EXPECT_NE(second.find("g = 1.62"), std::string::npos);
  EXPECT_LT(taken.count(), 10.0) << "half a second on a machine of its own";

  file("model.toml", replaced(watched_pendulum, "kinetic", "kinetik"));
  event = events.event();
  EXPECT_EQ(event["error"], "model.toml:6:1: [system]: unknown key \"kinetik\"; did you mean \"kinetic\"?");
  EXPECT_EQ(event["line"], 6);
  EXPECT_EQ(event["excerpt"][3][0], 6);
  EXPECT_EQ(event["excerpt"][3][1], "kinetik = \"(x'^2 + y'^2)/2\"");
  EXPECT_EQ(event["report"], 2) << "the last good page stays";

  // As editors do that write a new file and put it in place.
  file("new", watched_pendulum);
  std::filesystem::rename(folder / "new", folder / "model.toml");
  event = events.event();
  EXPECT_EQ(event["report"], 3) << event;
  EXPECT_FALSE(event.contains("error"));
  EXPECT_FALSE(exists("out")) << "nothing is written";
  EXPECT_EQ(end(), 130);
}

TEST_F(Watch, ASaveDuringARunBeginsAnother) {
  file("model.toml", replaced(watched_pendulum, "until = 0.5\nstep = 0.01", "until = 1e6\nstep = 0.01"));
  begin();
  Client events(port);
  events.send(request(root + "events"));
  std::this_thread::sleep_for(300ms);
  file("model.toml", watched_pendulum);
  EXPECT_EQ(events.event()["report"], 1);
  EXPECT_NE(get(root + "report").find("until = 0.5"), std::string::npos);
}

TEST_F(Watch, FilesThatTheModelNamesCountToo) {
  file("model.toml", std::string(watched_pendulum) + "inputs = { file = \"pull.csv\" }\n" +
                         "[[system.input]]\nname = \"F\"\nforce = { x = \"1\" }\n");
  file("pull.csv", "t,F\n0,0\n1,1\n");
  begin();
  Client events(port);
  events.send(request(root + "events"));
  EXPECT_EQ(events.event()["report"], 1);
  file("pull.csv", "t,F\n0,0\n1,x\n");
  EXPECT_NE(std::string(events.event()["error"]).find("pull.csv"), std::string::npos);
}

TEST_F(Watch, OnlyWhoKnowsTheAddressIsAnswered) {
  begin();
  EXPECT_TRUE(get("/").starts_with("HTTP/1.1 403 "));
  EXPECT_TRUE(get("/" + std::string(root.size() - 2, '0') + "/").starts_with("HTTP/1.1 403 "));
  EXPECT_TRUE(get(root + "etc/passwd").starts_with("HTTP/1.1 404 "));
  EXPECT_TRUE(get(root, {}, "POST").starts_with("HTTP/1.1 405 "));
  EXPECT_TRUE(get(root, "Origin: http://evil.example\r\n").starts_with("HTTP/1.1 403 "));
  const std::string own = host;
  host = "evil.example:" + std::to_string(port);  // a name that somebody lets point here
  EXPECT_TRUE(get(root).starts_with("HTTP/1.1 403 "));
  host = own;
  EXPECT_TRUE(get(root).starts_with("HTTP/1.1 200 "));
  Client babble(port);
  babble.send(std::string(20000, 'x'));
  EXPECT_TRUE(babble.all().starts_with("HTTP/1.1 431 "));
  EXPECT_TRUE(get(root, {}, "HEAD").ends_with("\r\n\r\n"));
}

TEST(PageServer, PagesShareTheirProgram) {
  const PageAndProgram parts = program_apart(
      "<meta content=\"script-src 'sha256-abc='; img-src data:\"><script "
      "id=\"data\">1</script><script>run()</script>.");
  EXPECT_EQ(parts.page,
            "<meta content=\"script-src 'self'; img-src data:\"><script id=\"data\">1</script>"
            "<script src=\"program.js\"></script>.");
  EXPECT_EQ(parts.program, "run()");
  EXPECT_EQ(program_apart("<script>run()</script>").page, "<script>run()</script>") << "no policy that can be changed";
  EXPECT_EQ(program_apart("nothing").page, "nothing");
}

TEST(PageServer, IsNotToBeHadFromElsewhere) {
  EXPECT_NE(random_token(), random_token());
  EXPECT_EQ(random_token().size(), 32u);
}

// With notices of the system and without.
TEST_F(Watch, ChangesAreNoticedEitherWay) {
  for (const bool by_looking : {false, true}) {
    FileWatch files(by_looking);
    file("one", "1");
    files.watch({folder / "one", folder / "two"});
    EXPECT_FALSE(files.wait(100ms));
    std::thread later([&] {
      std::this_thread::sleep_for(50ms);
      file("two", "2");
    });
    EXPECT_TRUE(files.wait(10s)) << by_looking;
    later.join();
    EXPECT_FALSE(files.wait(50ms));
    file("one", "one");
    EXPECT_TRUE(files.has_changed());
    EXPECT_TRUE(files.wait(10s));
    std::filesystem::remove(folder / "two");
    EXPECT_TRUE(files.wait(10s));
  }
}

TEST_F(Watch, ModelsAreRunAsTheyAreMade) {
  EXPECT_EQ(task_of_model(folder / "model.toml"), "simulate");
  file("other.toml", "name = \"x\"\n[optimize]\nhorizon = 1\n");
  EXPECT_EQ(task_of_model(folder / "other.toml"), "optimize");
  EXPECT_EQ(task_of_model(folder / "none.toml"), "simulate");
  EXPECT_EQ(shell("$INVAR watch - < model.toml").err, "invar: watch needs a file, which can be saved again\n");
}

}  // namespace
}  // namespace invar::app
