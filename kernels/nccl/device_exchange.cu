// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/memory/pinned_buffer.h"
#include "kernels/nccl/device_exchange.h"
#include "kernels/nccl/nccl_library.h"
#include "kernels/nccl/own_stream.h"
#include "kernels/nccl/peer_exchange.h"

namespace warpclust {
namespace {

// Copies to the host, exchanges there, and copies to the device, in pieces.
class HostExchange final : public DeviceExchange {
 public:
  HostExchange(Communicator& ranks, const std::string& why)
      : DeviceExchange(absl::StrCat("host memory (", why, ")"),
                       /*is_direct=*/false),
        ranks_(ranks) {}

  absl::Status Start() {
    RETURN_IF_ERROR(stream_.Start());
    ASSIGN_OR_RETURN(out_, PinnedBuffer<char>::Allocate(kPieceBytes));
    ASSIGN_OR_RETURN(in_, PinnedBuffer<char>::Allocate(kPieceBytes));
    return absl::OkStatus();
  }

 private:
  static constexpr int64_t kPieceBytes = int64_t{8} << 20;

  void* Outbox(int64_t) override { return nullptr; }

  absl::Status SendReceiveBytes(const void* out, int64_t out_bytes, int to,
                                void* in, int64_t in_bytes, int from) override {
    RETURN_IF_ERROR(stream_.Use());
    if (to == Communicator::kNobody) out_bytes = 0;
    if (from == Communicator::kNobody) in_bytes = 0;
    for (int64_t begin = 0; begin < std::max(out_bytes, in_bytes);
         begin += kPieceBytes) {
      const int64_t sent =
          std::clamp<int64_t>(out_bytes - begin, 0, kPieceBytes);
      const int64_t got = std::clamp<int64_t>(in_bytes - begin, 0, kPieceBytes);
      RETURN_IF_ERROR(stream_.Copy(out_.data(),
                                   static_cast<const char*>(out) + begin, sent,
                                   cudaMemcpyDeviceToHost));
      RETURN_IF_ERROR(ranks_.SendReceive(
          absl::MakeConstSpan(out_.data(), static_cast<size_t>(sent)),
          sent > 0 ? to : Communicator::kNobody,
          absl::MakeSpan(in_.data(), static_cast<size_t>(got)),
          got > 0 ? from : Communicator::kNobody));
      RETURN_IF_ERROR(stream_.Copy(static_cast<char*>(in) + begin, in_.data(),
                                   got, cudaMemcpyHostToDevice));
    }
    return absl::OkStatus();
  }

  Communicator& ranks_;
  OwnStream stream_;
  PinnedBuffer<char> out_;
  PinnedBuffer<char> in_;
};

class NcclExchange final : public DeviceExchange {
 public:
  NcclExchange(Communicator& ranks, NcclLibrary nccl)
      : DeviceExchange(absl::StrCat("NCCL ", nccl.version),
                       /*is_direct=*/true),
        ranks_(ranks),
        nccl_(std::move(nccl)) {}
  ~NcclExchange() override {
    if (communicator_ == nullptr) return;
    // Waits for the other ranks unless something failed.
    if (failed_) {
      nccl_.CommAbort(communicator_);
    } else {
      nccl_.CommDestroy(communicator_);
    }
  }

  absl::Status Start() { return stream_.Start(); }

  absl::Status Open() override {
    if (opened_.has_value()) return *opened_;
    Stopwatch stopwatch;
    NcclLibrary::UniqueId id = {};
    absl::Status status = stream_.Use();
    if (status.ok() && ranks_.rank() == 0) {
      status = nccl_.ToStatus(nccl_.GetUniqueId(&id), "asking for an id");
    }
    RETURN_IF_ERROR(ranks_.Agree(status));
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(id.bytes), 0));
    status = ranks_.Agree(nccl_.ToStatus(
        nccl_.CommInitRank(&communicator_, ranks_.size(), id, ranks_.rank()),
        "starting"));
    // Maybe on another rank only. Another call must not start anew on some.
    failed_ = !status.ok();
    opened_ = status;
    stopwatch.Lap("NCCL start");
    return status;
  }

 private:
  void* Outbox(int64_t) override { return nullptr; }

  absl::Status SendReceiveBytes(const void* out, int64_t out_bytes, int to,
                                void* in, int64_t in_bytes, int from) override {
    const absl::Status status = Do([&] {
      int result = nccl_.GroupStart();
      if (result == NcclLibrary::kSuccess && to != Communicator::kNobody &&
          out_bytes > 0) {
        result =
            nccl_.Send(out, static_cast<size_t>(out_bytes), NcclLibrary::kBytes,
                       to, communicator_, stream_.get());
      }
      if (result == NcclLibrary::kSuccess && from != Communicator::kNobody &&
          in_bytes > 0) {
        result =
            nccl_.Recv(in, static_cast<size_t>(in_bytes), NcclLibrary::kBytes,
                       from, communicator_, stream_.get());
      }
      const int end = nccl_.GroupEnd();
      return result == NcclLibrary::kSuccess ? end : result;
    });
    return status;
  }

