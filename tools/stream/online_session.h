// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineSession: an online clustering that ends and goes on. Knows the order in
// which documents, journal, output and state must be written so that no kill,
// whenever it comes, loses a document or decides one twice:
//
//   a block is read and made ready, what is wrong with it shows
//   its lines go to the journal
//   its documents are decided, their lines go to the output
//   now and then, and at the end, the state is saved and the journal begins
//   anew; the output is on the disk before
//
// After a kill the journal is replayed: the same decisions. An output that is a
// file is compared with them and completed, so that it has exactly the lines of
// the documents decided. Where it has more (the machine stopped and the journal
// lost its end, or somebody else wrote to it) it is cut back only for --resume,
// which takes those documents in again; else it is an error. Of an output that
// is a pipe nobody knows how much arrived: the lines of the last block may be
// missing in it.
//
// Without a store, all of this is just: read, decide, write.
//
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_SESSION_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_SESSION_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/io/text_writer.h"
#include "tools/input/document_stream.h"
#include "tools/stream/appended_file.h"
#include "tools/stream/online_journal.h"
#include "tools/stream/online_pipeline.h"
#include "tools/stream/online_snapshot.h"
#include "tools/stream/online_store.h"

namespace warpclust {

struct OnlineSessionOptions {
  // Blocks of at most so much.
  DocumentStream::Limits limits;
  // Blocks are not made smaller than this, however long they take.
  int64_t least_documents = 1;
  // Lines go to the output; else only `ids` and `clusters` are kept.
  bool lines = true;
  // Keep `ids` and `clusters` of the documents of this run.
  bool members = false;
  // The input begins with the documents that earlier runs took from it.
  bool resume = false;
  // The state is saved when the journal is longer; 0: than 64 MiB and than the
  // state itself.
  int64_t journal_limit = 0;
};

class OnlineSession {
 public:
  // Seconds of the phases.
  struct Seconds {
    double read = 0;
    double compute = 0;
    double write = 0;
  };

  // `pipeline` and, if there is one, `store` outlive the session. Lines go to
  // `file` if there is one, else to `writer`, which then outlives it too.
  OnlineSession(const OnlineSessionOptions& options, OnlinePipeline* pipeline,
                OnlineStore* store, absl::optional<AppendedFile> file,
                TextWriter* writer);

  // With a store: goes on from `snapshot`, what the store had, if anything.
  // Replays the journal and puts the output in order.
  absl::Status Start(
      absl::optional<OnlineSnapshot> snapshot,
      const std::vector<std::pair<std::string, std::string>>& deciding_options);

  // Takes documents from `input` until it ends or `stop` says so; calls
  // `taken` after each block. At an error, what was taken before it stays.
  absl::Status Take(DocumentStream* input, const std::function<bool()>& stop,
                    const std::function<void()>& taken);

  // Saves the state, if there is a store.
  absl::Status Finish();

  // Documents of the input that earlier runs had taken, documents of the
  // journal that were decided anew, and documents taken in this run.
  int64_t skipped() const { return skipped_; }
  int64_t replayed() const { return replayed_; }
  int64_t taken() const { return taken_; }
  // Bytes of the journal that were half a block, whose documents are lost.
  int64_t dropped_bytes() const { return dropped_bytes_; }
  int64_t saves() const { return saves_; }
  // A document came with a time.
  bool any_time() const { return any_time_; }
  const Seconds& seconds() const { return seconds_; }

  // If OnlineSessionOptions::members.
  const std::vector<std::string>& ids() const { return ids_; }
  const std::vector<int32_t>& clusters() const { return clusters_; }

 private:
  absl::Status Replay(std::string* lines);
  absl::Status OrderFile(absl::string_view lines);
  absl::Status Skip(DocumentStream* input, const std::function<bool()>& stop);
  absl::Status TakeBlock(DocumentBlock block, InputFormat format);
  absl::Status Write(absl::string_view lines);
  absl::Status Save();
  void CountInput(const std::string& lines, int64_t documents);

  const OnlineSessionOptions options_;
  OnlinePipeline* const pipeline_;
  OnlineStore* const store_;
  absl::optional<AppendedFile> file_;
  TextWriter* const writer_;

  // Options, input and output as they stand; the rest is filled by the
  // pipeline when it is saved.
  OnlineSnapshot snapshot_;
  int64_t skipped_ = 0;
  int64_t replayed_ = 0;
  int64_t taken_ = 0;
  int64_t dropped_bytes_ = 0;
  int64_t saves_ = 0;
  bool any_time_ = false;
  Seconds seconds_;
  std::vector<std::string> ids_;
  std::vector<int32_t> clusters_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_SESSION_H_
