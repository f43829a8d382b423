// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AppendedFile: a plain file that text is appended to, and that can be cut back
// to where it was known to be right. For outputs that grow from run to run; for
// those that appear whole, base/io/text_writer.h.
//
// Thread-safety: one thread at a time. Move-only.

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
  // Opens the file, which is made if there is none. Unavailable naming the path
  // if it cannot be written, or is not a plain file.
  static absl::StatusOr<AppendedFile> Open(absl::string_view path);

  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&&) = delete;
  ~AppendedFile();

  // Absolute, behind links.
  const std::string& path() const { return real_path_; }
  int64_t size() const { return size_; }

  // At once: a process killed afterwards has written it. After an error the
  // file ends where it did.
  absl::Status Append(absl::string_view text);

  // Makes the file end so: its first `begin` bytes, then `text`. What comes
  // behind that is cut off if `may_cut`. DataLoss if it may not; or if the file
  // is shorter than `begin`, or goes on from there with something that neither
  // begins `text` nor begins with it. Nothing is changed then.
  absl::Status EndWith(int64_t begin, absl::string_view text, bool may_cut);

  // What was appended is on the disk.
  absl::Status Sync();

 private:
  AppendedFile(absl::string_view path, int fd);
  absl::Status Failed() const;

  // As the caller named it, for messages.
  std::string path_;
  std::string real_path_;
  int fd_;
  int64_t size_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_APPENDED_FILE_H_