  // Gives work to the stream and waits for it.
  template <typename Work>
  absl::Status Do(const Work& work) {
    RETURN_IF_ERROR(stream_.Use());
    const bool failed_before = failed_;
    failed_ = true;
    if (failed_before) {
      return absl::UnavailableError("NCCL: an earlier exchange failed");
    }
    RETURN_IF_ERROR(nccl_.ToStatus(work(), "exchanging"));
    for (int queries = 0;; ++queries) {
      const cudaError_t error = cudaStreamQuery(stream_.get());
      if (error == cudaSuccess) break;
      if (error != cudaErrorNotReady) {
        return CudaStatus(error, "exchange between GPUs");
      }
      int result = NcclLibrary::kSuccess;
      RETURN_IF_ERROR(nccl_.ToStatus(
          nccl_.CommGetAsyncError(communicator_, &result), "exchanging"));
      if (result != NcclLibrary::kInProgress) {
        RETURN_IF_ERROR(nccl_.ToStatus(result, "exchanging"));
      }
      if (queries > kQueriesBeforeSleep) usleep(kSleepMicroseconds);
    }
    failed_ = false;
    return absl::OkStatus();
  }

  static constexpr int kQueriesBeforeSleep = 1000;
  static constexpr int kSleepMicroseconds = 50;

  Communicator& ranks_;
  const NcclLibrary nccl_;
  OwnStream stream_;
  void* communicator_ = nullptr;
  // What all ranks agreed on.
  std::optional<absl::Status> opened_;
  bool failed_ = false;
};

// What tells the GPUs of all hosts apart.
struct GpuName {
  char uuid[16];

  bool operator==(const GpuName& other) const {
    return std::memcmp(uuid, other.uuid, sizeof(uuid)) == 0;
  }
};

absl::StatusOr<GpuName> NameOfGpu() {
  int device = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device), "find the GPU"));
  cudaDeviceProp properties;
  RETURN_IF_ERROR(CudaStatus(cudaGetDeviceProperties(&properties, device),
                             "ask for the GPU's name"));
  GpuName name;
  static_assert(sizeof(properties.uuid) == sizeof(name.uuid));
  std::memcpy(name.uuid, &properties.uuid, sizeof(name.uuid));
  return name;
}

// OK on all ranks, or the same error on all.
absl::Status CheckNoneShared(Communicator& ranks) {
  const absl::StatusOr<GpuName> name = NameOfGpu();
  RETURN_IF_ERROR(ranks.Agree(name.status()));
  ASSIGN_OR_RETURN(const RankLists<GpuName> names,
                   ranks.AllGather(absl::MakeConstSpan(&*name, 1)));
  for (int a = 0; a < ranks.size(); ++a) {
    for (int b = a + 1; b < ranks.size(); ++b) {
      if (names.values[a] == names.values[b]) {
        return absl::UnavailableError(
            absl::StrCat("ranks ", a, " and ", b, " share a GPU"));
      }
    }
  }
  return absl::OkStatus();
}

// Unavailable, the same on all ranks, if NCCL cannot be used; other errors are
// those of the communicator.
absl::StatusOr<std::unique_ptr<NcclExchange>> StartNccl(
    Communicator& ranks, const DeviceExchangeOptions& options) {
  if (options.find_shared_gpus) RETURN_IF_ERROR(CheckNoneShared(ranks));
  absl::StatusOr<NcclLibrary> nccl = LoadNccl();
  RETURN_IF_ERROR(ranks.Agree(nccl.status()));
  auto exchange = std::make_unique<NcclExchange>(ranks, *nccl);
  RETURN_IF_ERROR(ranks.Agree(exchange->Start()));
  if (!options.opens_later) RETURN_IF_ERROR(exchange->Open());
  return exchange;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceExchange>> DeviceExchange::Create(
    Communicator& ranks, const DeviceExchangeOptions& options) {
  const DeviceWay way = options.way;
  std::string why = "as asked";
  Stopwatch stopwatch;
  if (way == DeviceWay::kAuto || way == DeviceWay::kPeers) {
    absl::StatusOr<std::unique_ptr<DeviceExchange>> peers =
        MakePeerExchange(ranks, options.window_bytes);
    absl::Status opened = peers.status();
    // Otherwise there is another way.
    const bool opens_later = options.opens_later && way == DeviceWay::kPeers;
    if (opened.ok() && !opens_later) opened = (*peers)->Open();
    stopwatch.Lap("open peers");
    if (opened.ok()) return peers;
    why = std::string(opened.message());
  }
  if (way == DeviceWay::kAuto || way == DeviceWay::kNccl) {
    absl::StatusOr<std::unique_ptr<NcclExchange>> nccl =
        StartNccl(ranks, options);
    if (nccl.ok()) return *std::move(nccl);
    why = std::string(nccl.status().message());
  }
  auto host = std::make_unique<HostExchange>(ranks, why);
  RETURN_IF_ERROR(ranks.Agree(host->Start()));
  return host;
}

}  // namespace warpclust
