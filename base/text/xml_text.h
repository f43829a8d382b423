// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Text in XML 1.0 files.

#ifndef WARPCLUST_BASE_TEXT_XML_TEXT_H_
#define WARPCLUST_BASE_TEXT_XML_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

// Appends `text` so that it may be in an element or in a quoted attribute, and
// is read back as it is: markup, quotes, tabs and line ends are escaped. What
// XML 1.0 cannot hold becomes U+FFFD: ill-formed UTF-8, other control
// characters, U+FFFE and U+FFFF.
void AppendXmlText(absl::string_view text, std::string* xml);

// The same, returned.
std::string XmlText(absl::string_view text);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TEXT_XML_TEXT_H_
