// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// The functions of one hash; EVP would link all of them.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "tools/reproduce/data/sha256.h"

#include <openssl/sha.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

absl::StatusOr<std::string> FileSha256(absl::string_view path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(std::string(path).c_str(), "rb"), std::fclose);
  if (file == nullptr) {
    return absl::UnavailableError(absl::StrCat(path, ": cannot be opened"));
  }
  SHA256_CTX hash;
  SHA256_Init(&hash);
  std::vector<unsigned char> buffer(1 << 20);
  size_t size;
  while ((size = std::fread(buffer.data(), 1, buffer.size(), file.get())) > 0) {
    SHA256_Update(&hash, buffer.data(), size);
  }
  if (std::ferror(file.get()) != 0) {
    return absl::UnavailableError(absl::StrCat(path, ": cannot be read"));
  }
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256_Final(digest, &hash);
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(digest), sizeof(digest)));
}

}  // namespace warpclust
