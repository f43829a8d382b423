// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceJoin: the exchange of CosineGraphDistributed between GPUs. Documents
// travel from GPU to GPU and so do edges; the host gets the rows that are
// ready. If something does not fit in the memory of a GPU, all ranks give up,
// to do without (block_join.h).

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_DEVICE_JOIN_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_DEVICE_JOIN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "graph/cosine/decision/cosine_block_backend.h"
#include "graph/cosine/distributed/exchange_steps.h"
#include "graph/csr/graph_share.h"
#include "kernels/nccl/device_way.h"

namespace warpclust {

class DeviceJoin {
 public:
  virtual ~DeviceJoin() = default;

  // How pieces travel, and whether that is not through the hosts
  // (kernels/nccl/device_exchange.h).
  virtual const std::string& way() const = 0;
  virtual bool is_direct() const = 0;

  // The words of a piece for which all GPUs have room now, beside what joining
  // it takes. A collective call.
  virtual absl::StatusOr<int64_t> MostWords() = 0;

  // Sets the rows of `share`, which has `begins`; with leave_on_gpu those on
  // the GPU. A collective call. On all ranks, ResourceExhausted if a GPU has
  // too little memory, and Unavailable if the GPUs do not reach each other;
  // then the share is as before.
  virtual absl::Status Run(CosineDeviceBlock& block,
                           const std::vector<ExchangeStep>& steps,
                           bool leave_on_gpu, int num_threads,
                           GraphShare* share) = 0;
};

// A collective call; each rank has its GPU as the current one. Unavailable in a
// build without CUDA. `block_bytes`: of the largest block, packed. With
// opens_later, the memory of other ranks (by kPeers only) is opened, or NCCL
// started, when the GPU has the join of own rows to do. If NCCL then fails, Run
// does, instead of going through the hosts.
absl::StatusOr<std::unique_ptr<DeviceJoin>> MakeDeviceJoin(Communicator& ranks,
                                                           DeviceWay way,
                                                           int64_t block_bytes,
                                                           bool opens_later);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_DEVICE_JOIN_H_
