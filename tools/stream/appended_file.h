// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AppendedFile: a plain file that text is appended to, and that can be cut back
// to a state known to be right. For outputs that grow from run to run; for
// outputs that appear whole use base/io/text_writer.h.
//
// One thread at a time. Move-only.

#ifndef WARPCLUST_TOOLS_STREAM_APPENDED_FILE_H_
#define WARPCLUST_TOOLS_STREAM_APPENDED_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

class AppendedFile {
 public:
  // Opens the file, or creates it. Unavailable naming the path if it cannot be
  // written, or is not a plain file.
  static absl::StatusOr<AppendedFile> Open(absl::string_view path);

  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&&) = delete;
  ~AppendedFile();

  // Absolute, with links resolved.
  const std::string& path() const { return real_path_; }
  int64_t size() const { return size_; }

  // Writes `text` at once: it survives a kill of the process. After an error
  // the file has its former end.
  absl::Status Append(absl::string_view text);

  // Makes the file its first `begin` bytes, followed by `text`. Completes
  // `text` if the file ends within it; cuts off what follows it, if `may_cut`.
  // DataLoss, with nothing changed, if something follows and `may_cut` is
  // false, if the file is shorter than `begin`, or if other bytes than `text`
  // follow there.
  absl::Status EndWith(int64_t begin, absl::string_view text, bool may_cut);

  // Waits until everything is on disk.
  absl::Status Sync();

 private:
  AppendedFile(absl::string_view path, int fd);
  absl::Status Failed() const;

  // As given to Open, for messages.
  std::string path_;
  std::string real_path_;
  int fd_;
  int64_t size_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_APPENDED_FILE_H_
