// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/communicator/mpi/mpi_transfer.h"

// The C++ bindings, which MPI has given up, do not find their headers there.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi/mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"

namespace warpclust::internal {
namespace {

constexpr int kNobody = Communicator::kNobody;

// Longer messages are sent in parts, since MPI counts in int.
constexpr size_t kLargestPart = size_t{1} << 30;
// From this size on, a message waits until its receiver is ready.
constexpr size_t kLargeMessage = size_t{256} << 10;

// How long a thread that waits tests before it sleeps, and the longest sleep.
// Messages between processes of a host take a few microseconds, but even the
// shortest sleep may take milliseconds: 2.8 on a virtual machine with H100s.
constexpr absl::Duration kTimeBeforeSleep = absl::Milliseconds(5);
constexpr absl::Duration kLongestSleep = absl::Milliseconds(1);

enum Tag { kContent = 0, kReady = 1, kBegin = 2 };

class MpiTransfer {
 public:
  MpiTransfer(absl::Span<const char> out, int to, absl::Span<char> in, int from,
              RingPair rings)
      : out_(out),
        to_(to),
        in_(in),
        from_(from),
        out_ring_(out.size() < kLargeMessage ? nullptr : rings.outgoing),
        in_ring_(in.size() < kLargeMessage ? nullptr : rings.incoming) {}

  absl::Status Run(double timeout_seconds) {
    if (from_ != kNobody) RETURN_IF_ERROR(BeginReceiving());
    if (to_ != kNobody) {
      RETURN_IF_ERROR(out_.size() < kLargeMessage
                          ? Send()
                          : ReceiveSignal(kReady, to_, &receiver_is_ready_));
    }
    const absl::Time begin = absl::Now();
    absl::Duration sleep = absl::Microseconds(10);
    for (;;) {
      RETURN_IF_ERROR(Test());
      if (has_sent_ && has_received_) return CheckLengths();
      const absl::Duration waited = absl::Now() - begin;
      if (timeout_seconds > 0 && waited > absl::Seconds(timeout_seconds)) {
        return Lost(timeout_seconds);
      }
      if (waited < kTimeBeforeSleep || is_moving()) {
        sched_yield();
        continue;
      }
      absl::SleepFor(sleep);
      sleep = std::min(2 * sleep, kLongestSleep);
    }
  }

 private:
  using Requests = std::vector<MPI_Request>;

  absl::Status BeginReceiving() {
    has_received_ = false;
    if (in_ring_ != nullptr) return SendSignal(kReady, from_);
    for (size_t begin = 0; begin == 0 || begin < in_.size();
         begin += kLargestPart) {
      const absl::Span<char> part = in_.subspan(begin, kLargestPart);
      lengths_.push_back(static_cast<int>(part.size()));
      received_.emplace_back();
      RETURN_IF_ERROR(
          MpiStatus(MPI_Irecv(part.data(), lengths_.back(), MPI_BYTE, from_,
                              kContent, MPI_COMM_WORLD, &received_.back()),
                    absl::StrCat("receiving from rank ", from_)));
    }
    if (in_.size() < kLargeMessage) return absl::OkStatus();
    RETURN_IF_ERROR(ReceiveSignal(kBegin, from_, &sender_begins_));
    return SendSignal(kReady, from_);
  }

  absl::Status Send() {
    for (size_t begin = 0; begin == 0 || begin < out_.size();
         begin += kLargestPart) {
      const absl::Span<const char> part = out_.subspan(begin, kLargestPart);
      sent_.emplace_back();
      RETURN_IF_ERROR(MpiStatus(
          MPI_Isend(part.data(), static_cast<int>(part.size()), MPI_BYTE, to_,
                    kContent, MPI_COMM_WORLD, &sent_.back()),
          absl::StrCat("sending to rank ", to_)));
    }
    return absl::OkStatus();
  }

  // Empty messages.
  absl::Status SendSignal(Tag tag, int to) {
    sent_.emplace_back();
    return MpiStatus(
        MPI_Isend(nullptr, 0, MPI_BYTE, to, tag, MPI_COMM_WORLD, &sent_.back()),
        absl::StrCat("sending to rank ", to));
  }
  static absl::Status ReceiveSignal(Tag tag, int from, MPI_Request* signal) {
    return MpiStatus(
        MPI_Irecv(nullptr, 0, MPI_BYTE, from, tag, MPI_COMM_WORLD, signal),
        absl::StrCat("receiving from rank ", from));
  }
  // Whether a signal has come since the last call.
  static absl::StatusOr<bool> Comes(MPI_Request* signal) {
    if (*signal == MPI_REQUEST_NULL) return false;
    int has_come = 0;
    RETURN_IF_ERROR(MpiStatus(MPI_Test(signal, &has_come, MPI_STATUS_IGNORE),
                              "waiting for a rank"));
    return has_come != 0;
  }

