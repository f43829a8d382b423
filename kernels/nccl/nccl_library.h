// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NcclLibrary: NVIDIA's NCCL, opened at run time. No build needs it, and this
// file has all declarations of it that we use.
//
// The file is WARPCLUST_NCCL_LIBRARY if the environment has it, else
// libnccl.so.2 of the loader's own search. NCCL reads its own settings from the
// environment (NCCL_NVLS_ENABLE, NCCL_DEBUG and others): we set none.

#ifndef WARPCLUST_KERNELS_NCCL_NCCL_LIBRARY_H_
#define WARPCLUST_KERNELS_NCCL_NCCL_LIBRARY_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// The functions have the names of NCCL's, without the prefix. Results are
// ncclResult_t; communicators and streams are pointers.
struct NcclLibrary {
  struct UniqueId {
    char bytes[128];
  };
  static constexpr int kSuccess = 0;
  static constexpr int kInProgress = 7;
  static constexpr int kBytes = 0;  // ncclInt8

  int (*GetVersion)(int* version);
  int (*GetUniqueId)(UniqueId* id);
  int (*CommInitRank)(void** communicator, int num_ranks, UniqueId id,
                      int rank);
  int (*CommDestroy)(void* communicator);
  int (*CommAbort)(void* communicator);
  int (*CommGetAsyncError)(void* communicator, int* result);
  int (*GroupStart)();
  int (*GroupEnd)();
  int (*Send)(const void* bytes, size_t count, int type, int to,
              void* communicator, void* stream);
  int (*Recv)(void* bytes, size_t count, int type, int from, void* communicator,
              void* stream);
  const char* (*GetErrorString)(int result);
  const char* (*GetLastError)(void* communicator);

  // "2.28.9"
  std::string version;

  // Unavailable, with what NCCL says, unless the result is a success.
  absl::Status ToStatus(int result, absl::string_view what) const;
};

// Never closes the library. Unavailable if there is none, if it lacks a
// function, or if it is older than 2.18.
absl::StatusOr<NcclLibrary> LoadNccl();

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_NCCL_NCCL_LIBRARY_H_
