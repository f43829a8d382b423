// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/nccl/nccl_library.h"

#include <dlfcn.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// 10,000 for the major version, 100 for the minor one; before 2.9, 1,000.
constexpr int kOldestVersion = 21800;

std::string VersionText(int version) {
  const int major = version >= 10000 ? version / 10000 : version / 1000;
  const int rest = version >= 10000 ? version % 10000 : version % 1000;
  return absl::StrCat(major, ".", rest / 100, ".", rest % 100);
}

template <typename Function>
absl::Status Find(void* library, const std::string& path, const char* name,
                  Function** function) {
  void* const symbol = dlsym(library, name);
  if (symbol == nullptr) {
    return absl::UnavailableError(absl::StrCat(
        "NCCL: expected a function ", name, " in ", path, ", found none"));
  }
  *function = reinterpret_cast<Function*>(symbol);
  return absl::OkStatus();
}

}  // namespace

absl::Status NcclLibrary::ToStatus(int result, absl::string_view what) const {
  if (result == kSuccess) return absl::OkStatus();
  // What went wrong last in this process, in words.
  const char* const details = GetLastError(nullptr);
  return absl::UnavailableError(
      absl::StrCat("NCCL: ", what, ": ", GetErrorString(result),
                   details == nullptr || *details == '\0' ? "" : ": ",
                   details == nullptr ? "" : details));
}

absl::StatusOr<NcclLibrary> LoadNccl() {
  const char* const named = std::getenv("WARPCLUST_NCCL_LIBRARY");
  const std::string path =
      named != nullptr && *named != '\0' ? std::string(named) : "libnccl.so.2";
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const error = dlerror();
    return absl::UnavailableError(
        absl::StrCat("NCCL: ", error == nullptr ? path : std::string(error),
                     "; WARPCLUST_NCCL_LIBRARY=PATH names the library"));
  }
  NcclLibrary nccl;
  RETURN_IF_ERROR(Find(library, path, "ncclGetVersion", &nccl.GetVersion));
  int version = 0;
  const int result = nccl.GetVersion(&version);
  if (result != NcclLibrary::kSuccess || version < kOldestVersion) {
    return absl::UnavailableError(absl::StrCat(
        "NCCL: expected version ", VersionText(kOldestVersion),
        " or later, found ",
        result == NcclLibrary::kSuccess ? VersionText(version) : "none", " in ",
        path, "; WARPCLUST_NCCL_LIBRARY=PATH names another"));
  }
  nccl.version = VersionText(version);
  RETURN_IF_ERROR(Find(library, path, "ncclGetUniqueId", &nccl.GetUniqueId));
  RETURN_IF_ERROR(Find(library, path, "ncclCommInitRank", &nccl.CommInitRank));
  RETURN_IF_ERROR(Find(library, path, "ncclCommDestroy", &nccl.CommDestroy));
  RETURN_IF_ERROR(Find(library, path, "ncclCommAbort", &nccl.CommAbort));
  RETURN_IF_ERROR(
      Find(library, path, "ncclCommGetAsyncError", &nccl.CommGetAsyncError));
  RETURN_IF_ERROR(Find(library, path, "ncclGroupStart", &nccl.GroupStart));
  RETURN_IF_ERROR(Find(library, path, "ncclGroupEnd", &nccl.GroupEnd));
  RETURN_IF_ERROR(Find(library, path, "ncclSend", &nccl.Send));
  RETURN_IF_ERROR(Find(library, path, "ncclRecv", &nccl.Recv));
  RETURN_IF_ERROR(
      Find(library, path, "ncclGetErrorString", &nccl.GetErrorString));
  RETURN_IF_ERROR(Find(library, path, "ncclGetLastError", &nccl.GetLastError));
  return nccl;
}

}  // namespace warpclust
