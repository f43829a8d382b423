// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ResultStorage: what `storage` of a C result points to, the C++ value whose
// arrays the result shows.

#ifndef WARPCLUST_PYTHON_C_API_RESULT_STORAGE_H_
#define WARPCLUST_PYTHON_C_API_RESULT_STORAGE_H_

#include <utility>

namespace warpclust {

struct ResultStorage {
  virtual ~ResultStorage() = default;
};

template <typename T>
struct StoredResult final : ResultStorage {
  explicit StoredResult(T result) : value(std::move(result)) {}
  T value;
};

// The result moved to where the C result can show it.
template <typename T>
StoredResult<T>* StoreResult(T result) {
  return new StoredResult<T>(std::move(result));
}

}  // namespace warpclust

#endif  // WARPCLUST_PYTHON_C_API_RESULT_STORAGE_H_
