// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Communicator: the ranks of one job, that is several threads or processes that
// run the same code on shares of the data, and what they tell each other.
//
// A distributed algorithm takes a Communicator& and gives the same result with
// any number of ranks. It runs on the threads of one process (RunOnThreads of
// thread_ranks.h), on one rank (SingleRank), and on the processes of mpirun.
//
//   // Numbers the rows of all ranks: this rank's begin at `first`.
//   ASSIGN_OR_RETURN(const auto begins, communicator.Begins(num_my_rows));
//   const int64_t first = begins[communicator.rank()];
//
// All ranks call the same collective functions (all except SendReceive) in the
// same order. Sums are of integers only, so the order of a reduction never
// shows; other data travels as bytes, of machines with one byte order.
//
// Cost with p ranks and m bytes per rank: messages of Broadcast and Barrier
// log p; of AllGather 2 log p; of AllReduce 2 log p, or p + log p for more than
// kSmallReduction bytes; of AllToAll p + log p. No rank sends more than
// m log p bytes in a Broadcast or a small AllReduce, 2 m in a large one, and
// what the others hold in an AllGather.
//
// Errors: a rank that fails returns its error from the job. Calls of the others
// then return an error too, or their processes are ended: nobody waits for a
// rank that is gone.

#ifndef WARPCLUST_BASE_COMMUNICATOR_COMMUNICATOR_H_
#define WARPCLUST_BASE_COMMUNICATOR_COMMUNICATOR_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"

namespace warpclust {

// A list of values for each rank, or from each.
template <typename T>
struct RankLists {
  // Of() for rank r: values [offsets[r], offsets[r + 1]).
  std::vector<int64_t> offsets = {0};
  std::vector<T> values;

  int size() const { return static_cast<int>(offsets.size()) - 1; }
  absl::Span<const T> Of(int rank) const {
    return absl::MakeConstSpan(values).subspan(
        offsets[rank], offsets[rank + 1] - offsets[rank]);
  }
  // Appends the list of the next rank.
  void Append(absl::Span<const T> list) {
    values.insert(values.end(), list.begin(), list.end());
    offsets.push_back(static_cast<int64_t>(values.size()));
  }
};

enum class Reduction { kSum, kMin, kMax };

class Communicator {
 public:
  // As `to` or `from` of SendReceive: nothing is sent or received.
  static constexpr int kNobody = -1;
  // AllReduce of more bytes sends less with more messages.
  static constexpr int64_t kSmallReduction = 16 << 10;

  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  // This rank, in [0, size()).
  int rank() const { return rank_; }
  int size() const { return size_; }
  // The place of this rank among those of its host, from 0 on: which of the
  // host's GPUs is its own.
  int local_rank() const { return local_rank_; }
  // The ranks `step` places, 0 … size(), after and before this one in a ring.
  // If all ranks send to After(step) and receive from Before(step), for each
  // step from 1 to size() - 1, each sends to all others once.
  int After(int step) const { return (rank_ + step) % size_; }
  int Before(int step) const { return (rank_ - step + size_) % size_; }
  // The bytes that this rank has sent to others.
  int64_t bytes_sent() const { return bytes_sent_; }

  // Sends `out` to rank `to` and receives `in` from rank `from`, both at once,
  // so a ring of ranks that all call this makes progress. Two ranks exchange
  // messages in the order of their calls. `in` must have the length of what is
  // sent. May run on another thread than the collective functions of this rank,
  // but not at the same time as any of them.
  absl::Status SendReceive(absl::Span<const char> out, int to,
                           absl::Span<char> in, int from);

  // The same for arrays of a trivially copyable T.
  template <typename T>
  absl::Status SendReceiveValues(absl::Span<const T> out, int to,
                                 absl::Span<T> in, int from) {
    return SendReceive(Bytes(out), to, Bytes(in), from);
  }

  // Returns once all ranks have called it.
  absl::Status Barrier();

  // The error of the first rank whose `status` is one, on all ranks, with the
  // rank that it comes from if there are several; OK if no rank has an error.
  // Payloads of the status are lost.
  absl::Status Agree(const absl::Status& status);
  // Whether `status` is what Agree returned on several ranks, so that one of
  // them may speak for all.
  static bool IsAgreed(const absl::Status& status);

