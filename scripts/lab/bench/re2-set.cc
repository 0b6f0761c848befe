// RE2's own set matcher over texts: `re2-set PATTERNS TEXTS SECONDS` prints microseconds per KB.
// Both files are texts that end with a zero byte each.
#include <re2/set.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

static std::vector<std::string> readLines(const char* path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line, '\0');) lines.push_back(line);
  return lines;
}

int main(int count, char** arguments) {
  if (count != 4) return 2;
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(int64_t{1} << 30);
  RE2::Set set(options, RE2::UNANCHORED);
  int added = 0;
  for (const auto& pattern : readLines(arguments[1])) added += set.Add(pattern, nullptr) >= 0;
  if (!set.Compile()) return 1;
  const auto texts = readLines(arguments[2]);
  const double seconds = std::stod(arguments[3]);
  using Clock = std::chrono::steady_clock;
  const auto microseconds = [](Clock::duration one) { return std::chrono::duration<double, std::micro>(one).count(); };
  std::vector<double> perKb;
  std::vector<int> matched;
  const auto begun = Clock::now();
  for (std::size_t at = 0; microseconds(Clock::now() - begun) < seconds * 1e6; at = (at + 1) % texts.size()) {
    const auto before = Clock::now();
    set.Match(texts[at], &matched);
    perKb.push_back(microseconds(Clock::now() - before) * 1024 / texts[at].size());
  }
  std::nth_element(perKb.begin(), perKb.begin() + perKb.size() / 2, perKb.end());
  std::cout << "{\"patterns\":" << added << ",\"usPerKb\":" << perKb[perKb.size() / 2] << "}\n";
}
