// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MeasureCosineJob: the work in a cosine graph, for the choice of a device
// (kernels/device/device_choice.h). It looks at a sample: at most 2^20 entries
// for the products, 4,096 pairs of documents for the edges. So it takes
// milliseconds, however large the collection. The sample is a function of the
// documents.

#ifndef WARPCLUST_GRAPH_COSINE_COSINE_JOB_H_
#define WARPCLUST_GRAPH_COSINE_COSINE_JOB_H_

#include "absl/status/statusor.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Estimates of all fields but `clusters_only`, which stays false. The documents
// are valid.
CosineJob MeasureCosineJob(const DocumentMatrix& documents, const Decimal& beta,
                           int num_threads = 0);

// The device of a cosine graph: kAuto is the one that is expected to be faster.
// `clusters_only`: see CosineJob. InvalidArgument for kAuto if the options or
// the documents are not valid; Unavailable as ResolveDevice says.
absl::StatusOr<Device> ChooseCosineDevice(Device requested,
                                          const DocumentMatrix& documents,
                                          const CosineGraphOptions& options,
                                          bool clusters_only);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_COSINE_JOB_H_
