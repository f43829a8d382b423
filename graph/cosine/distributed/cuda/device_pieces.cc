// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/cuda/device_pieces.h"

#include <utility>

#include "absl/strings/match.h"
#include "base/status/status_macros.h"
#include "kernels/device_buffer.h"
#include "kernels/nccl/device_exchange.h"

namespace warpclust {
namespace {

class Pieces final : public DevicePieces {
 public:
  explicit Pieces(std::unique_ptr<DeviceExchange> exchange)
      : exchange_(std::move(exchange)) {}

  absl::Status Start() {
    RETURN_IF_ERROR(AllocateInto(1, fence_));
    return fence_.FillBytes(0);
  }

  const std::string& way() const override { return exchange_->way(); }
  bool is_direct() const override {
    return absl::StartsWith(exchange_->way(), "NCCL");
  }

  absl::Status MakeRoom(int64_t num_out, int64_t num_in) override {
    num_out_ = num_out;
    num_in_ = num_in;
    RETURN_IF_ERROR(::warpclust::MakeRoom(num_out, out_));
    return ::warpclust::MakeRoom(num_in, in_);
  }
  uint32_t* out() override { return out_.data(); }
  absl::Status Upload(absl::Span<const uint32_t> words) override {
    return out_.CopyFromHost(words);
  }
  absl::Status Finish() override {
    uint32_t zero;
    return fence_.CopyToHost(absl::MakeSpan(&zero, 1));
  }

  absl::Status Exchange(int to, int from) override {
    return exchange_->SendReceive(out_, num_out_, to, &in_, num_in_, from);
  }

  void Receive() override {
    std::swap(in_, received_);
    num_received_ = num_in_;
  }
  const uint32_t* received() const override { return received_.data(); }
  int64_t num_received() const override { return num_received_; }
  absl::StatusOr<std::vector<uint32_t>> Download() const override {
    std::vector<uint32_t> words(num_received_);
    RETURN_IF_ERROR(received_.CopyToHost(absl::MakeSpan(words)));
    return words;
  }

 private:
  const std::unique_ptr<DeviceExchange> exchange_;
  int64_t num_out_ = 0, num_in_ = 0, num_received_ = 0;
  DeviceBuffer<uint32_t> out_, in_, received_;
  // Copied to wait for what comes before.
  DeviceBuffer<uint32_t> fence_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<DevicePieces>> MakeDevicePieces(
    Communicator& ranks) {
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceExchange> exchange,
                   DeviceExchange::Create(ranks));
  auto pieces = std::make_unique<Pieces>(std::move(exchange));
  RETURN_IF_ERROR(ranks.Agree(pieces->Start()));
  return pieces;
}

}  // namespace warpclust
