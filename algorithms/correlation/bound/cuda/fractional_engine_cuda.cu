// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/bound/fractional_engine.h"
#include "algorithms/correlation/bound/path_search.h"
#include "base/status/status_macros.h"
#include "kernels/cuda_status.h"
#include "kernels/device_buffer.h"
#include "kernels/launch.cuh"

namespace warpclust {
namespace {

constexpr int kWarp = 32;
constexpr int kSearchBlock = 128;
constexpr int kStepBlock = 128;
constexpr uint64_t kNone = UINT64_MAX;
constexpr uint32_t kNoPair = UINT32_MAX;
constexpr uint32_t kSign = uint32_t{1} << 31;
// Demands whose searches share a launch: their paths have that much room.
constexpr int64_t kMostDemands = 1 << 16;
// Searches at the same time per multiprocessor, and the memory of all.
constexpr int kWarpsPerProcessor = 32;
constexpr int64_t kMostSearchBytes = int64_t{1} << 30;
// Between looks at a request to stop.
constexpr int64_t kStepsPerSync = 25;

// --- Searches ----------------------------------------------------------------

// The memory of a search: a hash table with the states that the ends have
// reached, open addressing, and the queues of the ends. A word of the table is
// a key or a value. The key has the number of the search and 1 in its upper 31
// bits, so the entries of other searches count as empty.
struct SearchSizes {
  uint32_t slots;  // A power of two.
  uint32_t queue;

  __host__ __device__ int64_t words() const {
    return 2 * int64_t{slots} + 2 * int64_t{queue};
  }
};

SearchSizes SizesFor(int64_t max_visits) {
  // An end reaches a state, and queues it, only by a visit.
  SearchSizes sizes = {1024, static_cast<uint32_t>(max_visits) + 2};
  while (int64_t{sizes.slots} < 2 * (max_visits + 2)) sizes.slots *= 2;
  return sizes;
}

struct SearchView {
  // Rows of agreeing pairs; the sign bit of a neighbor says that the pair is
  // negative.
  const int64_t* offsets;
  const uint32_t* neighbors;
  const int32_t* entry_pairs;
  const float* entry_prices;
  // By pair: the exclusive or of its ends; the sign bit says that it is
  // negative.
  const uint32_t* pair_ends;
  const float* prices;
  // By demand: its ends. The sign bit of the first one as above.
  const uint32_t* sources;
  const uint32_t* targets;
  const float* limits;
  int64_t max_visits;
};

struct PathsView {
  int32_t* lengths;  // By demand of the launch; 0: none.
  int32_t* starts;   // Of its path in `pairs`.
  int32_t* pairs;
  unsigned long long* size;    // Of `pairs`.
  unsigned long long* visits;  // Added to.
  unsigned int* next;          // The next demand of the launch.
};

class Table {
 public:
  __device__ Table(uint64_t* words, uint32_t slots, uint32_t search)
      : words_(words), mask_(slots - 1), search_(uint64_t{search} << 33) {}

  // The word of the value of a state of a side; nullptr if it is not reached.
  __device__ uint64_t* Find(int side, uint32_t state) const {
    const uint64_t key = Key(side, state);
    for (uint32_t slot = Hash(key);; ++slot) {
      const uint64_t found = Load(slot);
      if (found == key) return words_ + 2 * uint64_t{slot & mask_} + 1;
      if (IsEmpty(found)) return nullptr;
    }
  }

  // The same; makes an entry if there is none. No other lane looks for this
  // state meanwhile.
  __device__ uint64_t* FindOrAdd(int side, uint32_t state, bool* is_new) {
    const uint64_t key = Key(side, state);
    *is_new = false;
    uint32_t slot = Hash(key);
    for (;;) {
      const uint64_t found = Load(slot);
      uint64_t* const place = words_ + 2 * uint64_t{slot & mask_};
      if (found == key) return place + 1;
      if (!IsEmpty(found)) {
        ++slot;
        continue;
      }
      // Fails if another lane was faster; its entry is looked at again.
      const unsigned long long before =
          atomicCAS(reinterpret_cast<unsigned long long*>(place), found, key);
      if (before == found) {
        *is_new = true;
        return place + 1;
      }
    }
  }

