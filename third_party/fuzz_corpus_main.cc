// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs LLVMFuzzerTestOneInput on each input of a file, one per line in
// hexadecimal digits; also on the first half of each and on all but its last
// byte, since truncated input is hard for parsers. A failure aborts.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

int Digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// False if the line is not a list of bytes.
bool Parse(const std::string& line, std::vector<uint8_t>* bytes) {
  bytes->clear();
  if (line.size() % 2 != 0) return false;
  for (size_t i = 0; i < line.size(); i += 2) {
    const int high = Digit(line[i]);
    const int low = Digit(line[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes->push_back(static_cast<uint8_t>(16 * high + low));
  }
  return true;
}

// Copies the input, so that a sanitizer notices reads beyond its end.
void Run(const std::vector<uint8_t>& bytes, size_t size) {
  const std::vector<uint8_t> input(bytes.begin(), bytes.begin() + size);
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
    return 1;
  }
  std::ifstream file(argv[1]);
  std::string line;
  std::vector<uint8_t> bytes;
  int inputs = 0;
  while (std::getline(file, line)) {
    if (!line.empty() && line[0] == '#') continue;
    if (!Parse(line, &bytes)) {
      std::fprintf(stderr, "%s: expected pairs of digits, found \"%s\"\n",
                   argv[1], line.c_str());
      return 1;
    }
    // The last line printed is the input that aborts.
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
    Run(bytes, bytes.size());
    if (bytes.size() > 1) {
      Run(bytes, bytes.size() / 2);
      Run(bytes, bytes.size() - 1);
    }
    ++inputs;
  }
  std::printf("%d inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
