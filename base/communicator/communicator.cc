// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/communicator/communicator.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr char kAgreedPayload[] = "warpclust.ranks.agreed";

}  // namespace

absl::Status Communicator::SendReceive(absl::Span<const char> out, int to,
                                       absl::Span<char> in, int from) {
  for (const int peer : {to, from}) {
    if (peer < kNobody || peer >= size_) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected a rank below ", size_, ", found ", peer));
    }
  }
  if ((to == rank_) != (from == rank_)) {
    return absl::InvalidArgumentError(
        absl::StrCat("rank ", rank_, " sends to ", to, " and receives from ",
                     from, ": expected both or none to be the rank itself"));
  }
  if (to == rank_) {
    if (in.size() != out.size()) {
      return absl::InternalError(
          absl::StrCat("expected ", in.size(), " bytes, found ", out.size()));
    }
    if (!in.empty()) std::memmove(in.data(), out.data(), in.size());
    return absl::OkStatus();
  }
  if (to == kNobody && from == kNobody) return absl::OkStatus();
  if (to != kNobody) bytes_sent_ += static_cast<int64_t>(out.size());
  return Transfer(out, to, in, from);
}

absl::Status Communicator::Barrier() {
  // After the round of distance d, this rank has heard from the d ranks before
  // it, by way of others.
  for (int distance = 1; distance < size_; distance *= 2) {
    RETURN_IF_ERROR(SendReceive({}, (rank_ + distance) % size_, {},
                                (rank_ + size_ - distance) % size_));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int64_t>> Communicator::Begins(int64_t count) {
  ASSIGN_OR_RETURN(const RankLists<int64_t> counts,
                   AllGather<int64_t>({count}));
  std::vector<int64_t> begins = {0};
  for (const int64_t other : counts.values) {
    begins.push_back(begins.back() + other);
  }
  return begins;
}

absl::Status Communicator::Agree(const absl::Status& status) {
  ASSIGN_OR_RETURN(const int first_failed,
                   AllReduce(Reduction::kMin, status.ok() ? size_ : rank_));
  if (first_failed == size_) return absl::OkStatus();
  int code = static_cast<int>(status.code());
  std::string message(status.message());
  if (size_ > 1) message = absl::StrCat(Name(), ": ", message);
  RETURN_IF_ERROR(Broadcast(absl::MakeSpan(&code, 1), first_failed));
  RETURN_IF_ERROR(BroadcastAll(&message, first_failed));
  absl::Status agreed(static_cast<absl::StatusCode>(code), message);
  if (size_ > 1) agreed.SetPayload(kAgreedPayload, absl::Cord());
  return agreed;
}

absl::StatusOr<bool> Communicator::OnAll(bool here) {
  ASSIGN_OR_RETURN(const int all, AllReduce(Reduction::kMin, here ? 1 : 0));
  return all == 1;
}

absl::StatusOr<bool> Communicator::OnOneHost() {
  ASSIGN_OR_RETURN(const int last, AllReduce(Reduction::kMax, local_rank()));
  return last + 1 == size();
}

absl::StatusOr<double> Communicator::AllReduceLargest(double value) {
  // They are ordered as their bits are; 0.0 makes 0 of -0.
  ASSIGN_OR_RETURN(
      const uint64_t bits,
      AllReduce(Reduction::kMax, std::bit_cast<uint64_t>(value + 0.0)));
  return std::bit_cast<double>(bits);
}

bool Communicator::IsAgreed(const absl::Status& status) {
  return status.GetPayload(kAgreedPayload).has_value();
}

std::string Communicator::Name() const {
  if (size_ == 1) return "";
  std::array<char, 256> host = {};
  gethostname(host.data(), host.size() - 1);
  return absl::StrCat("rank ", rank_, " of ", size_, " on ", host.data());
}

absl::Status Communicator::BroadcastBytes(absl::Span<char> bytes, int root) {
  // A binomial tree: counted from the root, a rank receives from the one
  // without its highest bit.
  const int place = (rank_ + size_ - root) % size_;
  for (int distance = 1; distance < size_; distance *= 2) {
    if (place >= distance && place < 2 * distance) {
      const int from = (rank_ + size_ - distance) % size_;
      RETURN_IF_ERROR(SendReceive({}, kNobody, bytes, from));
    } else if (place < distance && place + distance < size_) {
      RETURN_IF_ERROR(
          SendReceive(bytes, (rank_ + distance) % size_, {}, kNobody));
    }
  }
  return absl::OkStatus();
}

absl::Status Communicator::AllReduceBytes(absl::Span<char> bytes, int width,
                                          CombineBytes combine) {
  if (size_ == 1) return absl::OkStatus();
  const int64_t num_bytes = static_cast<int64_t>(bytes.size());
  if (num_bytes <= kSmallReduction) {
    // Up a binomial tree to rank 0, then down. Values of 16 bytes are aligned.
    std::vector<unsigned __int128> buffer((num_bytes + 15) / 16);
    const absl::Span<char> other(reinterpret_cast<char*>(buffer.data()),
                                 num_bytes);
    for (int distance = 1; distance < size_; distance *= 2) {
      if (rank_ % (2 * distance) == distance) {
        RETURN_IF_ERROR(SendReceive(bytes, rank_ - distance, {}, kNobody));
        break;
      }
      if (rank_ + distance < size_) {
        RETURN_IF_ERROR(SendReceive({}, kNobody, other, rank_ + distance));
        combine(other, bytes);
      }
    }
    return BroadcastBytes(bytes, 0);
  }
  // Each rank reduces a share of the values; then all gather the shares.
  const int64_t num_values = num_bytes / width;
  std::vector<int64_t> offsets(size_ + 1);
  for (int r = 0; r <= size_; ++r) {
    offsets[r] =
        num_values / size_ * r + std::min<int64_t>(r, num_values % size_);
    offsets[r] *= width;
  }
  const auto share = [&](int r) {
    return bytes.subspan(offsets[r], offsets[r + 1] - offsets[r]);
  };
  std::vector<unsigned __int128> buffer((share(rank_).size() + 15) / 16);
  const absl::Span<char> other(reinterpret_cast<char*>(buffer.data()),
                               share(rank_).size());
  for (int step = 1; step < size_; ++step) {
    const int to = After(step);
    const int from = Before(step);
    RETURN_IF_ERROR(SendReceive(share(to), to, other, from));
    combine(other, share(rank_));
  }
  // AllGatherBytes writes all of `bytes`, so it reads from elsewhere.
  const absl::Span<const char> reduced = share(rank_);
  std::copy(reduced.begin(), reduced.end(), other.begin());
  return AllGatherBytes(other, bytes, offsets);
}

absl::Status Communicator::AllGatherBytes(absl::Span<const char> mine,
                                          absl::Span<char> all,
                                          absl::Span<const int64_t> offsets) {
  // Bruck's algorithm. `all` holds the lists of this rank and of those after
  // it, cyclically, whose number doubles with each message.
  std::copy(mine.begin(), mine.end(), all.begin());
  const int64_t total = offsets[size_];
  // Bytes of the lists of `count` ranks from rank r on.
  const auto length = [&](int r, int count) {
    return r + count <= size_ ? offsets[r + count] - offsets[r]
                              : total - offsets[r] + offsets[r + count - size_];
  };
  for (int have = 1; have < size_; have *= 2) {
    const int count = std::min(have, size_ - have);
    const int to = Before(have);
    const int from = After(have);
    RETURN_IF_ERROR(SendReceive(
        all.subspan(0, length(rank_, count)), to,
        all.subspan(length(rank_, have), length(from, count)), from));
  }
  std::rotate(all.begin(), all.begin() + (total - offsets[rank_]), all.end());
  return absl::OkStatus();
}

absl::Status Communicator::AllToAllBytes(absl::Span<const char> out,
                                         absl::Span<const int64_t> out_offsets,
                                         absl::Span<char> in,
                                         absl::Span<const int64_t> in_offsets) {
  for (int step = 0; step < size_; ++step) {
    const int to = After(step);
    const int from = Before(step);
    RETURN_IF_ERROR(SendReceive(
        out.subspan(out_offsets[to], out_offsets[to + 1] - out_offsets[to]), to,
        in.subspan(in_offsets[from], in_offsets[from + 1] - in_offsets[from]),
        from));
  }
  return absl::OkStatus();
}

absl::Status Communicator::ExchangeCounts(absl::Span<const int64_t> out_offsets,
                                          std::vector<int64_t>* in_offsets) {
  if (static_cast<int>(out_offsets.size()) != size_ + 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a list for each of ", size_, " ranks, found ",
                     static_cast<int>(out_offsets.size()) - 1));
  }
  // All counts to all ranks: few messages.
  const int64_t row = size_ * int64_t{sizeof(int64_t)};
  std::vector<int64_t> mine(size_), all(int64_t{size_} * size_);
  std::vector<int64_t> rows(size_ + 1);
  for (int r = 0; r < size_; ++r) {
    mine[r] = out_offsets[r + 1] - out_offsets[r];
    rows[r + 1] = rows[r] + row;
  }
  RETURN_IF_ERROR(AllGatherBytes(Bytes(absl::MakeConstSpan(mine)),
                                 Bytes(absl::MakeSpan(all)), rows));
  in_offsets->assign(1, 0);
  for (int r = 0; r < size_; ++r) {
    in_offsets->push_back(in_offsets->back() + all[int64_t{r} * size_ + rank_]);
  }
  return absl::OkStatus();
}

absl::Status SingleRank::Transfer(absl::Span<const char>, int, absl::Span<char>,
                                  int) {
  return absl::InternalError("a single rank has no others");
}

}  // namespace warpclust
