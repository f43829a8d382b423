// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/nccl/lent_memory.h"
#include "kernels/nccl/own_stream.h"
#include "kernels/nccl/peer_exchange.h"
#include "kernels/nccl/peer_window.h"

namespace warpclust {
namespace {

std::atomic<uint64_t> refused_ranks = 0;

class PeerExchange final : public DeviceExchange {
 public:
  // `windows` of all ranks.
  PeerExchange(Communicator& ranks, std::string way, int64_t window_bytes,
               PeerWindowPtr window, std::vector<LentMemory> windows)
      : DeviceExchange(std::move(way), /*is_direct=*/true),
        ranks_(ranks),
        window_bytes_(window_bytes),
        window_(std::move(window)),
        windows_(std::move(windows)) {}

  absl::Status Start() { return stream_.Start(); }

  absl::Status Open() override {
    const absl::Status opened = OpenWindows();
    return ranks_.Agree(opened.ok() ? opened
                                    : absl::UnavailableError(opened.message()));
  }

 private:
  absl::Status OpenWindows() {
    Stopwatch stopwatch;
    RETURN_IF_ERROR(stream_.Use());
    while (peers_.size() < windows_.size()) {
      ASSIGN_OR_RETURN(const char* const peer,
                       OpenWindow(windows_[peers_.size()]));
      peers_.push_back(peer);
    }
    stopwatch.Lap("open windows");
    return absl::OkStatus();
  }

  void* Outbox(int64_t bytes) override {
    return bytes <= window_bytes_ ? window_->data() : nullptr;
  }

  absl::Status SendReceiveBytes(const void* out, int64_t out_bytes, int to,
                                void* in, int64_t in_bytes, int from) override {
    RETURN_IF_ERROR(stream_.Use());
    if (to == Communicator::kNobody) out_bytes = 0;
    if (from == Communicator::kNobody) in_bytes = 0;
    const bool is_in_outbox = out == window_->data();
    for (int64_t begin = 0; begin < std::max(out_bytes, in_bytes);
         begin += window_bytes_) {
      const int64_t sent =
          std::clamp<int64_t>(out_bytes - begin, 0, window_bytes_);
      const int64_t got =
          std::clamp<int64_t>(in_bytes - begin, 0, window_bytes_);
      const int reader = sent > 0 ? to : Communicator::kNobody;
      const int writer = got > 0 ? from : Communicator::kNobody;
      Stopwatch stopwatch;
      if (!is_in_outbox) {
        RETURN_IF_ERROR(stream_.Copy(window_->data(),
                                     static_cast<const char*>(out) + begin,
                                     sent, cudaMemcpyDefault));
      }
      RETURN_IF_ERROR(Signal(reader, writer));  // It is there.
      stopwatch.Lap("wait for other ranks");
      if (got > 0) {
        RETURN_IF_ERROR(stream_.Copy(static_cast<char*>(in) + begin,
                                     peers_[writer], got, cudaMemcpyDefault));
        stopwatch.Lap("copy from another GPU");
      }
      RETURN_IF_ERROR(Signal(writer, reader));  // It has been read.
    }
    return absl::OkStatus();
  }

  absl::Status Signal(int to, int from) {
    const char out = 0;
    char in = 0;
    return ranks_.SendReceive(absl::MakeConstSpan(&out, 1), to,
                              absl::MakeSpan(&in, 1), from);
  }

  Communicator& ranks_;
  // The same on all ranks; the window may be larger.
  const int64_t window_bytes_;
  OwnStream stream_;
  const PeerWindowPtr window_;
  const std::vector<LentMemory> windows_;
  // Those that are open, as this process reaches them.
  std::vector<const char*> peers_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceExchange>> MakePeerExchange(
    Communicator& ranks, int64_t window_bytes) {
  ASSIGN_OR_RETURN(const bool on_one_host, ranks.OnOneHost());
  if (!on_one_host) {
    return absl::UnavailableError("the ranks are on several hosts");
  }
  absl::StatusOr<PeerWindowPtr> window = TakeWindow(window_bytes);
  RETURN_IF_ERROR(ranks.Agree(window.status()));
  const LentMemory& mine = (*window)->memory;
  ASSIGN_OR_RETURN(RankLists<LentMemory> windows,
                   ranks.AllGather(absl::MakeConstSpan(&mine, 1)));
  const int rank = ranks.rank();
  if (rank < 64 && (refused_ranks.load() >> rank & 1) != 0) {
    // Of no host.
    for (LentMemory& window : windows.values) window = LentMemory();
  }
  const bool one_process = std::all_of(
      windows.values.begin(), windows.values.end(),
      [&](const LentMemory& other) { return other.process == mine.process; });
  auto exchange = std::make_unique<PeerExchange>(
      ranks, one_process ? "one process" : "CUDA IPC", window_bytes,
      *std::move(window), std::move(windows.values));
  RETURN_IF_ERROR(ranks.Agree(exchange->Start()));
  return exchange;
}

void RefuseToOpenForTest(uint64_t ranks) { refused_ranks = ranks; }

}  // namespace warpclust
