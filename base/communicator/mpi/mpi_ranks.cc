// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Process ranks by MPI. It has only messages (mpi_transfer.h): the collectives
// are those of Communicator, so that volumes are those of simulated ranks and
// each wait has a time limit.

// The C++ bindings, which MPI has given up, do not find their headers there.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi/mpi.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/communicator/mpi/mpi_transfer.h"
#include "base/communicator/mpi/process_ranks.h"
#include "base/communicator/mpi/shared_mailboxes.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

using internal::MpiStatus;

// Ends the process if it lives longer than the time limit: for calls of MPI
// that wait for all ranks.
class Watchdog {
 public:
  Watchdog(double seconds, const char* what) {
    if (seconds <= 0) return;
    thread_ = std::thread([this, seconds, what] {
      std::unique_lock<std::mutex> lock(mutex_);
      if (ended_.wait_for(lock, std::chrono::duration<double>(seconds),
                          [this] { return has_ended_; })) {
        return;
      }
      // All that wait notice it at once: the first one to speak ends the rest.
      if (LaunchedAs().rank > 0) absl::SleepFor(absl::Seconds(3));
      ClaimLastWords(3);
      std::fprintf(stderr,
                   "rank %d of %d: %s took more than %g s: another rank is "
                   "taken for lost\n",
                   LaunchedAs().rank, LaunchedAs().size, what, seconds);
      // Ends all ranks: this one has not finished MPI.
      _exit(3);
    });
  }
  ~Watchdog() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      has_ended_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::thread thread_;
};

// Of StartRanks.
double timeout_seconds = 0;
// Whether a process of this host has claimed the last words; null: unknown.
std::atomic<std::atomic<bool>*> has_speaker = nullptr;

// More ranks of a host go without shared memory: it grows with their square.
constexpr int kMostSharing = 256;

// The ranks of this host.
struct HostRanks {
  int local_rank = 0;
  // Of each rank of the job its number among them, or -1.
  std::vector<int> local_ranks;
  // Null if some cannot share memory.
  std::unique_ptr<internal::SharedMailboxes> mailboxes;
};

// Memory that all ranks of `host` share, or null.
absl::StatusOr<std::unique_ptr<internal::SharedMailboxes>> ShareMemory(
    MPI_Comm host, int local_rank, int num_local) {
  using internal::SharedMailboxes;
  absl::StatusOr<std::unique_ptr<SharedMailboxes>> boxes =
      num_local > kMostSharing
          ? absl::UnavailableError("too many ranks to share memory")
          : SharedMailboxes::Create(num_local, local_rank);
  SharedMailboxes::Address mine;
  if (boxes.ok()) mine = (*boxes)->address();
  std::vector<SharedMailboxes::Address> all(num_local);
  RETURN_IF_ERROR(
      MpiStatus(MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, all.data(),
                              sizeof(mine), MPI_BYTE, host),
                "sharing memory"));
  int shared = boxes.ok() ? 1 : 0;
  for (int other = 0; shared == 1 && other < num_local; ++other) {
    if (other == local_rank) continue;
    if (!(*boxes)->Open(other, all[other]).ok()) shared = 0;
  }
  int all_share = 0;
  RETURN_IF_ERROR(
      MpiStatus(MPI_Allreduce(&shared, &all_share, 1, MPI_INT, MPI_MIN, host),
                "sharing memory"));
  if (all_share == 0) return nullptr;
  return *std::move(boxes);
}

absl::StatusOr<HostRanks> FindHostRanks(int rank, int size) {
  const Watchdog watchdog(timeout_seconds, "finding the ranks of a host");
  MPI_Comm host;
  RETURN_IF_ERROR(
      MpiStatus(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank,
                                    MPI_INFO_NULL, &host),
                "finding the ranks of a host"));
  HostRanks ranks;
  int num_local = 0;
  MPI_Comm_rank(host, &ranks.local_rank);
  MPI_Comm_size(host, &num_local);
  std::vector<int> locals(num_local);
  RETURN_IF_ERROR(MpiStatus(
      MPI_Allgather(&rank, 1, MPI_INT, locals.data(), 1, MPI_INT, host),
      "finding the ranks of a host"));
  ranks.local_ranks.assign(size, -1);
  for (int local = 0; local < num_local; ++local) {
    ranks.local_ranks[locals[local]] = local;
  }
  ASSIGN_OR_RETURN(ranks.mailboxes,
                   ShareMemory(host, ranks.local_rank, num_local));
  MPI_Comm_free(&host);
  return ranks;
}

