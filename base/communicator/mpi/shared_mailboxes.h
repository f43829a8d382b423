// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedMailboxes: memory that the processes of a host share, for large
// messages. MPI needs a permission of the system to copy from process to
// process, which containers and virtual machines often do not give; without it
// large messages move at less than a tenth of the speed of memory.
//
// Each process has a mailbox with a ring of slots for each other one: 0.5 MiB,
// taken when it is first used.
//
//   ASSIGN_OR_RETURN(auto boxes, SharedMailboxes::Create(num_processes));
//   // All tell all others address(), then:
//   RETURN_IF_ERROR(boxes->Open(process, address_of_process));
//   boxes->Outgoing(process)->Send(...)

#ifndef WARPCLUST_BASE_COMMUNICATOR_MPI_SHARED_MAILBOXES_H_
#define WARPCLUST_BASE_COMMUNICATOR_MPI_SHARED_MAILBOXES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace warpclust::internal {

// Bytes from one process to another, in order. One thread of the sender calls
// Send, one of the receiver Receive.
class MailboxRing {
 public:
  // Copies what fits now of `bytes`; returns how much.
  size_t Send(absl::Span<const char> bytes);
  // Fills what has come of `bytes`; returns how much. Parts of a message are
  // received as they were sent, into the same message.
  size_t Receive(absl::Span<char> bytes);
  // Whether something has come.
  bool has_come() const {
    return sent_.load(std::memory_order_acquire) !=
           taken_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr int kSlots = 8;
  // Slots stay in the cache that cores share.
  static constexpr size_t kSlotBytes = size_t{64} << 10;

  // Zero in fresh memory.
  alignas(64) std::atomic<uint64_t> sent_;
  alignas(64) std::atomic<uint64_t> taken_;
  alignas(4096) char slots_[kSlots][kSlotBytes];
};

class SharedMailboxes {
 public:
  // How another process finds the mailbox of this one.
  struct Address {
    int64_t process_id = 0;
    int64_t file = 0;
    // What must be found there.
    uint64_t mark = 0;
  };

  // Unavailable if the system has no such memory.
  static absl::StatusOr<std::unique_ptr<SharedMailboxes>> Create(
      int num_processes, int this_process);
  ~SharedMailboxes();
  SharedMailboxes(const SharedMailboxes&) = delete;
  SharedMailboxes& operator=(const SharedMailboxes&) = delete;

  const Address& address() const { return address_; }
  // Unavailable if the system does not let this process in.
  absl::Status Open(int process, const Address& address);
  // One for all processes, false at first. Null before process 0 is open. Stays
  // in memory without this object: a process may need it until its very end.
  std::atomic<bool>* has_speaker() const { return has_speaker_; }

  // To and from another process, once it is open.
  MailboxRing* Outgoing(int process) const { return outgoing_[process]; }
  MailboxRing* Incoming(int process) const { return incoming_ + process; }

 private:
  SharedMailboxes(int num_processes, int this_process);

  const int this_process_;
  Address address_;
  int file_ = -1;
  // The mailbox of this process, and its ring in those of others. Null: none.
  MailboxRing* incoming_ = nullptr;
  std::vector<MailboxRing*> outgoing_;
  std::atomic<bool>* has_speaker_ = nullptr;
};

}  // namespace warpclust::internal

#endif  // WARPCLUST_BASE_COMMUNICATOR_MPI_SHARED_MAILBOXES_H_
