// For tests: a device that is the processor. Its kernels are compiled as C, and a loop over the points stands for the
// grid.
#pragma once

#include <array>
#include <stdexcept>

#include "invar/device/device.h"
#include "invar/tape/machine_code.h"

namespace invar::test {

class HostKernel : public Kernel {
  static constexpr std::array quickly = {"-O1"};  // most of a test's time is the compiler's

 public:
  explicit HostKernel(const std::string& kernel)
      : code_(build_machine_code("#include <math.h>\n#define INLINE inline\n#define APART\n"
                                 "#define CONSTANT static const\n"
                                 "#define UNROLL\n#define ROLL\n#define LOAD(x) (x)\n" +
                                     kernel_preamble() + kernel +
                                     "void invar_function(const invar_arguments *A)\n{\n"
                                     "  for (long long p = 0; p < A->count; ++p) invar_point(A, p);\n}\n",
                                 {}, quickly)) {
    if (!code_.entry) throw std::runtime_error("the kernel cannot be compiled as C:\n" + kernel);
  }
  void run(const KernelArguments& arguments) override {
    reinterpret_cast<void (*)(const KernelArguments*)>(code_.entry)(&arguments);
  }

 private:
  MachineCode code_;
};

class HostDevice : public Device {
 public:
  std::string name() const override { return "processor"; }
  std::size_t points() const override { return 1000; }
  std::unique_ptr<Kernel> build(const std::string& kernel) override { return std::make_unique<HostKernel>(kernel); }
  double* allocate(std::size_t doubles) override { return new double[doubles]; }
  void release(double* memory) override { delete[] memory; }
  void write(double* to, std::span<const double> from) override { std::ranges::copy(from, to); }
  void read(const double* from, std::span<double> to) override { std::copy_n(from, to.size(), to.begin()); }
};

}  // namespace invar::test