  // Whether it is so on all ranks.
  absl::StatusOr<bool> OnAll(bool here);
  // Whether all ranks are on one host.
  absl::StatusOr<bool> OnOneHost();

  // `values` of rank `root` to all; all ranks have the same length.
  template <typename T>
  absl::Status Broadcast(absl::Span<T> values, int root) {
    return BroadcastBytes(Bytes(values), root);
  }
  // The same for a vector or a string that is resized to that of `root`.
  template <typename Container>
  absl::Status BroadcastAll(Container* values, int root) {
    int64_t length = static_cast<int64_t>(values->size());
    if (absl::Status status = Broadcast(absl::MakeSpan(&length, 1), root);
        !status.ok()) {
      return status;
    }
    values->resize(length);
    return Broadcast(absl::MakeSpan(*values), root);
  }

  // Each of `values`, an array of integers as long on all ranks, becomes the
  // sum (modulo 2^bits), the least or the largest of that of all ranks.
  template <typename T>
  absl::Status AllReduce(Reduction reduction, absl::Span<T> values) {
    static_assert(kIsInteger<T>, "only integers are the same in any order");
    return AllReduceBytes(
        Bytes(values), sizeof(T),
        [reduction](absl::Span<const char> other, absl::Span<char> mine) {
          Combine(reduction, other, reinterpret_cast<T*>(mine.data()));
        });
  }
  // The same for one integer.
  template <typename T>
  absl::StatusOr<T> AllReduce(Reduction reduction, T value) {
    absl::Status status = AllReduce(reduction, absl::MakeSpan(&value, 1));
    if (!status.ok()) return status;
    return value;
  }

  // The largest of values of at least 0, which the order of a reduction does
  // not change either.
  absl::StatusOr<double> AllReduceLargest(double value);

  // The values of every rank, on all ranks. T is trivially copyable.
  template <typename T>
  absl::StatusOr<RankLists<T>> AllGather(absl::Span<const T> mine) {
    RankLists<T> all;
    absl::Status status = CountAll<T>(mine.size(), &all);
    if (!status.ok()) return status;
    status = AllGatherBytes(Bytes(mine), Bytes(absl::MakeSpan(all.values)),
                            ByteOffsets<T>(all.offsets));
    if (!status.ok()) return status;
    return all;
  }

  // Numbers items from rank to rank, of which this rank has `count`: those of
  // rank r are [begins[r], begins[r + 1]). size() + 1 numbers, on all ranks.
  absl::StatusOr<std::vector<int64_t>> Begins(int64_t count);

  // AllGather on rank `root` alone; the others get empty lists.
  template <typename T>
  absl::StatusOr<RankLists<T>> Gather(absl::Span<const T> mine, int root) {
    RankLists<T> out;
    for (int r = 0; r < size_; ++r) {
      out.Append(r == root ? mine : absl::Span<const T>());
    }
    return AllToAll(out);
  }

  // Sends out.Of(r) to each rank r, itself included; returns what each rank
  // sent to this one. T is trivially copyable.
  template <typename T>
  absl::StatusOr<RankLists<T>> AllToAll(const RankLists<T>& out) {
    RankLists<T> in;
    absl::Status status = ExchangeCounts(out.offsets, &in.offsets);
    if (!status.ok()) return status;
    ResizeInHugePages(in.offsets.back(), &in.values);
    status = AllToAllBytes(
        Bytes(absl::MakeConstSpan(out.values)), ByteOffsets<T>(out.offsets),
        Bytes(absl::MakeSpan(in.values)), ByteOffsets<T>(in.offsets));
    if (!status.ok()) return status;
    return in;
  }

  // SendReceive of any number of values: what `from` sends to this rank.
  template <typename T>
  absl::StatusOr<std::vector<T>> SendReceiveAll(absl::Span<const T> out, int to,
                                                int from) {
    int64_t num_out = static_cast<int64_t>(out.size()), num_in = 0;
    absl::Status status =
        SendReceive(Bytes(absl::MakeConstSpan(&num_out, 1)), to,
                    Bytes(absl::MakeSpan(&num_in, 1)), from);
    if (!status.ok()) return status;
    std::vector<T> in;
    ResizeInHugePages(num_in, &in);
    status = SendReceive(Bytes(out), to, Bytes(absl::MakeSpan(in)), from);
    if (!status.ok()) return status;
    return in;
  }

