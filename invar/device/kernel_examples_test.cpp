// The formulas of the steps of all examples, as the text of a kernel compiled for the processor, give the bits of the
// tape. One source holds them all, so that one call of the compiler serves.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "invar/base/error.h"
#include "invar/base/private_files.h"
#include "invar/device/device.h"
#include "invar/read/read_problem.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/tape/machine_code.h"
#include "invar/tape/statements.h"

namespace invar {
namespace {

constexpr std::size_t longest = 4000;  // instructions: what is longer only takes longer to compile

struct Compared {
  std::string name;
  Function function;
  std::size_t first;  // output
};

std::vector<Compared> steps_of_examples() {
  std::vector<Compared> result;
  std::size_t outputs = 0;
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  for (const auto& folder : std::filesystem::directory_iterator(root / "examples")) {
    const std::filesystem::path model = folder.path() / "model.toml";
    if (!std::filesystem::exists(model)) continue;
    try {
      const Problem problem = read_problem(model.string());
      const Scheme& scheme = *find_scheme(problem.system.tree ? "generalized-alpha" : "energy-momentum");
      const Stepper stepper(problem.system, scheme, {}, problem.signals);
      const Function& f = stepper.residual_function();
      if (f.instruction_count() > longest) continue;
      result.push_back({folder.path().filename().string(), f, outputs});
      outputs += f.output_count();
    } catch (const InputError&) {  // this scheme is not for it
    }
  }
  return result;
}

TEST(KernelText, GivesTheBitsOfTheTapeOnAllExamples) {
  if (!run_program({"cc", "--version"})) GTEST_SKIP() << "no C compiler here";
  const std::vector<Compared> all = steps_of_examples();
  ASSERT_GT(all.size(), 40u);
  std::string source = "#include <math.h>\n" + kernel_preamble(), calls;
  std::size_t outputs = 0, inputs = 0;
  for (const Compared& c : all) {
    source += "static void f" + std::to_string(c.first) + "(const double *in, double *out)\n{\n" +
              statements(c.function, {.input = [](std::size_t k) { return "in[" + std::to_string(k) + "]"; },
                                      .output =
                                          [](std::size_t k, std::span<const std::string> value) {
                                            return "out[" + std::to_string(k) + "] = " + value[0] + ";\n";
                                          }}) +
              "}\n";
    calls += "f" + std::to_string(c.first) + "(in, out + " + std::to_string(c.first) + ");\n";
    outputs += c.function.output_count();
    inputs = std::max(inputs, c.function.input_count());
  }
  source += "void invar_function(const double *in, double *out)\n{\n" + calls + "}\n";
  constexpr std::array quickly = {"-O0"};
  const MachineCode code = build_machine_code(source, {}, quickly);
  ASSERT_NE(code.entry, nullptr);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0.1, 1.5);
  std::vector<double> in(inputs), found(outputs), expected;
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (double& x : in) x = uniform(random);
    reinterpret_cast<void (*)(const double*, double*)>(code.entry)(in.data(), found.data());
    for (const Compared& c : all) {
      Scratch scratch;
      expected.resize(c.function.output_count());
      c.function(std::span(in).first(c.function.input_count()), expected, scratch);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        const double x = found[c.first + k];
        ASSERT_TRUE(x == expected[k] || (std::isnan(x) && std::isnan(expected[k]))) << c.name << " output " << k;
      }
    }
  }
}

}  // namespace
}  // namespace invar
