// See cuda.h. The only file that knows CUDA: the few functions of its libraries stand here as the manuals declare them
// [NVIDIA, CUDA Driver API; NVRTC].
//
// Kernels are compiled for the very processor at hand, without contraction of products and sums, so that a point has
// the bits of the processor up to those of functions such as sin.
#include "invar/device/cuda.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <map>

#include "invar/base/error.h"

namespace invar {

namespace {

constexpr unsigned threads_per_block = 128;

// The driver.
using CudaResult = int;
using CudaDevice = int;
using CudaContext = void*;
using CudaModule = void*;
using CudaFunction = void*;
using CudaMemory = unsigned long long;
constexpr int attribute_major = 75, attribute_minor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_…
constexpr int attribute_processors = 16, attribute_threads_of_processor = 39;
constexpr int attribute_local_bytes = 3, attribute_registers = 4;  // CU_FUNC_ATTRIBUTE_…

class Library {
 public:
  // The first of these that can be loaded.
  explicit Library(std::span<const std::string> names) {
    for (const std::string& name : names)
      if (!handle_) handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  explicit operator bool() const { return handle_ != nullptr; }
  template <class F>
  void find(const char* name, F*& function) const {
    function = reinterpret_cast<F*>(::dlsym(handle_, name));
    if (!function) throw InputError(fmt::format("CUDA: its library has no function {}; is it too old?", name));
  }

 private:
  void* handle_ = nullptr;  // for as long as the program runs
};

struct Driver {
  CudaResult (*init)(unsigned);
  CudaResult (*device_count)(int*);
  CudaResult (*device)(CudaDevice*, int);
  CudaResult (*device_name)(char*, int, CudaDevice);
  CudaResult (*device_attribute)(int*, int, CudaDevice);
  CudaResult (*retain)(CudaContext*, CudaDevice);
  CudaResult (*set_current)(CudaContext);
  CudaResult (*load)(CudaModule*, const void*);
  CudaResult (*unload)(CudaModule);
  CudaResult (*function)(CudaFunction*, CudaModule, const char*);
  CudaResult (*function_attribute)(int*, int, CudaFunction);
  CudaResult (*allocate)(CudaMemory*, std::size_t);
  CudaResult (*release)(CudaMemory);
  CudaResult (*to_device)(CudaMemory, const void*, std::size_t);
  CudaResult (*to_host)(void*, CudaMemory, std::size_t);
  CudaResult (*launch)(CudaFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                       void**, void**);
  CudaResult (*synchronise)();
  CudaResult (*error_text)(CudaResult, const char**);