 private:
  __device__ uint64_t Key(int side, uint32_t state) const {
    return search_ | uint64_t{state} << 1 | static_cast<uint64_t>(side);
  }
  __device__ uint32_t Hash(uint64_t key) const {
    return static_cast<uint32_t>(key * 0x9E3779B97F4A7C15u >> 40);
  }
  __device__ uint64_t Load(uint32_t slot) const {
    return *static_cast<volatile uint64_t*>(words_ +
                                            2 * uint64_t{slot & mask_});
  }
  __device__ bool IsEmpty(uint64_t key) const {
    return key >> 33 != search_ >> 33;
  }

  uint64_t* const words_;
  const uint32_t mask_;
  const uint64_t search_;
};

// The value of a state: its cost and the last pair of the way to it.
__device__ uint64_t StateValue(float cost, uint32_t pair) {
  return PathKey(cost, pair);
}

// A queue of keys that only grows: a key that was taken leaves kNone behind.
// Lane l looks after the keys l, l + 32 and so on.
class Queue {
 public:
  __device__ Queue(uint64_t* keys, int lane) : keys_(keys), lane_(lane) {}

  // Adds the keys of the lanes that have one. All lanes call it.
  __device__ void Push(bool has_key, uint64_t key) {
    const unsigned mask = __ballot_sync(kFullWarp, has_key);
    if (has_key) keys_[size_ + __popc(mask & ((1u << lane_) - 1))] = key;
    __syncwarp();
    const uint32_t end = size_ + __popc(mask);
    const uint32_t mine = size_ + ((lane_ - size_) & (kWarp - 1));
    if (mine < end && keys_[mine] < least_) {
      least_ = keys_[mine];
      least_at_ = mine;
    }
    size_ = end;
  }

  // kNone if the queue is empty. All lanes call it, and get the same.
  __device__ uint64_t Least() const {
    uint64_t least = least_;
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
      least = min(least, __shfl_xor_sync(kFullWarp, least, offset));
    }
    return least;
  }

  // Takes the least key, which is not kNone. Keys are different.
  __device__ void Pop(uint64_t least) {
    if (least_ != least) return;
    keys_[least_at_] = kNone;
    least_ = kNone;
    for (uint32_t i = lane_; i < size_; i += kWarp) {
      const uint64_t key = keys_[i];
      if (key < least_) {
        least_ = key;
        least_at_ = i;
      }
    }
  }

