// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TransferByMpi: a message to one process and one from another, both at once.
//
// Waiting for a process that is late costs little: tests become rare. But a
// large message moves only while both sides call MPI, a piece per call where
// the system does not copy between processes. So its receiver says that it is
// ready, the sender that it begins, and from then on both test without a pause.

#ifndef WARPCLUST_BASE_COMMUNICATOR_MPI_MPI_TRANSFER_H_
#define WARPCLUST_BASE_COMMUNICATOR_MPI_MPI_TRANSFER_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/communicator/mpi/shared_mailboxes.h"

namespace warpclust::internal {

// The shared memory of two processes, if they have some.
struct RingPair {
  MailboxRing* outgoing = nullptr;  // To the rank that is sent to.
  MailboxRing* incoming = nullptr;  // From the rank that is received from.
};

// As Communicator::Transfer. Unavailable after timeout_seconds; 0: never.
absl::Status TransferByMpi(absl::Span<const char> out, int to,
                           absl::Span<char> in, int from, RingPair rings,
                           double timeout_seconds);

// Unavailable, with MPI's message, unless `code` is success.
absl::Status MpiStatus(int code, absl::string_view what);

}  // namespace warpclust::internal

#endif  // WARPCLUST_BASE_COMMUNICATOR_MPI_MPI_TRANSFER_H_
