// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/memory/early_upload.h"

namespace warpclust {

template <typename T>
std::unique_ptr<EarlyUpload<T>> EarlyUpload<T>::New() {
  return nullptr;
}

template std::unique_ptr<EarlyUpload<float>> EarlyUpload<float>::New();
template std::unique_ptr<EarlyUpload<double>> EarlyUpload<double>::New();

}  // namespace warpclust
