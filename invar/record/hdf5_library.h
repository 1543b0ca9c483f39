// What is used of HDF5, under its own names, from a library that is loaded when a file is asked for: it brings forty
// others with it, which would cost every run more time than many a motion takes.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "invar/base/error.h"
#include "invar/base/shared_library.h"
#include "invar/record/file.h"

namespace invar {

// INVAR_HDF5 is the name by which the system finds the library. A package that brings its own has a library beside it
// that is linked with it and empty otherwise.
inline SharedLibrary hdf5_library() {
#ifdef INVAR_OWN_HDF5
  for (const std::filesystem::path& folder : own_folders())
    if (SharedLibrary found = load_library((folder / INVAR_OWN_HDF5).string())) return found;
#endif
  return load_library(INVAR_HDF5);
}

inline void* in_hdf5_library(const char* name) {
  static const auto& library = *new SharedLibrary(hdf5_library());  // never unloaded
  void* const place = find_in(library, name);
  if (place == nullptr)
    throw InputError(std::string("HDF5 (") + INVAR_HDF5 + ") cannot be used: it has no " + name +
                     " or is not installed; use --format csv");
  return place;
}

// A function of the library. A pointer to one can be called.
template <class Kind>
class Hdf5Function {
 public:
  explicit constexpr Hdf5Function(const char* name) : name_(name) {}
  operator Kind*() const { return reinterpret_cast<Kind*>(in_hdf5_library(name_)); }

 private:
  const char* name_;
};

// A number that it keeps.
class Hdf5Number {
 public:
  explicit constexpr Hdf5Number(const char* name) : name_(name) {}
  operator hid_t() const { return *static_cast<const hid_t*>(in_hdf5_library(name_)); }