  absl::Status Test() {
    ASSIGN_OR_RETURN(const bool is_ready, Comes(&receiver_is_ready_));
    if (is_ready) RETURN_IF_ERROR(BeginSendingLarge());
    ASSIGN_OR_RETURN(const bool begins, Comes(&sender_begins_));
    receives_large_ = receives_large_ || begins;
    if (!has_received_) RETURN_IF_ERROR(Receive());
    has_sent_ = false;
    if (receiver_is_ready_ != MPI_REQUEST_NULL) return absl::OkStatus();
    if (out_ring_ != nullptr) {
      ring_sent_ += out_ring_->Send(out_.subspan(ring_sent_));
      if (ring_sent_ < out_.size()) return absl::OkStatus();
    }
    return TestAll(&sent_, MPI_STATUSES_IGNORE, &has_sent_,
                   absl::StrCat("with rank ", to_));
  }

  absl::Status BeginSendingLarge() {
    sends_large_ = true;
    if (out_ring_ != nullptr) return absl::OkStatus();
    RETURN_IF_ERROR(SendSignal(kBegin, to_));
    return Send();
  }

  absl::Status Receive() {
    if (in_ring_ != nullptr) {
      ring_received_ += in_ring_->Receive(in_.subspan(ring_received_));
      receives_large_ = ring_received_ > 0;
      has_received_ = ring_received_ == in_.size();
      return absl::OkStatus();
    }
    statuses_.resize(received_.size());
    return TestAll(&received_, statuses_.data(), &has_received_,
                   absl::StrCat("with rank ", from_));
  }

  static absl::Status TestAll(Requests* requests, MPI_Status* statuses,
                              bool* are_done, absl::string_view what) {
    int done = 0;
    RETURN_IF_ERROR(MpiStatus(MPI_Testall(static_cast<int>(requests->size()),
                                          requests->data(), &done, statuses),
                              what));
    *are_done = done != 0;
    return absl::OkStatus();
  }

  // Whether a large message is under way.
  bool is_moving() const {
    return (sends_large_ && !has_sent_) || (receives_large_ && !has_received_);
  }

  absl::Status CheckLengths() const {
    for (size_t i = 0; i < lengths_.size(); ++i) {
      int count = 0;
      MPI_Get_count(&statuses_[i], MPI_BYTE, &count);
      if (count != lengths_[i]) {
        return absl::InternalError(absl::StrCat("expected ", lengths_[i],
                                                " bytes of rank ", from_,
                                                ", found ", count));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Lost(double timeout_seconds) const {
    std::string who;
    if (from_ != kNobody) absl::StrAppend(&who, "from rank ", from_);
    if (to_ != kNobody) {
      absl::StrAppend(&who, who.empty() ? "" : " or ", "to rank ", to_);
    }
    return absl::UnavailableError(
        absl::StrCat("no message ", who, " in ", timeout_seconds,
                     " s: that rank is taken for lost"));
  }

  const absl::Span<const char> out_;
  const int to_;
  const absl::Span<char> in_;
  const int from_;
  // Null: contents go by MPI.
  MailboxRing* const out_ring_;
  MailboxRing* const in_ring_;
  size_t ring_sent_ = 0;
  size_t ring_received_ = 0;
  // Of contents and signals.
  Requests sent_;
  Requests received_;
  std::vector<int> lengths_;
  std::vector<MPI_Status> statuses_;
  MPI_Request receiver_is_ready_ = MPI_REQUEST_NULL;
  MPI_Request sender_begins_ = MPI_REQUEST_NULL;
  bool sends_large_ = false;
  bool receives_large_ = false;
  bool has_sent_ = false;
  bool has_received_ = true;
};

}  // namespace

absl::Status MpiStatus(int code, absl::string_view what) {
  if (code == MPI_SUCCESS) return absl::OkStatus();
  std::array<char, MPI_MAX_ERROR_STRING> text;
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return absl::UnavailableError(
      absl::StrCat(what, ": MPI: ", absl::string_view(text.data(), length)));
}

absl::Status TransferByMpi(absl::Span<const char> out, int to,
                           absl::Span<char> in, int from, RingPair rings,
                           double timeout_seconds) {
  return MpiTransfer(out, to, in, from, rings).Run(timeout_seconds);
}

}  // namespace warpclust::internal