class MpiRanks : public Communicator {
 public:
  MpiRanks(int rank, int size, HostRanks host)
      : Communicator(rank, size, host.local_rank), host_(std::move(host)) {}

 private:
  absl::Status Transfer(absl::Span<const char> out, int to, absl::Span<char> in,
                        int from) override {
    internal::RingPair rings;
    if (SharesMemory(to)) {
      rings.outgoing = host_.mailboxes->Outgoing(host_.local_ranks[to]);
    }
    if (SharesMemory(from)) {
      rings.incoming = host_.mailboxes->Incoming(host_.local_ranks[from]);
    }
    return internal::TransferByMpi(out, to, in, from, rings, timeout_seconds);
  }

  bool SharesMemory(int rank) const {
    return rank != kNobody && host_.mailboxes != nullptr &&
           host_.local_ranks[rank] >= 0;
  }

  const HostRanks host_;
};

// The names of the files and sockets that this process has open: numbers.
std::set<std::string> OpenFiles() {
  std::set<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator file("/proc/self/fd", error), end;
       !error && file != end; file.increment(error)) {
    names.insert(file->path().filename().string());
  }
  return names;
}

// Lets the sockets that are not among `before` send small messages at once. By
// one of them ranks tell mpirun that they end, in several messages, of which
// the last ones otherwise wait 40 ms until the first is acknowledged.
void SendSmallMessagesAtOnce(const std::set<std::string>& before) {
  for (const std::string& name : OpenFiles()) {
    if (before.count(name) > 0) continue;
    const int on = 1;
    // All that are not of TCP refuse.
    setsockopt(std::atoi(name.c_str()), IPPROTO_TCP, TCP_NODELAY, &on,
               sizeof(on));
  }
}

}  // namespace

bool HasMpi() { return true; }

absl::StatusOr<std::unique_ptr<Communicator>> StartRanks(
    const ProcessRanksOptions& options) {
  // Not by LaunchedAs().size, which a launcher may leave unset.
  if (LaunchedAs().size == 1 && std::getenv("PMIX_RANK") == nullptr) {
    return std::make_unique<SingleRank>();
  }
#ifdef OPEN_MPI
  // Its own end would be less clear.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr &&
      std::getenv("PMIX_RANK") == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("expected ranks of mpirun or of srun --mpi=pmix, found ",
                     LaunchedAs().size, " processes of another launcher"));
  }
#endif
  timeout_seconds = options.timeout_seconds;
  // The other layers try each kind of network that they know. Which kinds this
  // one tries, the system's parameters say: a list of our own would be in their
  // place, and brings some back that take another second.
  if (LaunchedOnOneHost()) setenv("OMPI_MCA_pml", "ob1", /*overwrite=*/0);
  // MPI asks hwloc about processors only, but each rank would start all GPUs of
  // the host by OpenCL, to list them.
  setenv("HWLOC_COMPONENTS", "-cuda,-gl,-levelzero,-nvml,-opencl,-rsmi",
         /*overwrite=*/0);
  const std::set<std::string> open_before = OpenFiles();
  int provided = 0;
  {
    const Watchdog watchdog(timeout_seconds, "starting MPI");
    RETURN_IF_ERROR(MpiStatus(
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided),
        "starting MPI"));
  }
  SendSmallMessagesAtOnce(open_before);
  if (provided < MPI_THREAD_SERIALIZED) {
    return absl::UnavailableError(
        "expected an MPI that several threads may call in turn "
        "(MPI_THREAD_SERIALIZED), found one without");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ASSIGN_OR_RETURN(HostRanks host, FindHostRanks(rank, size));
  if (host.mailboxes != nullptr) has_speaker = host.mailboxes->has_speaker();
  return std::make_unique<MpiRanks>(rank, size, std::move(host));
}

namespace {

bool IsRunning() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized && !finalized;
}

}  // namespace

void FinishRanks() {
  if (!IsRunning()) return;
  const Watchdog watchdog(timeout_seconds, "ending MPI");
  MPI_Finalize();
}

void ClaimLastWords(int exit_code) {
  // A thread that runs out of memory while it speaks comes here again.
  thread_local bool is_speaker = false;
  if (is_speaker) return;
  std::atomic<bool>* const claimed = has_speaker;
  is_speaker = claimed == nullptr || !claimed->exchange(true);
  if (is_speaker) return;
  absl::SleepFor(absl::Minutes(1));
  _exit(exit_code);
}

void AbortRanks(int exit_code) {
  if (IsRunning()) MPI_Abort(MPI_COMM_WORLD, exit_code);
  _exit(exit_code);
}

}  // namespace warpclust