  // "rank 2 of 4 on host"; empty for one rank.
  std::string Name() const;

 protected:
  Communicator(int rank, int size, int local_rank)
      : rank_(rank), size_(size), local_rank_(local_rank) {}

  // SendReceive between different ranks; `to` or `from` may be kNobody.
  virtual absl::Status Transfer(absl::Span<const char> out, int to,
                                absl::Span<char> in, int from) = 0;

 private:
  template <typename T>
  static constexpr bool kIsInteger =
      std::is_integral_v<T> || std::is_same_v<T, unsigned __int128>;

  template <typename T>
  static absl::Span<char> Bytes(absl::Span<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<char*>(values.data()), values.size() * sizeof(T)};
  }
  template <typename T>
  static absl::Span<const char> Bytes(absl::Span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<const char*>(values.data()),
            values.size() * sizeof(T)};
  }
  template <typename T>
  static std::vector<int64_t> ByteOffsets(std::vector<int64_t> offsets) {
    for (int64_t& offset : offsets) offset *= sizeof(T);
    return offsets;
  }
  // Combines `other`, integers of type T, into `mine`.
  template <typename T>
  static void Combine(Reduction reduction, absl::Span<const char> other,
                      T* mine) {
    const T* const values = reinterpret_cast<const T*>(other.data());
    const int64_t num_values = other.size() / sizeof(T);
    for (int64_t i = 0; i < num_values; ++i) {
      switch (reduction) {
        case Reduction::kSum:
          // Unsigned, so that it may wrap.
          if constexpr (std::is_signed_v<T>) {
            using Unsigned = std::make_unsigned_t<T>;
            mine[i] = static_cast<T>(static_cast<Unsigned>(mine[i]) +
                                     static_cast<Unsigned>(values[i]));
          } else {
            mine[i] = static_cast<T>(mine[i] + values[i]);
          }
          break;
        case Reduction::kMin:
          mine[i] = std::min(mine[i], values[i]);
          break;
        case Reduction::kMax:
          mine[i] = std::max(mine[i], values[i]);
          break;
      }
    }
  }

  // Sets the offsets of all ranks' lists, and the length of the values.
  template <typename T>
  absl::Status CountAll(size_t num_mine, RankLists<T>* all) {
    const int64_t count = static_cast<int64_t>(num_mine);
    std::vector<int64_t> counts(size_), offsets(size_ + 1);
    for (int r = 0; r <= size_; ++r) offsets[r] = r * int64_t{sizeof(count)};
    absl::Status status =
        AllGatherBytes(Bytes(absl::MakeConstSpan(&count, 1)),
                       Bytes(absl::MakeSpan(counts)), offsets);
    if (!status.ok()) return status;
    for (const int64_t c : counts)
      all->offsets.push_back(all->offsets.back() + c);
    ResizeInHugePages(all->offsets.back(), &all->values);
    return absl::OkStatus();
  }

  absl::Status BroadcastBytes(absl::Span<char> bytes, int root);
  using CombineBytes = absl::FunctionRef<void(absl::Span<const char> other,
                                              absl::Span<char> mine)>;
  // Values have `width` bytes.
  absl::Status AllReduceBytes(absl::Span<char> bytes, int width,
                              CombineBytes combine);
  // `offsets` in bytes, known on all ranks.
  absl::Status AllGatherBytes(absl::Span<const char> mine, absl::Span<char> all,
                              absl::Span<const int64_t> offsets);
  absl::Status AllToAllBytes(absl::Span<const char> out,
                             absl::Span<const int64_t> out_offsets,
                             absl::Span<char> in,
                             absl::Span<const int64_t> in_offsets);
  absl::Status ExchangeCounts(absl::Span<const int64_t> out_offsets,
                              std::vector<int64_t>* in_offsets);

  const int rank_;
  const int size_;
  const int local_rank_;
  std::atomic<int64_t> bytes_sent_ = 0;
};

// The only rank of a job.
class SingleRank : public Communicator {
 public:
  SingleRank() : Communicator(0, 1, 0) {}

 private:
  absl::Status Transfer(absl::Span<const char> out, int to, absl::Span<char> in,
                        int from) override;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_COMMUNICATOR_COMMUNICATOR_H_
