// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GpuLike: while it lives, kernels take the code paths for another GPU
// (kernels/device/device_limits.h).
//
//   for (const char* like : kGpusLike) {
//     const GpuLike gpu(like);
//     ExpectSame(...);
//   }

#ifndef WARPCLUST_KERNELS_TESTING_GPU_LIKE_H_
#define WARPCLUST_KERNELS_TESTING_GPU_LIKE_H_

#include <cstdlib>
#include <string>

namespace warpclust {

// The GPU that there is, and one with the least shared memory and the oldest
// instructions.
inline constexpr const char* kGpusLike[] = {"", "8.6"};

class GpuLike {
 public:
  // An empty `capability` leaves what the environment says.
  explicit GpuLike(const char* capability) {
    const char* const before = std::getenv(kName);
    if (before != nullptr) before_ = before;
    if (*capability != '\0') setenv(kName, capability, 1);
  }
  GpuLike(const GpuLike&) = delete;
  GpuLike& operator=(const GpuLike&) = delete;
  ~GpuLike() { setenv(kName, before_.c_str(), 1); }

 private:
  static constexpr const char* kName = "WARPCLUST_GPU_LIKE";
  std::string before_;
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_TESTING_GPU_LIKE_H_
