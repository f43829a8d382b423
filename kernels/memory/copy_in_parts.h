// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CopyInParts: a copy of host memory to the GPU on other threads, of which a
// part can be used while the next ones come.
//
//   CopyInParts copy(host, {bytes / 4, bytes});  // Pins memory meanwhile.
//   ... allocate `device` ...
//   copy.Start(device);
//   RETURN_IF_ERROR(copy.WaitForPart(0));
//   ... the first quarter ...
//
// Not ordered with other work: none may be pending on `device`, its allocation
// included. Waiting for a part does not slow the copy.

#ifndef WARPCLUST_KERNELS_MEMORY_COPY_IN_PARTS_H_
#define WARPCLUST_KERNELS_MEMORY_COPY_IN_PARTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"

namespace warpclust::internal {

class CopyInParts {
 public:
  // To the GPU of this thread. `ends`: of the parts, in bytes, ascending; the
  // last one is the size. `host` stays until all is copied.
  CopyInParts(const void* host, const std::vector<int64_t>& ends);
  // Waits for the copy, if it was started.
  ~CopyInParts();

  // Begins to copy to `device`, which stays, too.
  void Start(void* device);
  // Waits until a part is there. After Start, in order of the parts, by one
  // thread.
  absl::Status WaitForPart(int part);

 private:
  class Running;

  std::unique_ptr<Running> running_;
};

}  // namespace warpclust::internal

#endif  // WARPCLUST_KERNELS_MEMORY_COPY_IN_PARTS_H_
