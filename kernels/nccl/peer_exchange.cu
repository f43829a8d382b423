// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/cuda_status.h"
#include "kernels/nccl/own_stream.h"
#include "kernels/nccl/peer_exchange.h"

namespace warpclust {
namespace {

// Of cudaMalloc: what DeviceBuffer has comes from a pool, which cannot be
// opened by handles of this kind.
struct Window {
  int device = 0;
  int64_t bytes = 0;
  char* memory = nullptr;
};

// Memory that another process has open must not be freed, and who has it open
// is not known. So windows live as long as the process, and are used again;
// their sizes are powers of two, so that there are few.
class Windows {
 public:
  static Windows& Get() {
    static Windows& windows = *new Windows;
    return windows;
  }

  // On the current GPU, of at least this size.
  absl::StatusOr<Window> Take(int64_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Window window;
    RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&window.device), "find the GPU"));
    for (size_t i = 0; i < idle_.size(); ++i) {
      if (idle_[i].device != window.device || idle_[i].bytes < bytes) continue;
      window = idle_[i];
      idle_.erase(idle_.begin() + static_cast<int64_t>(i));
      return window;
    }
    const uint64_t size = std::bit_ceil(static_cast<uint64_t>(bytes));
    window.bytes = static_cast<int64_t>(size);
    RETURN_IF_ERROR(
        CudaStatus(cudaMalloc(reinterpret_cast<void**>(&window.memory), size),
                   "allocate a window for other ranks"));
    return window;
  }

  void GiveBack(const Window& window) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(window);
  }

 private:
  std::mutex mutex_;
  std::vector<Window> idle_;
};

// What a rank tells the others of its window.
struct Card {
  // For other processes, if the system has such handles.
  cudaIpcMemHandle_t handle;
  cudaError_t handle_error = cudaSuccess;
  uint64_t process = 0;  // Random.
  int device = 0;
  // In the process of the window.
  const char* memory = nullptr;
};

// Windows of other processes that this one has opened. As they live, they stay
// open: closing one took 6 ms per GB on an H100.
class OpenedWindows {
 public:
  static OpenedWindows& Get() {
    static OpenedWindows& windows = *new OpenedWindows;
    return windows;
  }

  // As the current GPU reaches it.
  absl::StatusOr<const char*> Open(const Card& card) {
    const std::lock_guard<std::mutex> lock(mutex_);
    int device = 0;
    RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device), "find the GPU"));
    for (const Opened& window : opened_) {
      if (window.device == device && window.process == card.process &&
          window.there == card.memory) {
        return window.here;
      }
    }
    void* memory = nullptr;
    RETURN_IF_ERROR(
        CudaStatus(cudaIpcOpenMemHandle(&memory, card.handle,
                                        cudaIpcMemLazyEnablePeerAccess),
                   "open GPU memory of another process"));
    opened_.push_back(
        {device, card.process, card.memory, static_cast<const char*>(memory)});
    return opened_.back().here;
  }

 private:
  struct Opened {
    int device;
    uint64_t process;
    const char* there;  // In that process.
    const char* here;
  };

  std::mutex mutex_;
  std::vector<Opened> opened_;
};

absl::StatusOr<uint64_t> MarkOfProcess() {
  static const uint64_t mark = [] {
    uint64_t random = 0;
    return getentropy(&random, sizeof(random)) == 0 ? random : 0;
  }();
  if (mark == 0) return absl::UnavailableError("no random numbers");
  return mark;
}

class PeerExchange final : public DeviceExchange {
 public:
  PeerExchange(Communicator& ranks, std::string way, int64_t window_bytes,
               const Window& window)
      : DeviceExchange(std::move(way), /*is_direct=*/true),
        ranks_(ranks),
        window_bytes_(window_bytes),
        window_(window),
        peers_(ranks.size(), nullptr) {}
  ~PeerExchange() override {
    if (window_.memory != nullptr) Windows::Get().GiveBack(window_);
  }

  // `cards` of all ranks.
  absl::Status Start(absl::Span<const Card> cards) {
    RETURN_IF_ERROR(stream_.Start());
    const Card& mine = cards[ranks_.rank()];
    for (int r = 0; r < ranks_.size(); ++r) {
      if (cards[r].process == mine.process) {
        peers_[r] = cards[r].memory;
        RETURN_IF_ERROR(ReachDevice(cards[r].device));
        continue;
      }
      RETURN_IF_ERROR(CudaStatus(cards[r].handle_error,
                                 absl::StrCat("open GPU memory of rank ", r)));
      ASSIGN_OR_RETURN(peers_[r], OpenedWindows::Get().Open(cards[r]));
      // By chance a handle may open other memory.
      Card found;
      RETURN_IF_ERROR(
          stream_.Copy(&found, peers_[r], sizeof(found), cudaMemcpyDefault));
      if (found.process != cards[r].process ||
          found.memory != cards[r].memory) {
        return absl::UnavailableError(
            absl::StrCat("the GPU memory of rank ", r, " is another's"));
      }
    }
    return absl::OkStatus();
  }

