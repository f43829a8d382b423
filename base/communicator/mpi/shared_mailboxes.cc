// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/communicator/mpi/shared_mailboxes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"

namespace warpclust::internal {
namespace {

absl::Status Unavailable(absl::string_view what) {
  return absl::UnavailableError(absl::StrCat(
      "memory shared by processes: ", what, ": ", std::strerror(errno)));
}

// The rings begin behind it.
struct FirstPage {
  uint64_t mark;
  // Zero, that is false, in fresh memory.
  std::atomic<bool> has_speaker;
};
constexpr size_t kFirstPageBytes = 4096;
static_assert(sizeof(FirstPage) <= kFirstPageBytes);
static_assert(sizeof(MailboxRing) % kFirstPageBytes == 0);

absl::StatusOr<void*> Map(int file, size_t begin, size_t num_bytes) {
  void* const memory =
      mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_NORESERVE, file, static_cast<off_t>(begin));
  if (memory == MAP_FAILED) return Unavailable("mmap");
  return memory;
}

absl::StatusOr<MailboxRing*> MapRings(int file, int first, int num_rings) {
  ASSIGN_OR_RETURN(void* const memory,
                   Map(file, kFirstPageBytes + first * sizeof(MailboxRing),
                       num_rings * sizeof(MailboxRing)));
  return static_cast<MailboxRing*>(memory);
}

absl::StatusOr<std::atomic<bool>*> MapHasSpeaker(int file) {
  ASSIGN_OR_RETURN(void* const memory, Map(file, 0, kFirstPageBytes));
  return &static_cast<FirstPage*>(memory)->has_speaker;
}

void Unmap(MailboxRing* rings, size_t num_rings) {
  if (rings != nullptr) munmap(rings, num_rings * sizeof(MailboxRing));
}

}  // namespace

size_t MailboxRing::Send(absl::Span<const char> bytes) {
  size_t done = 0;
  uint64_t sent = sent_.load(std::memory_order_relaxed);
  while (done < bytes.size() &&
         sent - taken_.load(std::memory_order_acquire) < kSlots) {
    const size_t part = std::min(kSlotBytes, bytes.size() - done);
    std::memcpy(slots_[sent % kSlots], bytes.data() + done, part);
    sent_.store(++sent, std::memory_order_release);
    done += part;
  }
  return done;
}

size_t MailboxRing::Receive(absl::Span<char> bytes) {
  size_t done = 0;
  uint64_t taken = taken_.load(std::memory_order_relaxed);
  while (done < bytes.size() &&
         taken != sent_.load(std::memory_order_acquire)) {
    // Messages are cut alike on both sides.
    const size_t part = std::min(kSlotBytes, bytes.size() - done);
    std::memcpy(bytes.data() + done, slots_[taken % kSlots], part);
    taken_.store(++taken, std::memory_order_release);
    done += part;
  }
  return done;
}

SharedMailboxes::SharedMailboxes(int num_processes, int this_process)
    : this_process_(this_process), outgoing_(num_processes) {}

SharedMailboxes::~SharedMailboxes() {
  Unmap(incoming_, outgoing_.size());
  for (MailboxRing* const ring : outgoing_) Unmap(ring, 1);
  if (file_ >= 0) close(file_);
}

absl::StatusOr<std::unique_ptr<SharedMailboxes>> SharedMailboxes::Create(
    int num_processes, int this_process) {
  std::unique_ptr<SharedMailboxes> boxes(
      new SharedMailboxes(num_processes, this_process));
  boxes->file_ = memfd_create("warpclust_mailbox", MFD_CLOEXEC);
  if (boxes->file_ < 0) return Unavailable("memfd_create");
  const size_t rings = num_processes * sizeof(MailboxRing);
  if (ftruncate(boxes->file_, static_cast<off_t>(kFirstPageBytes + rings)) !=
      0) {
    return Unavailable("ftruncate");
  }
  ASSIGN_OR_RETURN(boxes->incoming_, MapRings(boxes->file_, 0, num_processes));
  if (this_process == 0) {
    ASSIGN_OR_RETURN(boxes->has_speaker_, MapHasSpeaker(boxes->file_));
  }
  Address& address = boxes->address_;
  address.process_id = getpid();
  address.file = boxes->file_;
  // A process of the same number in another container has another address.
  address.mark =
      reinterpret_cast<uintptr_t>(boxes.get()) * uint64_t{0x9e3779b97f4a7c15} ^
      static_cast<uint64_t>(getpid());
  if (pwrite(boxes->file_, &address.mark, sizeof(address.mark), 0) !=
      sizeof(address.mark)) {
    return Unavailable("pwrite");
  }
  return boxes;
}

absl::Status SharedMailboxes::Open(int process, const Address& address) {
  const std::string path =
      absl::StrCat("/proc/", address.process_id, "/fd/", address.file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return Unavailable("open");
  const absl::Cleanup close_file = [file] { close(file); };
  uint64_t mark = 0;
  if (pread(file, &mark, sizeof(mark), 0) != sizeof(mark) ||
      mark != address.mark) {
    return absl::UnavailableError(
        "memory shared by processes: not the one expected");
  }
  ASSIGN_OR_RETURN(outgoing_[process], MapRings(file, this_process_, 1));
  if (process == 0) {
    ASSIGN_OR_RETURN(has_speaker_, MapHasSpeaker(file));
  }
  return absl::OkStatus();
}

}  // namespace warpclust::internal
