// The promise of versions: files of format 0.1 stay readable and mean what they meant. The folder holds at least one
// file for every key and every kind that the examples of 0.1 use; its files are never edited.
#include <algorithm>

#include "app/shell_test_support.h"
#include "invar/base/error.h"
#include "invar/model/file/format_version.h"
#include "invar/read/read_problem.h"
#include "invar/record/summary.h"

namespace invar::app {
namespace {

namespace fs = std::filesystem;

const fs::path folder_of_0_1 = fs::path(__FILE__).parent_path() / "files_of_0_1";

// Fowler, Noll and Vo: tells whether a file was edited.
std::uint64_t fingerprint(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

std::string text_of(const fs::path& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

// What a file meant, in a line.
std::string meaning(const Problem& p) {
  std::ostringstream line;
  line << p.name << ": " << p.system.coordinates.size() << " coordinates, " << p.system.constraints.size()
       << " constraints, " << p.system.inputs.size() << " inputs, " << p.system.outputs.size() << " outputs, "
       << p.targets.size() << " targets";
  return line.str();
}

TEST(Format, FilesOf01MeanWhatTheyMeant) {
  std::ifstream list(folder_of_0_1 / "meaning.txt");
  std::string name, hash, expected;
  std::size_t count = 0;
  while (list >> name >> hash && std::getline(list >> std::ws, expected)) {
    ++count;
    const fs::path file = folder_of_0_1 / name;
    EXPECT_EQ(std::to_string(fingerprint(text_of(file))), hash) << name << " was edited";
    EXPECT_TRUE(text_of(file).starts_with("format = \"0.1\"\n")) << name;
    try {
      EXPECT_EQ(meaning(read_problem(file.string())), expected) << name;
    } catch (const Error& e) {
      ADD_FAILURE() << e.what();
    }
  }
  const auto is_model = [](const fs::directory_entry& file) { return file.path().extension() == ".toml"; };
  EXPECT_EQ(count, std::size_t(std::count_if(fs::directory_iterator(folder_of_0_1), {}, is_model)));
}

TEST(Format, IsThatOfTheVersionOrEarlier) {
  const std::string version = program_version();
  EXPECT_LE(std::string(model::newest_format), version);
}

TEST(Format, TheVersionIsTheSameEverywhere) {
  const fs::path root = fs::path(__FILE__).parent_path().parent_path();
  const std::string version = program_version();
  EXPECT_NE(text_of(root / "CITATION.cff").find("\nversion: " + version + "\n"), std::string::npos);
  EXPECT_NE(text_of(root / "docs/citing.md").find("{" + version + "}"), std::string::npos);
  EXPECT_NE(text_of(root / "packaging/conda/meta.yaml").find("version = \"" + version + "\""), std::string::npos);
}

class AboutBuild : public Shell {};

TEST_F(AboutBuild, SaysWhatReportsOfMistakesNeed) {
  const Result said = shell("$INVAR --version --full");
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_TRUE(said.out.starts_with("invar " + program_version() + "\n")) << said.out;
  for (const char* part : {"\n  sources ", "\n  compiler ", "Eigen 3.", "KLU ", "IPOPT 3.", "format 0.1"})
    EXPECT_NE(said.out.find(part), std::string::npos) << part << said.out;
  EXPECT_EQ(shell("$INVAR --version").out, "invar " + program_version() + "\n");
  EXPECT_EQ(shell("$INVAR --version --ful").err, "invar: invar --version may be followed by --full, not by --ful\n");
}

}  // namespace
}  // namespace invar::app