 private:
  // Lets the current GPU read the memory of another one of this process.
  static absl::Status ReachDevice(int device) {
    int current = 0;
    RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&current), "find the GPU"));
    if (device == current) return absl::OkStatus();
    const cudaError_t error = cudaDeviceEnablePeerAccess(device, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();
      return absl::OkStatus();
    }
    return CudaStatus(error, absl::StrCat("reach GPU ", device));
  }

  void* Outbox(int64_t bytes) override {
    return bytes <= window_bytes_ ? window_.memory : nullptr;
  }

  absl::Status SendReceiveBytes(const void* out, int64_t out_bytes, int to,
                                void* in, int64_t in_bytes, int from) override {
    RETURN_IF_ERROR(stream_.Use());
    if (to == Communicator::kNobody) out_bytes = 0;
    if (from == Communicator::kNobody) in_bytes = 0;
    // In the outbox already.
    const bool is_there = out == window_.memory;
    // Blocks that are larger than the outbox travel beside kernels, which have
    // ended before edges travel.
    const auto write = [&](int64_t begin, int64_t bytes) {
      const char* const from = static_cast<const char*>(out) + begin;
      return out_bytes > window_bytes_
                 ? stream_.CopyBesideKernels(window_.memory, from, bytes)
                 : stream_.Copy(window_.memory, from, bytes, cudaMemcpyDefault);
    };
    for (int64_t begin = 0; begin < std::max(out_bytes, in_bytes);
         begin += window_bytes_) {
      const int64_t sent =
          std::clamp<int64_t>(out_bytes - begin, 0, window_bytes_);
      const int64_t got =
          std::clamp<int64_t>(in_bytes - begin, 0, window_bytes_);
      const int reader = sent > 0 ? to : Communicator::kNobody;
      const int writer = got > 0 ? from : Communicator::kNobody;
      Stopwatch stopwatch;
      if (!is_there) RETURN_IF_ERROR(write(begin, sent));
      RETURN_IF_ERROR(Signal(reader, writer));  // It is there.
      stopwatch.Lap("wait for other ranks");
      if (got > 0) {
        RETURN_IF_ERROR(stream_.CopyBesideKernels(
            static_cast<char*>(in) + begin, peers_[writer], got));
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
  const Window window_;
  // The windows of all ranks, as this process reaches them.
  std::vector<const char*> peers_;
};

absl::Status CheckOneHost(Communicator& ranks) {
  ASSIGN_OR_RETURN(const int last,
                   ranks.AllReduce(Reduction::kMax, ranks.local_rank()));
  if (last + 1 == ranks.size()) return absl::OkStatus();
  return absl::UnavailableError("the ranks are on several hosts");
}

// Takes a window and fills the card, which is written into it.
absl::Status MakeWindow(int64_t bytes, Window* window, Card* card) {
  ASSIGN_OR_RETURN(card->process, MarkOfProcess());
  ASSIGN_OR_RETURN(*window, Windows::Get().Take(bytes));
  card->device = window->device;
  card->memory = window->memory;
  // Ranks of this process do without.
  card->handle_error = cudaIpcGetMemHandle(&card->handle, window->memory);
  if (card->handle_error != cudaSuccess) cudaGetLastError();
  // The default stream may have long kernels.
  OwnStream stream;
  RETURN_IF_ERROR(stream.Start());
  return stream.Copy(window->memory, card, sizeof(*card),
                     cudaMemcpyHostToDevice);
}

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceExchange>> MakePeerExchange(
    Communicator& ranks, int64_t window_bytes) {
  RETURN_IF_ERROR(CheckOneHost(ranks));
  Window window;
  Card card = {};
  absl::Status status = MakeWindow(window_bytes, &window, &card);
  ASSIGN_OR_RETURN(const RankLists<Card> cards,
                   ranks.AllGather(absl::MakeConstSpan(&card, 1)));
  const bool one_process = std::all_of(
      cards.values.begin(), cards.values.end(),
      [&](const Card& other) { return other.process == card.process; });
  auto exchange = std::make_unique<PeerExchange>(
      ranks, one_process ? "one process" : "CUDA IPC", window_bytes, window);
  if (status.ok()) status = exchange->Start(cards.values);
  RETURN_IF_ERROR(ranks.Agree(status));
  return exchange;
}

}  // namespace warpclust