  void expect(CudaResult result, const char* doing) const {
    if (result == 0) return;
    const char* text = nullptr;
    error_text(result, &text);
    throw InputError(fmt::format("CUDA: {} failed: {}", doing, text ? text : "unknown error"));
  }
};

struct Nvrtc {
  int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(void*, int, const char* const*);
  int (*code_size)(void*, std::size_t*);
  int (*code)(void*, char*);
  int (*log_size)(void*, std::size_t*);
  int (*log)(void*, char*);
  int (*destroy)(void**);
};

const Library& driver_library() {
  static const Library library(std::array<std::string, 2>{"libcuda.so.1", "libcuda.so"});
  return library;
}

// By its name, or where CUDA is usually installed.
const Library& nvrtc_library() {
  static const Library library([] {
    std::vector<std::string> names;
    std::vector<std::string> folders = {""};
    for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
      if (const char* const home = std::getenv(variable)) folders.push_back(std::string(home) + "/lib64/");
    folders.emplace_back("/usr/local/cuda/lib64/");
    for (const std::string& folder : folders)
      for (const char* const name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"})
        names.push_back(folder + name);
    return names;
  }());
  return library;
}

Driver load_driver() {
  Driver d{};
  const Library& from = driver_library();
  from.find("cuInit", d.init);
  from.find("cuDeviceGetCount", d.device_count);
  from.find("cuDeviceGet", d.device);
  from.find("cuDeviceGetName", d.device_name);
  from.find("cuDeviceGetAttribute", d.device_attribute);
  from.find("cuDevicePrimaryCtxRetain", d.retain);
  from.find("cuCtxSetCurrent", d.set_current);
  from.find("cuModuleLoadData", d.load);
  from.find("cuModuleUnload", d.unload);
  from.find("cuModuleGetFunction", d.function);
  from.find("cuFuncGetAttribute", d.function_attribute);
  from.find("cuMemAlloc_v2", d.allocate);
  from.find("cuMemFree_v2", d.release);
  from.find("cuMemcpyHtoD_v2", d.to_device);
  from.find("cuMemcpyDtoH_v2", d.to_host);
  from.find("cuLaunchKernel", d.launch);
  from.find("cuCtxSynchronize", d.synchronise);
  from.find("cuGetErrorString", d.error_text);
  return d;
}

Nvrtc load_nvrtc() {
  Nvrtc n{};
  const Library& from = nvrtc_library();
  from.find("nvrtcCreateProgram", n.create);
  from.find("nvrtcCompileProgram", n.compile);
  from.find("nvrtcGetCUBINSize", n.code_size);
  from.find("nvrtcGetCUBIN", n.code);
  from.find("nvrtcGetProgramLogSize", n.log_size);
  from.find("nvrtcGetProgramLog", n.log);
  from.find("nvrtcDestroyProgram", n.destroy);
  return n;
}

class CudaKernel : public Kernel {
 public:
  CudaKernel(const Driver& driver, const std::vector<char>& code) : driver_(driver) {
    driver_.expect(driver_.load(&module_, code.data()), "loading a kernel");
    driver_.expect(driver_.function(&function_, module_, "invar_entry"), "loading a kernel");
  }
  ~CudaKernel() override { driver_.unload(module_); }
  CudaKernel(const CudaKernel&) = delete;
  CudaKernel& operator=(const CudaKernel&) = delete;

  void run(const KernelArguments& arguments) override {
    if (arguments.count == 0) return;
    KernelArguments given = arguments;
    void* list[] = {&given};
    const auto blocks = static_cast<unsigned>((arguments.count + threads_per_block - 1) / threads_per_block);
    driver_.expect(driver_.launch(function_, blocks, 1, 1, threads_per_block, 1, 1, 0, nullptr, list, nullptr),
                   "starting a kernel");
    driver_.expect(driver_.synchronise(), "running a kernel");
  }
  Size size() const override {
    Size size;
    driver_.function_attribute(&size.registers, attribute_registers, function_);
    driver_.function_attribute(&size.local_bytes, attribute_local_bytes, function_);
    return size;
  }

 private:
  const Driver& driver_;
  CudaModule module_ = nullptr;
  CudaFunction function_ = nullptr;
};

class CudaGpu : public Device {
 public:
  CudaGpu() : driver_(load_driver()), nvrtc_(load_nvrtc()) {
    driver_.expect(driver_.init(0), "starting the driver");
    driver_.expect(driver_.device(&device_, 0), "opening the GPU");
    driver_.expect(driver_.retain(&context_, device_), "opening the GPU");
    driver_.expect(driver_.set_current(context_), "opening the GPU");
  }

  std::string name() const override {
    std::array<char, 128> text = {};
    driver_.device_name(text.data(), static_cast<int>(text.size()) - 1, device_);
    return text.data();
  }

  std::size_t points() const override {
    int processors = 0, threads = 0;
    driver_.device_attribute(&processors, attribute_processors, device_);
    driver_.device_attribute(&threads, attribute_threads_of_processor, device_);
    return static_cast<std::size_t>(std::max(processors * threads, 1));
  }

  std::unique_ptr<Kernel> build(const std::string& kernel) override {
    const std::string source =
        "#define INLINE __device__ __forceinline__\n#define APART __device__ __noinline__\n"
        "#define CONSTANT __constant__\n"
        "#define UNROLL _Pragma(\"unroll\")\n#define ROLL _Pragma(\"unroll 1\")\n#define LOAD(x) __ldg(&(x))\n"
        "#define INFINITY __longlong_as_double(0x7ff0000000000000LL)\n"
        "#define NAN __longlong_as_double(0x7ff8000000000000LL)\n" +
        kernel_preamble() + kernel + "extern \"C\" __global__ void __launch_bounds__(" +
        std::to_string(threads_per_block) +
        ") invar_entry(const __grid_constant__ invar_arguments A)\n{\n"
        "  const long long p = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
        "  if (p < A.count) invar_point(&A, p);\n}\n";
    std::vector<char>& code = compiled_[source];
    if (code.empty()) code = compile(source);
    return std::make_unique<CudaKernel>(driver_, code);
  }

  double* allocate(std::size_t doubles) override {
    CudaMemory memory = 0;
    driver_.expect(driver_.allocate(&memory, doubles * sizeof(double)),
                   fmt::format("getting {} MB of memory", doubles * sizeof(double) >> 20).c_str());
    return reinterpret_cast<double*>(memory);
  }
  void release(double* memory) override { driver_.release(reinterpret_cast<CudaMemory>(memory)); }
  void write(double* to, std::span<const double> from) override {
    driver_.expect(driver_.to_device(reinterpret_cast<CudaMemory>(to), from.data(), from.size_bytes()),
                   "writing to the GPU");
  }
  void read(const double* from, std::span<double> to) override {
    driver_.expect(driver_.to_host(to.data(), reinterpret_cast<CudaMemory>(from), to.size_bytes()),
                   "reading from the GPU");
  }

 private:
  std::vector<char> compile(const std::string& source) const {
    int major = 0, minor = 0;
    driver_.device_attribute(&major, attribute_major, device_);
    driver_.device_attribute(&minor, attribute_minor, device_);
    const std::string processor = fmt::format("--gpu-architecture=sm_{}{}", major, minor);
    const std::array options = {processor.c_str(), "--fmad=false", "--device-as-default-execution-space"};
    void* program = nullptr;
    if (nvrtc_.create(&program, source.c_str(), "invar.cu", 0, nullptr, nullptr) != 0)
      throw InputError("CUDA: NVRTC cannot be started");
    const bool compiled = nvrtc_.compile(program, static_cast<int>(options.size()), options.data()) == 0;
    std::size_t size = 0;
    std::vector<char> result;
    if (compiled) {
      nvrtc_.code_size(program, &size);
      result.resize(size);
      nvrtc_.code(program, result.data());
    } else {
      nvrtc_.log_size(program, &size);
      result.resize(size);
      nvrtc_.log(program, result.data());
    }
    nvrtc_.destroy(&program);
    if (compiled) return result;
    throw InputError("CUDA: NVRTC refuses a kernel: " + std::string(result.begin(), result.end()).substr(0, 2000));
  }

  Driver driver_;
  Nvrtc nvrtc_;
  CudaDevice device_ = 0;
  CudaContext context_ = nullptr;
  std::map<std::string, std::vector<char>> compiled_;  // by source
};

}  // namespace

std::string missing_for_cuda() {
  if (!driver_library()) return "there is no NVIDIA driver here (libcuda.so.1)";
  if (!nvrtc_library())
    return "there is no NVRTC here (libnvrtc.so): install the CUDA toolkit, or say where it is by CUDA_HOME";
  const Driver driver = load_driver();
  int count = 0;
  if (driver.init(0) != 0 || driver.device_count(&count) != 0 || count == 0) return "the driver sees no GPU";
  return {};
}

std::unique_ptr<Device> cuda_device() {
  if (const std::string missing = missing_for_cuda(); !missing.empty()) throw InputError("--device cuda: " + missing);
  return std::make_unique<CudaGpu>();
}

}  // namespace invar
