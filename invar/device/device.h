// A machine beside the processor that does the same with many points at a time: a GPU.
//
// A kernel is C text that both a C compiler and that of the machine understand. It defines
//
//   static INLINE void invar_point(const invar_arguments *A, long long p)
//
// which does the work of point p. Every kernel has the same arguments: some arrays of doubles in the memory of the
// machine, quantity by quantity (quantity k of point p stands at k * count + p), and a few numbers. Its words besides
// those of C: INLINE and APART before functions; CONSTANT before tables; UNROLL and ROLL before loops; LOAD(x) of what
// no kernel writes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace invar {

struct KernelArguments {
  static constexpr std::size_t most_arrays = 8;

  double* array[most_arrays] = {};
  std::int64_t count = 0;  // points
  std::int64_t first = 0, last = 0;
  double number = 0.0;
};

// What stands before every kernel: the arguments and the functions that <math.h> lacks.
std::string kernel_preamble();

class Kernel {
 public:
  // What a point takes, where the machine tells.
  struct Size {
    int registers = 0;
    int local_bytes = 0;  // in memory, for what registers cannot hold
  };

  virtual ~Kernel() = default;
  virtual void run(const KernelArguments& arguments) = 0;  // and waits for the end
  virtual Size size() const { return {}; }
};

// Whatever fails is an InputError that says why.
class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;
  // So many at a time keep it busy.
  virtual std::size_t points() const = 0;
  virtual std::unique_ptr<Kernel> build(const std::string& kernel) = 0;
  virtual double* allocate(std::size_t doubles) = 0;
  virtual void release(double* memory) = 0;
  virtual void write(double* to, std::span<const double> from) = 0;
  virtual void read(const double* from, std::span<double> to) = 0;
};

// Memory of a device.
class DeviceArray {
 public:
  DeviceArray(Device& device, std::size_t size)
      : device_(&device), size_(size), memory_(size > 0 ? device.allocate(size) : nullptr) {}
  ~DeviceArray() {
    if (memory_) device_->release(memory_);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  std::size_t size() const { return size_; }
  double* memory() const { return memory_; }
  void write(std::span<const double> from, std::size_t at = 0) {
    if (!from.empty()) device_->write(memory_ + at, from);
  }
  void read(std::span<double> to, std::size_t at = 0) const {
    if (!to.empty()) device_->read(memory_ + at, to);
  }

 private:
  Device* device_;
  std::size_t size_;
  double* memory_;
};

}  // namespace invar
