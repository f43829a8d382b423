// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Large arrays of bytes or numbers in slices, on several threads. Of several
// errors, the one of the first slice is returned, as one thread would find it.
//
//   RETURN_IF_ERROR(ReadSlices(bytes, size, /*slice=*/1 << 18, num_threads,
//                              [&](int64_t begin, absl::string_view slice) {
//                                return Convert(slice, &values[begin / 8]);
//                              }));

#ifndef WARPCLUST_BASE_IO_SLICES_H_
#define WARPCLUST_BASE_IO_SLICES_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"

namespace warpclust {

// Calls use(begin, end) for [0, slice), [slice, 2 · slice), … up to `size`, on
// up to `num_threads` threads (0: all cores), in any order. Slices behind one
// with an error may be left out. `slice` is positive.
absl::Status ForSlices(
    int64_t size, int64_t slice, int num_threads,
    absl::FunctionRef<absl::Status(int64_t begin, int64_t end)> use);

// The same with the next `size` bytes of a plain file, which must have them:
// use(begin, bytes) gets those from `begin` on. The threads read the file
// themselves. Unavailable if reading fails.
absl::Status ReadSlices(
    ByteReader& bytes, int64_t size, int64_t slice, int num_threads,
    absl::FunctionRef<absl::Status(int64_t begin, absl::string_view bytes)>
        use);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_SLICES_H_
