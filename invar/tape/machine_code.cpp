// Builds, keeps and loads machine code.
#include "invar/tape/machine_code.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "invar/base/private_files.h"
#include "invar/base/shared_library.h"
#include "invar/tape/code_cache.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

constexpr std::string_view format = "invar machine code 1";
// Compilers rewrite functions of functions, cos(atan(x)) for instance: without knowledge of them they cannot, and the
// results keep their bits.
constexpr std::array flags = {"-std=c99",
                              "-O2",
                              "-ffp-contract=off",
                              "-fno-math-errno",
                              "-fPIC",
                              "-shared",
                              "-fno-builtin-exp",
                              "-fno-builtin-log",
                              "-fno-builtin-log1p",
                              "-fno-builtin-pow",
                              "-fno-builtin-sin",
                              "-fno-builtin-cos",
                              "-fno-builtin-tan",
                              "-fno-builtin-asin",
                              "-fno-builtin-acos",
                              "-fno-builtin-atan",
                              "-fno-builtin-atan2",
                              "-fno-builtin-atanh",
                              "-fno-builtin-sinh",
                              "-fno-builtin-cosh",
                              "-fno-builtin-tanh"};

std::string hexadecimal(std::uint64_t x) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x, 16).ptr;
  const std::string text(digits.data(), end);
  return std::string(digits.size() - text.size(), '0') + text;
}

// Two hashes of different make and the length.
std::string digest(std::string_view text) {
  std::uint64_t fnv = 0xcbf29ce484222325;
  std::uint64_t mixed = 0x9e3779b97f4a7c15;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    fnv = (fnv ^ byte) * 0x100000001b3;  // FNV-1a
    mixed += byte + 1;
    mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9;
    mixed ^= mixed >> 32;
  }
  return hexadecimal(fnv) + hexadecimal(mixed) + "_" + std::to_string(text.size());
}

MachineCode load(const std::string& path, std::string_view key) {
  SharedLibrary library = load_library(path);
  const auto* const found = static_cast<const char*>(find_in(library, "invar_key"));
  void* const entry = find_in(library, "invar_function");
  if (!found || found != key || !entry) return {};
  return {std::move(library), entry};
}

// The library is loaded from a copy in a folder of our own: what was checked is what is loaded, whatever happens to the
// cache meanwhile, and a name never stands for two libraries.
MachineCode load_cached(const CacheEntry& entry, const std::string& source, const std::string& key,
                        const std::string& folder) {
  const std::optional<std::string> library = read_file(entry.library);
  if (!library || read_file(entry.source) != source || read_file(entry.sum) != digest(*library)) return {};
  const std::string copy = folder + "/cached_" + key + ".so";
  if (!write_file(copy, *library)) return {};
  MachineCode code = load(copy, key);
  code.cached = code.entry != nullptr;
  if (code.cached) mark_used(entry);
  return code;
}

// Everything that the compiler writes stands in `folder`, so that it can be killed at any time.
bool build(const std::string& command, std::span<const char* const> more_flags, const std::string& source,
           const CacheEntry& to, const ProgramSurroundings& surroundings) {
  if (!write_file(to.source, source)) return false;
  std::vector<std::string> arguments = {command};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  arguments.insert(arguments.end(), more_flags.begin(), more_flags.end());
  arguments.insert(arguments.end(), {"-o", to.library, to.source, "-lm"});
  return run_program(arguments, surroundings);
}

// The cache gets a copy, so that writing over it cannot reach the code that is loaded.
void keep(const CacheEntry& built, const CacheEntry& entry) {
  const std::optional<std::string> library = read_file(built.library);
  const std::string copy = built.library + ".copy";
  if (!library || !write_file(copy, *library) || !write_file(built.sum, digest(*library))) return;
  std::error_code failed;
  std::filesystem::rename(copy, entry.library, failed);
  if (!failed) std::filesystem::rename(built.source, entry.source, failed);
  if (!failed) std::filesystem::rename(built.sum, entry.sum, failed);
}

}  // namespace

VectorUnit vector_unit([[maybe_unused]] std::size_t widest) {
#if defined(__x86_64__) && defined(__GNUC__)
  static constexpr std::array wide = {"-mavx512f", "-mavx512dq", "-mavx512vl", "-mprefer-vector-width=512"};
  static constexpr std::array middle = {"-mavx2"};
  const bool has_wide =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (has_wide && widest >= 8) return {8, wide};
  if (__builtin_cpu_supports("avx2") && widest >= 4) return {4, middle};
#endif
  return {};
}

MachineCode build_machine_code(const std::string& source, const Compiler& compiler,
                               std::span<const char* const> more_flags, const BuildLimits& limits) {
  std::string circumstances = std::string(format) + '\n' + compiler.command + '\n';
  for (const char* const flag : flags) circumstances += std::string(flag) + '\n';
  for (const char* const flag : more_flags) circumstances += std::string(flag) + '\n';
  const std::string key = digest(circumstances + source);
  const std::string keyed = source + "\nextern const char invar_key[];\nconst char invar_key[] = \"" + key + "\";\n";

  const bool has_cache = !compiler.cache.empty();
  if (has_cache && !make_private_folder(compiler.cache)) return {};
  std::error_code ignored;  // a folder that cannot be made is found out below
  const TemporaryFolder folder(has_cache ? std::filesystem::absolute(compiler.cache, ignored).string() : "/tmp");
  if (folder.path().empty()) return {};
  const CacheEntry cached(compiler.cache, key);
  if (has_cache)
    if (MachineCode code = load_cached(cached, keyed, key, folder.path()); code.entry) return code;

  if (limits.only_cached || limits.stop.stop_requested()) return {};
  const CacheEntry built(folder.path(), key);
  if (!build(compiler.command, more_flags, keyed, built, {folder.path(), limits.stop})) return {};
  MachineCode code = load(built.library, key);
  if (code.entry && has_cache) {
    keep(built, cached);
    make_room(compiler.cache, compiler.cache_limit, key);
  }
  return code;
}

// One point profits from the processor's three operands and further registers. To take neighbours together costs more
// than it saves, unless they are mostly to be stored (measured: a Newton iteration takes 0.65 of the time without).
MachineCode machine_code_of(const Tape& tape, std::size_t widest, const Compiler& compiler, const BuildLimits& limits) {
  constexpr std::string_view name = "invar_function";
  const bool point = widest == 1, mostly_stores = 2 * tape.outputs.size() > tape.code.size();
  const VectorUnit unit = vector_unit(point ? any_width : widest);
  std::vector<const char*> more_flags(unit.flags.begin(), unit.flags.end());
  if (!point || !mostly_stores) more_flags.push_back("-fno-tree-slp-vectorize");
  const std::string source = point ? c_source(tape, name) : c_source_of_lanes(tape, name, unit.width);
  MachineCode code = build_machine_code(source, compiler, more_flags, limits);
  code.width = point ? 1 : unit.width;
  return code;
}

}  // namespace invar
