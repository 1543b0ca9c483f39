// What is used of HDF5, under its own names, from a library that is loaded when a file is asked for: it brings forty
// others with it, which would cost every run more time than many a motion takes.
#pragma once

#include <dlfcn.h>
#include <hdf5.h>

#include <string>

#include "invar/base/error.h"

namespace invar {

// INVAR_HDF5 is the name by which the system finds the library.
inline void* in_hdf5_library(const char* name) {
  static void* const library = ::dlopen(INVAR_HDF5, RTLD_NOW | RTLD_LOCAL);
  void* const place = library != nullptr ? ::dlsym(library, name) : nullptr;
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

}  // namespace from_hdf5
}  // namespace invar
