// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Exchanges messages of many sizes between the processes of mpirun and checks
// each byte. Exit code 0 if all are as they were sent.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/communicator/mpi/process_ranks.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int kNobody = Communicator::kNobody;
// On both sides of the size from which on messages wait for their receiver.
constexpr size_t kSizes[] = {
    0, 1, 1000, (256 << 10) - 1, 256 << 10, (1 << 20) + 7, 3 << 20};

std::vector<char> Content(int from, size_t size) {
  std::vector<char> content(size);
  for (size_t i = 0; i < size; ++i) {
    content[i] = static_cast<char>(i * 31 + i / 4093 + size + 7 * from);
  }
  return content;
}

class Rounds {
 public:
  explicit Rounds(Communicator& ranks) : ranks_(ranks) {}

  absl::Status All() {
    for (const size_t size : kSizes) {
      for (const size_t other : kSizes) {
        RETURN_IF_ERROR(Ring(size, other));
      }
      RETURN_IF_ERROR(Chain(size));
    }
    return absl::OkStatus();
  }

 private:
  // Even ranks send `even` bytes to the next one, odd ranks `odd`.
  absl::Status Ring(size_t even, size_t odd) {
    const int rank = ranks_.rank(), p = ranks_.size();
    const int to = (rank + 1) % p, from = (rank + p - 1) % p;
    const auto size_of = [&](int r) { return r % 2 == 0 ? even : odd; };
    return Exchange(size_of(rank), to, size_of(from), from);
  }

  // A message goes from rank to rank; rank 0 waits for it to come back in the
  // call that sends it.
  absl::Status Chain(size_t size) {
    const int rank = ranks_.rank(), p = ranks_.size();
    if (p == 1) return absl::OkStatus();
    if (rank == 0) return Exchange(size, 1, size, p - 1);
    RETURN_IF_ERROR(Exchange(0, kNobody, size, rank - 1));
    return Exchange(size, (rank + 1) % p, 0, kNobody);
  }

  absl::Status Exchange(size_t size, int to, size_t in_size, int from) {
    const std::vector<char> out = Content(ranks_.rank(), size);
    std::vector<char> in(in_size, 1);
    RETURN_IF_ERROR(ranks_.SendReceive(absl::MakeConstSpan(out), to,
                                       absl::MakeSpan(in), from));
    if (from != kNobody && in != Content(from, in_size)) {
      return absl::InternalError(absl::StrCat("rank ", ranks_.rank(), ": ",
                                              in_size, " bytes of rank ", from,
                                              " are not what it sent"));
    }
    return absl::OkStatus();
  }

  Communicator& ranks_;
};

}  // namespace
}  // namespace warpclust

int main() {
  absl::StatusOr<std::unique_ptr<warpclust::Communicator>> ranks =
      warpclust::StartRanks({.timeout_seconds = 40});
  if (!ranks.ok()) return 3;
  const absl::Status status = warpclust::Rounds(**ranks).All();
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    warpclust::AbortRanks(1);
  }
  warpclust::FinishRanks();
  return 0;
}