 private:
  uint64_t* const keys_;
  const uint32_t lane_;
  uint32_t size_ = 0;
  uint64_t least_ = kNone;
  uint32_t least_at_ = 0;
};

// Where the two ends of the best path met.
struct Meeting {
  float cost;
  int64_t entry;  // INT64_MAX: nowhere.
  uint32_t state;
};

// CheapestPaths::Search, with the same decisions. All lanes of a warp call it.
// Returns the length of the path, which begins at `path`, or 0.
__device__ int Search(const SearchView& view, int64_t demand, int lane,
                      SearchSizes sizes, uint64_t* words, int64_t* all_visits,
                      int32_t** path) {
  const uint32_t source = view.sources[demand];
  const uint32_t ends[2] = {source & ~kSign, view.targets[demand]};
  const uint32_t num_negative = (source & kSign) != 0 ? 0 : 1;
  const float limit = view.limits[demand];
  Table table(words, sizes.slots, static_cast<uint32_t>(demand) + 1);
  uint64_t* const keys = words + 2 * uint64_t{sizes.slots};
  Queue queues[2] = {{keys, lane}, {keys + sizes.queue, lane}};
  uint64_t tops[2];
  for (int s = 0; s < 2; ++s) {
    const uint32_t state = 2 * ends[s];
    if (lane == 0) {
      bool is_new;
      *table.FindOrAdd(s, state, &is_new) = StateValue(0, kNoPair);
    }
    tops[s] = PathKey(0, state);
    queues[s].Push(lane == 0, tops[s]);
  }
  float best = limit + kMostPairCosts;
  bool found = false;
  uint32_t meeting[2] = {0, 0};
  int64_t visits[2] = {0, 0};
  while (tops[0] != kNone && tops[1] != kNone) {
    if (PathCost(tops[0]) + PathCost(tops[1]) >= best) break;
    int64_t begins[2];
    int64_t after[2];
    for (int s = 0; s < 2; ++s) {
      const uint32_t vertex = PathState(tops[s]) / 2;
      begins[s] = view.offsets[vertex];
      after[s] = visits[s] + view.offsets[vertex + 1] - begins[s];
    }
    const int s = after[0] <= after[1] ? 0 : 1;
    Queue& queue = queues[s];
    const uint32_t state = PathState(tops[s]);
    const float cost = PathCost(tops[s]);
    const float other_cost = PathCost(tops[1 - s]);
    queue.Pop(tops[s]);
    if (cost > PathCost(*table.Find(s, state))) {
      tops[s] = queue.Least();
      continue;
    }
    if (after[s] + visits[1 - s] > view.max_visits) break;
    const int64_t end = begins[s] + after[s] - visits[s];
    visits[s] = after[s];
    const float before = best;
    const uint32_t negative = state & 1;
    Meeting met = {before, INT64_MAX, 0};
    for (int64_t base = begins[s]; base < end; base += kWarp) {
      const int64_t i = base + lane;
      bool continues = false;
      uint64_t key = 0;
      if (i < end) {
        const uint32_t neighbor = view.neighbors[i];
        const uint32_t after_negative = negative + (neighbor >> 31);
        const float reached_cost = cost + view.entry_prices[i] + kPairCost;
        if (after_negative <= num_negative && reached_cost < before) {
          const uint32_t reached = 2 * (neighbor & ~kSign) + after_negative;
          const uint64_t* const there =
              table.Find(1 - s, RestOfPath(reached, num_negative));
          const float sum =
              there == nullptr ? before : PathCost(*there) + reached_cost;
          const bool meets = sum < before;
          continues = reached_cost + other_cost < before;
          if (meets || continues) {
            bool is_new;
            uint64_t* const value = table.FindOrAdd(s, reached, &is_new);
            if (is_new || PathCost(*value) > reached_cost) {
              *value = StateValue(reached_cost,
                                  static_cast<uint32_t>(view.entry_pairs[i]));
              key = PathKey(reached_cost, reached);
              if (meets && sum < met.cost) met = {sum, i, reached};
            } else {
              continues = false;
            }
          }
        }
      }
      queue.Push(continues, key);
    }
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
      const Meeting other = {
          __shfl_xor_sync(kFullWarp, met.cost, offset),
          __shfl_xor_sync(kFullWarp, static_cast<long long>(met.entry), offset),
          __shfl_xor_sync(kFullWarp, met.state, offset)};
      if (other.cost < met.cost ||
          (other.cost == met.cost && other.entry < met.entry)) {
        met = other;
      }
    }
    if (met.entry != INT64_MAX) {
      best = met.cost;
      found = true;
      meeting[s] = met.state;
      meeting[1 - s] = RestOfPath(met.state, num_negative);
    }
    tops[s] = queue.Least();
  }
  *all_visits += visits[0] + visits[1];
  if (!found) return 0;
  // The queues are not needed any more.
  __syncwarp();
  int32_t* const pairs = reinterpret_cast<int32_t*>(keys);
  *path = pairs;
  int length = 0;
  if (lane == 0) {
    float price = 0;
    for (int s = 0; s < 2; ++s) {
      uint32_t state = meeting[s];
      for (;;) {
        const uint32_t pair = PathState(*table.Find(s, state));
        if (pair == kNoPair || length == kMostPathPairs) break;
        pairs[length++] = static_cast<int32_t>(pair);
        price += view.prices[pair];
        const uint32_t code = view.pair_ends[pair];
        state = StateBefore(state, code & ~kSign, code >> 31);
      }
      if (s > 0) continue;
      for (int i = 0, j = length - 1; i < j; ++i, --j) {
        const int32_t pair = pairs[i];
        pairs[i] = pairs[j];
        pairs[j] = pair;
      }
    }
    if (price >= limit) length = 0;
  }
  length = __shfl_sync(kFullWarp, length, 0);
  __syncwarp();
  bool twice = false;
  for (int i = lane; i < length; i += kWarp) {
    for (int j = 0; j < i; ++j) twice = twice || pairs[i] == pairs[j];
  }
  return __any_sync(kFullWarp, twice) ? 0 : length;
}

