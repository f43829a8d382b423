// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WARPCLUST_HOST_DEVICE: marks a function that both the CPU and the GPU run, in
// a header that g++ compiles too. Put it before the declaration.
//
// Such a function gives the same bits on both if it only uses +, -, *, / and
// sqrt, which both round correctly. No compiler fuses operations
// (third_party/copts.bzl, third_party/cuda.bzl). Other functions of <cmath>
// differ.

#ifndef WARPCLUST_BASE_MACHINE_CUDA_HOST_DEVICE_H_
#define WARPCLUST_BASE_MACHINE_CUDA_HOST_DEVICE_H_

#if defined(__CUDACC__)
#define WARPCLUST_HOST_DEVICE __host__ __device__
#else
#define WARPCLUST_HOST_DEVICE
#endif

#endif  // WARPCLUST_BASE_MACHINE_CUDA_HOST_DEVICE_H_
