// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceExchange: bytes in GPU memory from rank to rank
// (base/communicator/communicator.h). Between ranks of one host by the memory
// of the GPUs (peer_exchange.h); else by NCCL (nccl_library.h) if all ranks
// have it and a GPU of their own; else through the memory of the hosts.
//
//   UseDeviceOfRank(ranks);
//   ASSIGN_OR_RETURN(auto exchange, DeviceExchange::Create(ranks));
//   RETURN_IF_ERROR(exchange->SendReceive<float>(mine, to, &theirs, from));
//
// Calls take turns: one at a time, on one thread, which may be another than the
// one that computes; and none of the communicator meanwhile. They use a stream
// of their own, which waits for no other. So all work on the buffers, their
// allocation included, must be done before a call, as it is after a copy to the
// host on the default stream; a copy from the host may return before it is. A
// call runs beside kernels that do not touch the buffers, but by kPeers it
// waits until the one that runs ends.

#ifndef WARPCLUST_KERNELS_NCCL_DEVICE_EXCHANGE_H_
#define WARPCLUST_KERNELS_NCCL_DEVICE_EXCHANGE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/device_way.h"

namespace warpclust {

struct DeviceExchangeOptions {
  DeviceWay way = DeviceWay::kAuto;
  // Of kPeers: what a rank sends at once, through a buffer of this size,
  // rounded up to a power of two, that stays for the life of the process. The
  // same on all ranks.
  int64_t window_bytes = int64_t{64} << 20;
  // By kPeers, memory of other ranks is opened by Open, not by Create: that
  // takes long. Meanwhile calls of CUDA by other threads may wait, but kernels
  // run. NCCL, too, is started by Open. If that fails, Open says so; Create
  // would have taken the host.
  bool opens_later = false;
  // For tests. Otherwise NCCL itself refuses ranks that share a GPU.
  bool find_shared_gpus = true;
};

class DeviceExchange {
 public:
  virtual ~DeviceExchange() = default;

  // A collective call, with the GPU of each rank as the current one of its
  // thread; `ranks` outlives the object. Unavailable if a rank has no GPU.
  static absl::StatusOr<std::unique_ptr<DeviceExchange>> Create(
      Communicator& ranks, const DeviceExchangeOptions& options = {});

  // The same on all ranks: "CUDA IPC" (or "one process" if all ranks are
  // threads of it), "NCCL 2.28.9", or "host memory (reason)".
  const std::string& way() const { return way_; }
  // Whether it is not through the hosts.
  bool is_direct() const { return is_direct_; }

  // A collective call, before SendReceive if the options say opens_later, on
  // the same thread or another: whether the GPUs reach each other. Unavailable,
  // on all ranks, if not. May be called again.
  virtual absl::Status Open() { return absl::OkStatus(); }

  // As Communicator::SendReceive, for the first `count` elements of `out` and
  // the first `in_count` of `in`. A peer may be the rank itself or kNobody.
  template <typename T>
  absl::Status SendReceive(const DeviceBuffer<T>& out, int64_t count, int to,
                           DeviceBuffer<T>* in, int64_t in_count, int from) {
    if (count > out.size() || in_count > in->size()) {
      return absl::InvalidArgumentError(
          "device exchange: expected elements within the buffers");
    }
    return SendReceive(out.data(), count, to, in->data(), in_count, from);
  }
  // The same for elements that are there.
  template <typename T>
  absl::Status SendReceive(const T* out, int64_t count, int to, T* in,
                           int64_t in_count, int from) {
    return SendReceiveBytes(out, count * int64_t{sizeof(T)}, to, in,
                            in_count * int64_t{sizeof(T)}, from);
  }

  // GPU memory for `bytes` that will be sent, from where SendReceive need not
  // copy them on this GPU, which would wait for long kernels. Null: none. What
  // is written there is lost once something else is sent.
  virtual void* Outbox(int64_t bytes) = 0;

 protected:
  DeviceExchange(std::string way, bool is_direct)
      : way_(std::move(way)), is_direct_(is_direct) {}

 private:
  virtual absl::Status SendReceiveBytes(const void* out, int64_t out_bytes,
                                        int to, void* in, int64_t in_bytes,
                                        int from) = 0;

  const std::string way_;
  const bool is_direct_;
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_NCCL_DEVICE_EXCHANGE_H_
