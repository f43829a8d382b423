// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DevicePieces: packed rows (document_pieces.h) that travel from GPU to GPU.
// One piece can be joined while the next one travels.

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_CUDA_DEVICE_PIECES_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_CUDA_DEVICE_PIECES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"

namespace warpclust {

class DevicePieces {
 public:
  virtual ~DevicePieces() = default;

  // The way that pieces travel (kernels/nccl/device_exchange.h).
  virtual const std::string& way() const = 0;
  // Whether that is NCCL.
  virtual bool is_direct() const = 0;

  // Before an exchange: room for these numbers of words.
  virtual absl::Status MakeRoom(int64_t num_out, int64_t num_in) = 0;
  // Where the words that go out are to be written, on the default stream; or
  // they are uploaded.
  virtual uint32_t* out() = 0;
  virtual absl::Status Upload(absl::Span<const uint32_t> words) = 0;
  // Waits for the default stream.
  virtual absl::Status Finish() = 0;

  // Between Finish and Receive; may run on another thread.
  virtual absl::Status Exchange(int to, int from) = 0;

  // The words that the last exchange brought become received().
  virtual void Receive() = 0;
  virtual const uint32_t* received() const = 0;
  virtual int64_t num_received() const = 0;
  virtual absl::StatusOr<std::vector<uint32_t>> Download() const = 0;
};

// A collective call; each rank has its GPU as the current one. Unavailable in a
// build without CUDA.
absl::StatusOr<std::unique_ptr<DevicePieces>> MakeDevicePieces(
    Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_CUDA_DEVICE_PIECES_H_
