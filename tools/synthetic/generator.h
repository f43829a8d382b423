// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the generators of this folder share.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATOR_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATOR_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

// Takes the generated text piece by piece, in order. It keeps its own errors.
using TextSink = std::function<void(absl::string_view)>;

// A sink that appends to `text`.
inline TextSink Into(std::string* text) {
  return [text](absl::string_view piece) {
    text->append(piece.data(), piece.size());
  };
}

// Is told now and then how many items are done. May be null.
using DoneCallback = std::function<void(int64_t)>;

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATOR_H_