// Warps take the demands [first, first + count) one by one.
__global__ void __launch_bounds__(kSearchBlock)
    SearchKernel(SearchView view, int64_t first, uint32_t count,
                 SearchSizes sizes, uint64_t* words, int64_t num_searches,
                 PathsView paths) {
  const int lane = threadIdx.x % kWarp;
  const int64_t warp =
      (static_cast<int64_t>(blockIdx.x) * kSearchBlock + threadIdx.x) / kWarp;
  if (warp >= num_searches) return;
  uint64_t* const own = words + warp * sizes.words();
  int64_t visits = 0;
  for (;;) {
    uint32_t i = 0;
    if (lane == 0) i = atomicAdd(paths.next, 1u);
    i = __shfl_sync(kFullWarp, i, 0);
    if (i >= count) break;
    int length = 0;
    int32_t* path = nullptr;
    if (view.limits[first + i] > 0) {
      length = Search(view, first + i, lane, sizes, own, &visits, &path);
    }
    int32_t start = 0;
    if (lane == 0) {
      if (length > 0) {
        start = static_cast<int32_t>(
            atomicAdd(paths.size, static_cast<unsigned long long>(length)));
      }
      paths.lengths[i] = length;
      paths.starts[i] = start;
    }
    start = __shfl_sync(kFullWarp, start, 0);
    for (int k = lane; k < length; k += kWarp) paths.pairs[start + k] = path[k];
    // The next search writes where this path is.
    __syncwarp();
  }
  if (lane == 0) {
    atomicAdd(paths.visits, static_cast<unsigned long long>(visits));
  }
}

__global__ void EntryPricesKernel(const int32_t* entry_pairs, int64_t size,
                                  const float* prices, float* entry_prices) {
  const int64_t stride = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
       i += stride) {
    entry_prices[i] = prices[entry_pairs[i]];
  }
}

// --- Steps -------------------------------------------------------------------

struct StepView {
  int64_t num_demands;
  const int64_t* first;
  const int64_t* offsets;
  const int32_t* pairs;
  const int64_t* use_offsets;
  const int32_t* uses;
  const float* demand_capacities;
  const float* capacities;  // By pair.
  float* flow;
  float* ahead;
  float* worths;
  float* prices;
};

// std::max(0.0F, x)
__device__ float PositivePart(float x) { return 0.0F < x ? x : 0.0F; }

__global__ void __launch_bounds__(kStepBlock) FlowKernel(StepView view) {
  const int64_t d = int64_t{blockIdx.x} * kStepBlock + threadIdx.x;
  if (d >= view.num_demands) return;
  const int64_t begin = view.first[d];
  const int64_t end = view.first[d + 1];
  if (begin == end) return;
  const float worth = view.worths[d];
  float sum = 0;
  int64_t i = view.offsets[begin];
  for (int64_t c = begin; c < end; ++c) {
    const int64_t last = view.offsets[c + 1];
    const auto length = static_cast<float>(last - i);
    float gain = 1 - worth;
    for (; i < last; ++i) gain -= view.prices[view.pairs[i]];
    const float before = view.flow[c];
    const float flow = PositivePart(before + gain / (length + 1));
    const float ahead = 2 * flow - before;
    view.flow[c] = flow;
    view.ahead[c] = ahead;
    sum += ahead;
  }
  const float excess = sum - view.demand_capacities[d];
  view.worths[d] =
      PositivePart(worth + excess / static_cast<float>(end - begin));
}

__device__ void UpdatePrice(const StepView& view, int32_t pair, float sum,
                            int64_t count) {
  const float excess = sum - view.capacities[pair];
  view.prices[pair] =
      PositivePart(view.prices[pair] + excess / static_cast<float>(count));
}

