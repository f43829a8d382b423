// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterSmallDocuments: five documents of a few terms, clustered by OClustR.
// It shows what a program that depends on warpclust looks like.

#ifndef DOWNSTREAM_SMALL_DOCUMENTS_H_
#define DOWNSTREAM_SMALL_DOCUMENTS_H_

#include "absl/status/statusor.h"
#include "graph/cover/cover.h"
#include "kernels/device/device.h"

namespace downstream {

// Each document shares a term with the next one, so documents 1 and 3 are
// centers and document 2 belongs to both. Unavailable if `device` is kCuda and
// no GPU can be used.
absl::StatusOr<warpclust::Cover> ClusterSmallDocuments(
    warpclust::Device device);

}  // namespace downstream

#endif  // DOWNSTREAM_SMALL_DOCUMENTS_H_