 private:
  const char* name_;
};

namespace from_hdf5 {

inline constexpr Hdf5Function<decltype(::H5Aclose)> H5Aclose("H5Aclose");
inline constexpr Hdf5Function<decltype(::H5Acreate2)> H5Acreate2("H5Acreate2");
inline constexpr Hdf5Function<decltype(::H5Aget_space)> H5Aget_space("H5Aget_space");
inline constexpr Hdf5Function<decltype(::H5Aopen)> H5Aopen("H5Aopen");
inline constexpr Hdf5Function<decltype(::H5Aread)> H5Aread("H5Aread");
inline constexpr Hdf5Function<decltype(::H5Awrite)> H5Awrite("H5Awrite");
inline constexpr Hdf5Function<decltype(::H5check_version)> H5check_version("H5check_version");
inline constexpr Hdf5Function<decltype(::H5Dclose)> H5Dclose("H5Dclose");
inline constexpr Hdf5Function<decltype(::H5Dcreate2)> H5Dcreate2("H5Dcreate2");
inline constexpr Hdf5Function<decltype(::H5Dget_space)> H5Dget_space("H5Dget_space");
inline constexpr Hdf5Function<decltype(::H5Dget_storage_size)> H5Dget_storage_size("H5Dget_storage_size");
inline constexpr Hdf5Function<decltype(::H5Dopen2)> H5Dopen2("H5Dopen2");
inline constexpr Hdf5Function<decltype(::H5Dread)> H5Dread("H5Dread");
inline constexpr Hdf5Function<decltype(::H5Dset_extent)> H5Dset_extent("H5Dset_extent");
inline constexpr Hdf5Function<decltype(::H5Dwrite)> H5Dwrite("H5Dwrite");
inline constexpr Hdf5Function<decltype(::H5dont_atexit)> H5dont_atexit("H5dont_atexit");
inline constexpr Hdf5Function<decltype(::H5Eset_auto2)> H5Eset_auto2("H5Eset_auto2");
inline constexpr Hdf5Function<decltype(::H5Fclose)> H5Fclose("H5Fclose");
inline constexpr Hdf5Function<decltype(::H5Fcreate)> H5Fcreate("H5Fcreate");
inline constexpr Hdf5Function<decltype(::H5Fopen)> H5Fopen("H5Fopen");
inline constexpr Hdf5Function<decltype(::H5free_memory)> H5free_memory("H5free_memory");
inline constexpr Hdf5Function<decltype(::H5Gclose)> H5Gclose("H5Gclose");
inline constexpr Hdf5Function<decltype(::H5Gcreate2)> H5Gcreate2("H5Gcreate2");
inline constexpr Hdf5Function<decltype(::H5Gget_info)> H5Gget_info("H5Gget_info");
inline constexpr Hdf5Function<decltype(::H5Gopen2)> H5Gopen2("H5Gopen2");
inline constexpr Hdf5Function<decltype(::H5Lget_name_by_idx)> H5Lget_name_by_idx("H5Lget_name_by_idx");
inline constexpr Hdf5Function<decltype(::H5open)> H5open("H5open");
inline constexpr Hdf5Function<decltype(::H5Pclose)> H5Pclose("H5Pclose");
inline constexpr Hdf5Function<decltype(::H5Pcreate)> H5Pcreate("H5Pcreate");
inline constexpr Hdf5Function<decltype(::H5Pset_chunk)> H5Pset_chunk("H5Pset_chunk");
inline constexpr Hdf5Function<decltype(::H5Pset_chunk_cache)> H5Pset_chunk_cache("H5Pset_chunk_cache");
inline constexpr Hdf5Function<decltype(::H5Pset_fill_value)> H5Pset_fill_value("H5Pset_fill_value");
inline constexpr Hdf5Function<decltype(::H5Pset_obj_track_times)> H5Pset_obj_track_times("H5Pset_obj_track_times");
inline constexpr Hdf5Function<decltype(::H5Pset_fill_time)> H5Pset_fill_time("H5Pset_fill_time");
inline constexpr Hdf5Function<decltype(::H5Sclose)> H5Sclose("H5Sclose");
inline constexpr Hdf5Function<decltype(::H5Screate)> H5Screate("H5Screate");
inline constexpr Hdf5Function<decltype(::H5Screate_simple)> H5Screate_simple("H5Screate_simple");
inline constexpr Hdf5Function<decltype(::H5Sget_simple_extent_dims)> H5Sget_simple_extent_dims(
    "H5Sget_simple_extent_dims");
inline constexpr Hdf5Function<decltype(::H5Sget_simple_extent_ndims)> H5Sget_simple_extent_ndims(
    "H5Sget_simple_extent_ndims");
inline constexpr Hdf5Function<decltype(::H5Sget_simple_extent_npoints)> H5Sget_simple_extent_npoints(
    "H5Sget_simple_extent_npoints");
inline constexpr Hdf5Function<decltype(::H5Sselect_hyperslab)> H5Sselect_hyperslab("H5Sselect_hyperslab");
inline constexpr Hdf5Function<decltype(::H5Tclose)> H5Tclose("H5Tclose");
inline constexpr Hdf5Function<decltype(::H5Tcopy)> H5Tcopy("H5Tcopy");
inline constexpr Hdf5Function<decltype(::H5Tset_cset)> H5Tset_cset("H5Tset_cset");
inline constexpr Hdf5Function<decltype(::H5Tset_size)> H5Tset_size("H5Tset_size");
inline constexpr Hdf5Number H5P_CLS_DATASET_ACCESS_ID_g("H5P_CLS_DATASET_ACCESS_ID_g");
inline constexpr Hdf5Number H5P_CLS_DATASET_CREATE_ID_g("H5P_CLS_DATASET_CREATE_ID_g");
inline constexpr Hdf5Number H5T_C_S1_g("H5T_C_S1_g");
inline constexpr Hdf5Number H5T_NATIVE_DOUBLE_g("H5T_NATIVE_DOUBLE_g");
inline constexpr Hdf5Number H5T_NATIVE_UCHAR_g("H5T_NATIVE_UCHAR_g");
inline constexpr Hdf5Number H5T_STD_U8LE_g("H5T_STD_U8LE_g");

// Closes what it holds.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  operator hid_t() const { return id_; }
  // Only now is it known whether everything was stored.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// The library would print what we say ourselves, and at the end of the program fall over what it could not write.
inline void be_quiet() {
  static const bool asked = H5dont_atexit() >= 0;
  static_cast<void>(asked);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

// A slash would be a folder.
inline std::string link_name(std::string column) {
  std::ranges::replace(column, '/', '_');
  return column == "." ? "_" : column;
}

inline Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// Attributes of a file or a data set.
class Notes {
 public:
  Notes(hid_t object, const std::filesystem::path& path) : object_(object), path_(path) {}

  void text(const std::string& name, const std::string& value) {
    const Handle type = string_type(), scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const char* pointer = value.c_str();
    write(name, type, scalar, &pointer);
  }
  void number(const std::string& name, double value) {
    write(name, H5T_NATIVE_DOUBLE, Handle(H5Screate(H5S_SCALAR), H5Sclose), &value);
  }

 private:
  void write(const std::string& name, hid_t type, hid_t space, const void* value) {
    Handle attribute(H5Acreate2(object_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    if (attribute < 0 || H5Awrite(attribute, type, value) < 0)
      throw OutputError(path_.string() + ": cannot be written: attribute " + name);
  }
  hid_t object_;
  const std::filesystem::path& path_;
};

inline void write_document(hid_t file, const char* name, const std::string& text, const std::filesystem::path& path,
                           hid_t layout = H5P_DEFAULT) {
  const Handle type = string_type(), scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle set(H5Dcreate2(file, name, type, scalar, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose);
  const char* pointer = text.c_str();
  if (set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &pointer) < 0)
    throw OutputError(path.string() + ": cannot be written");
}

}  // namespace from_hdf5
}  // namespace invar