// `used` are the pairs with 1 to kMostSerialUses uses.
__global__ void __launch_bounds__(kStepBlock)
    PriceKernel(StepView view, const int32_t* used, int64_t num_used) {
  const int64_t i = int64_t{blockIdx.x} * kStepBlock + threadIdx.x;
  if (i >= num_used) return;
  const int32_t pair = used[i];
  const int64_t begin = view.use_offsets[pair];
  const int64_t end = view.use_offsets[pair + 1];
  float sum = 0;
  for (int64_t k = begin; k < end; ++k) sum += view.ahead[view.uses[k]];
  UpdatePrice(view, pair, sum, end - begin);
}

// `used` are the other ones with uses; a warp each.
__global__ void __launch_bounds__(kStepBlock)
    LongPriceKernel(StepView view, const int32_t* used, int64_t num_used) {
  static_assert(kSumLanes == kWarp);
  const int lane = threadIdx.x % kWarp;
  const int64_t i = (int64_t{blockIdx.x} * kStepBlock + threadIdx.x) / kWarp;
  if (i >= num_used) return;
  const int32_t pair = used[i];
  const int64_t begin = view.use_offsets[pair];
  const int64_t end = view.use_offsets[pair + 1];
  float sum = 0;
  for (int64_t k = begin + lane; k < end; k += kWarp) {
    sum += view.ahead[view.uses[k]];
  }
  for (int half = kWarp / 2; half > 0; half /= 2) {
    sum += __shfl_down_sync(kFullWarp, sum, half);
  }
  if (lane == 0) UpdatePrice(view, pair, sum, end - begin);
}

// -----------------------------------------------------------------------------

// MakeRoom, and copies the values.
template <typename T>
absl::Status Upload(absl::Span<const T> values, DeviceBuffer<T>& buffer) {
  RETURN_IF_ERROR(MakeRoom(static_cast<int64_t>(values.size()), buffer));
  return buffer.CopyFromHost(values);
}

class Engine : public FractionalEngine {
 public:
  Engine(const FractionalProblem& problem, const SearchControl* control)
      : problem_(problem), control_(control) {}

