// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RETURN_IF_ERROR and ASSIGN_OR_RETURN pass errors to the caller, in functions
// that return absl::Status or absl::StatusOr.
//
//   RETURN_IF_ERROR(options.Validate());
//   ASSIGN_OR_RETURN(const CsrGraph graph, CosineGraph(documents, options));
//
// The first argument of ASSIGN_OR_RETURN declares or names a variable; write
// `auto` for a type with a comma. The macro is more than one statement: put it
// in braces under an `if`.
//
// Include this header in source files only: a dependant may have macros of
// these names.

#ifndef WARPCLUST_BASE_STATUS_STATUS_MACROS_H_
#define WARPCLUST_BASE_STATUS_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"

#define RETURN_IF_ERROR(expression)                   \
  do {                                                \
    if (absl::Status warpclust_status = (expression); \
        !warpclust_status.ok()) {                     \
      return warpclust_status;                        \
    }                                                 \
  } while (false)

#define ASSIGN_OR_RETURN(variable, expression)                      \
  WARPCLUST_ASSIGN_OR_RETURN(                                       \
      WARPCLUST_UNIQUE_NAME(warpclust_result_, __LINE__), variable, \
      expression)

#define WARPCLUST_ASSIGN_OR_RETURN(result, variable, expression) \
  auto result = (expression);                                    \
  if (!result.ok()) return std::move(result).status();           \
  variable = *std::move(result)

#define WARPCLUST_UNIQUE_NAME(prefix, line) WARPCLUST_JOIN(prefix, line)
#define WARPCLUST_JOIN(a, b) a##b

#endif  // WARPCLUST_BASE_STATUS_STATUS_MACROS_H_
