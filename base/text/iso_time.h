// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Time stamps of documents: ISO 8601 to seconds since 1970-01-01 UTC.
//
//   2026-03-01                         the start of that day
//   2026-03-01T12:30[:05[.250]]        "t" or a blank may replace the T
//   ...Z, ...+02:00, ...-0530, ...+02  with a zone; without one, UTC
//
// Years are 0000 to 9999 of the Gregorian calendar. Fractions of a second, also
// after a comma, are dropped. A leap second (:60) is the first second of the
// next minute; 24:00 is the start of the next day.

#ifndef WARPCLUST_BASE_TEXT_ISO_TIME_H_
#define WARPCLUST_BASE_TEXT_ISO_TIME_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace warpclust {

// Empty if `text` has another form or is not a date and time of day.
absl::optional<int64_t> ParseIsoTime(absl::string_view text);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TEXT_ISO_TIME_H_