  absl::Status Prepare() {
    const std::vector<SignedPair>& pairs = problem_.edges.pairs;
    int device = 0;
    RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device), "current device"));
    RETURN_IF_ERROR(
        CudaStatus(cudaDeviceGetAttribute(
                       &processors_, cudaDevAttrMultiProcessorCount, device),
                   "number of multiprocessors"));
    std::vector<uint32_t> neighbors;
    std::vector<int32_t> entry_pairs;
    for (const AgreeingEdges::Entry& entry : problem_.edges.entries()) {
      neighbors.push_back(static_cast<uint32_t>(entry.neighbor) |
                          (pairs[entry.pair].negative ? kSign : 0));
      entry_pairs.push_back(entry.pair);
    }
    std::vector<uint32_t> pair_ends;
    for (const SignedPair& pair : pairs) {
      pair_ends.push_back(static_cast<uint32_t>(pair.u ^ pair.v) |
                          (pair.negative ? kSign : 0));
    }
    std::vector<uint32_t> sources;
    std::vector<uint32_t> targets;
    std::vector<float> demand_capacities;
    for (const int32_t index : problem_.demands) {
      const SignedPair& pair = pairs[index];
      sources.push_back(static_cast<uint32_t>(pair.u) |
                        (pair.negative ? kSign : 0));
      targets.push_back(static_cast<uint32_t>(pair.v));
      demand_capacities.push_back(problem_.capacities[index]);
    }
    RETURN_IF_ERROR(
        Upload(absl::MakeConstSpan(problem_.edges.offsets()), offsets_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(neighbors), neighbors_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(entry_pairs), entry_pairs_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pair_ends), pair_ends_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(sources), sources_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(targets), targets_));
    RETURN_IF_ERROR(
        Upload(absl::MakeConstSpan(demand_capacities), demand_capacities_));
    RETURN_IF_ERROR(
        Upload(absl::MakeConstSpan(problem_.capacities), capacities_));
    RETURN_IF_ERROR(AllocateInto(entry_pairs_.size(), entry_prices_));
    return AllocateInto(1, counters_);
  }

  absl::Status FindPaths(const std::vector<float>& prices,
                         const std::vector<float>& limits, int64_t max_visits,
                         FoundPaths* found) override {
    const auto size = static_cast<int64_t>(limits.size());
    *found = {.offsets = {0}, .pairs = {}};
    if (size == 0) return absl::OkStatus();
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(prices), prices_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(limits), limits_));
    if (!entry_pairs_.empty()) {
      EntryPricesKernel<<<BlocksFor(entry_pairs_.size(), 256), 256>>>(
          entry_pairs_.data(), entry_pairs_.size(), prices_.data(),
          entry_prices_.data());
      RETURN_IF_ERROR(CudaLaunchStatus("prices of entries"));
    }
    const SearchSizes sizes = SizesFor(max_visits);
    const int64_t words = sizes.words();
    const int64_t wanted =
        std::min({size, int64_t{processors_} * kWarpsPerProcessor,
                  1 + kMostSearchBytes / (8 * words)});
    if (search_words_.size() < wanted * words) {
      RETURN_IF_ERROR(AllocateUpTo(wanted * words, words, search_words_));
    }
    const int64_t num_searches = std::min(wanted, search_words_.size() / words);
    // No key belongs to a search.
    RETURN_IF_ERROR(search_words_.FillBytes(0));
    const int64_t most = std::min(size, kMostDemands);
    RETURN_IF_ERROR(MakeRoom(most, lengths_));
    RETURN_IF_ERROR(MakeRoom(most, starts_));
    RETURN_IF_ERROR(MakeRoom(most * kMostPathPairs, paths_));
    const SearchView view = {offsets_.data(),     neighbors_.data(),
                             entry_pairs_.data(), entry_prices_.data(),
                             pair_ends_.data(),   prices_.data(),
                             sources_.data(),     targets_.data(),
                             limits_.data(),      max_visits};
    for (int64_t first = 0; first < size; first += most) {
      const int64_t count = std::min(most, size - first);
      RETURN_IF_ERROR(counters_.FillBytes(0));
      Counters* const counters = counters_.data();
      SearchKernel<<<BlocksFor(num_searches, kSearchBlock / kWarp),
                     kSearchBlock>>>(
          view, first, static_cast<uint32_t>(count), sizes,
          search_words_.data(), num_searches,
          {lengths_.data(), starts_.data(), paths_.data(), &counters->size,
           &counters->visits, &counters->next});
      RETURN_IF_ERROR(CudaLaunchStatus("searches for cycles"));
      RETURN_IF_ERROR(Append(count, found));
    }
    return absl::OkStatus();
  }

  absl::Status Improve(const CyclePool& pool, int64_t steps,
                       CycleFlows* flows) override {
    if (flows->flow.empty()) return absl::OkStatus();
    std::vector<int32_t> used[2];
    for (size_t pair = 0; pair + 1 < pool.use_offsets.size(); ++pair) {
      const int64_t count = pool.use_offsets[pair + 1] - pool.use_offsets[pair];
      if (count == 0) continue;
      used[count > kMostSerialUses ? 1 : 0].push_back(
          static_cast<int32_t>(pair));
    }
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pool.first), first_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pool.offsets), cycle_offsets_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pool.pairs), cycle_pairs_));
    RETURN_IF_ERROR(
        Upload(absl::MakeConstSpan(pool.use_offsets), use_offsets_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(pool.uses), uses_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(flows->flow), flow_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(flows->worths), worths_));
    RETURN_IF_ERROR(Upload(absl::MakeConstSpan(flows->prices), prices_));
    RETURN_IF_ERROR(MakeRoom(static_cast<int64_t>(flows->flow.size()), ahead_));
    for (int k = 0; k < 2; ++k) {
      RETURN_IF_ERROR(Upload(absl::MakeConstSpan(used[k]), used_[k]));
    }
    const auto num_short = static_cast<int64_t>(used[0].size());
    const auto num_long = static_cast<int64_t>(used[1].size());
    const StepView view = {static_cast<int64_t>(flows->worths.size()),
                           first_.data(),
                           cycle_offsets_.data(),
                           cycle_pairs_.data(),
                           use_offsets_.data(),
                           uses_.data(),
                           demand_capacities_.data(),
                           capacities_.data(),
                           flow_.data(),
                           ahead_.data(),
                           worths_.data(),
                           prices_.data()};
    for (int64_t step = 0; step < steps; ++step) {
      if (step % kStepsPerSync == 0) {
        RETURN_IF_ERROR(
            CudaStatus(cudaStreamSynchronize(nullptr), "steps of flows"));
        if (control_ != nullptr && control_->StopRequested()) break;
      }
      FlowKernel<<<BlocksFor(view.num_demands, kStepBlock), kStepBlock>>>(view);
      if (num_short > 0) {
        PriceKernel<<<BlocksFor(num_short, kStepBlock), kStepBlock>>>(
            view, used_[0].data(), num_short);
      }
      if (num_long > 0) {
        LongPriceKernel<<<BlocksFor(num_long, kStepBlock / kWarp),
                          kStepBlock>>>(view, used_[1].data(), num_long);
      }
      RETURN_IF_ERROR(CudaLaunchStatus("steps of flows"));
    }
    RETURN_IF_ERROR(flow_.CopyToHost(absl::MakeSpan(flows->flow)));
    RETURN_IF_ERROR(worths_.CopyToHost(absl::MakeSpan(flows->worths)));
    return prices_.CopyToHost(absl::MakeSpan(flows->prices));
  }

 private:
  struct Counters {
    unsigned long long size;
    unsigned long long visits;
    unsigned int next;
  };

  // Appends the paths of the launch.
  absl::Status Append(int64_t count, FoundPaths* found) {
    Counters counters;
    RETURN_IF_ERROR(counters_.CopyToHost(absl::MakeSpan(&counters, 1)));
    std::vector<int32_t> lengths(count);
    std::vector<int32_t> starts(count);
    std::vector<int32_t> pairs(counters.size);
    RETURN_IF_ERROR(lengths_.CopyToHost(absl::MakeSpan(lengths)));
    RETURN_IF_ERROR(starts_.CopyToHost(absl::MakeSpan(starts)));
    RETURN_IF_ERROR(paths_.CopyToHost(absl::MakeSpan(pairs)));
    for (int64_t i = 0; i < count; ++i) {
      const auto begin = pairs.begin() + starts[i];
      found->pairs.insert(found->pairs.end(), begin, begin + lengths[i]);
      found->offsets.push_back(static_cast<int64_t>(found->pairs.size()));
    }
    found->visits += static_cast<int64_t>(counters.visits);
    return absl::OkStatus();
  }

  const FractionalProblem& problem_;
  const SearchControl* const control_;
  int processors_ = 1;
  DeviceBuffer<int64_t> offsets_;
  DeviceBuffer<uint32_t> neighbors_;
  DeviceBuffer<int32_t> entry_pairs_;
  DeviceBuffer<float> entry_prices_;
  DeviceBuffer<uint32_t> pair_ends_;
  DeviceBuffer<uint32_t> sources_;
  DeviceBuffer<uint32_t> targets_;
  DeviceBuffer<float> demand_capacities_;
  DeviceBuffer<float> capacities_;
  DeviceBuffer<float> limits_;
  DeviceBuffer<float> prices_;
  DeviceBuffer<uint64_t> search_words_;
  DeviceBuffer<int32_t> lengths_;
  DeviceBuffer<int32_t> starts_;
  DeviceBuffer<int32_t> paths_;
  DeviceBuffer<Counters> counters_;
  DeviceBuffer<int64_t> first_;
  DeviceBuffer<int64_t> cycle_offsets_;
  DeviceBuffer<int32_t> cycle_pairs_;
  DeviceBuffer<int64_t> use_offsets_;
  DeviceBuffer<int32_t> uses_;
  DeviceBuffer<int32_t> used_[2];
  DeviceBuffer<float> flow_;
  DeviceBuffer<float> ahead_;
  DeviceBuffer<float> worths_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<FractionalEngine>> NewFractionalEngineCuda(
    const FractionalProblem& problem, const SearchControl* control) {
  auto engine = std::make_unique<Engine>(problem, control);
  RETURN_IF_ERROR(engine->Prepare());
  return engine;
}

}  // namespace warpclust
