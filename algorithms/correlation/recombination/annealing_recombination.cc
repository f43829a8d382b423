// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/annealing_recombination.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/contraction/greedy_joins.h"
#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/core.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/recombination/recombination.h"
#include "algorithms/correlation/recombination/shared_candidates.h"
#include "algorithms/correlation/recombination/start_portfolio.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "base/communicator/communicator.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device.h"
#include "kernels/device_choice.h"

namespace warpclust {
namespace {

constexpr int64_t kDefaultRounds = 5;
constexpr int64_t kDefaultNoImprovement = 3;
// Good partitions of a dense graph have little in common, so recombination
// gains little and the length of the chains counts: few of them, and longer
// ones in each round. Those of a sparse graph agree on most of it. Deep
// annealing of the little that remains costs less than one chain, and reaches
// what the chains reach together: many short ones, which differ more than long
// ones.
constexpr int64_t kMostDenseChains = 16;
constexpr int64_t kMostSparseChains = 64;
// But in some dense graphs, those with half of the edges negative, long chains
// are no better than short ones, so that their number counts. So from the
// fourth round on some chains are replaced by this many of an eighth of the
// length, most or few of them, depending on which did better in the last round.
// After rounds in which the long ones did better, all chains become four times
// as long.
constexpr int kShortChains = 8;
constexpr int64_t kManyLong = 12;
// The sweeps of the first round make this many visits, within these bounds.
constexpr int64_t kFirstVisits = 20000;
constexpr int64_t kLeastFirstSweeps = 100;
constexpr int64_t kMostFirstSweeps = 400;
// Rounds before the sizes above hold; see WantedSweeps.
constexpr int64_t kFirstSparseRounds = 2;
constexpr int64_t kFirstDenseRounds = 3;
constexpr int32_t kLeastSweeps = 20;
// Bounds the memory of temperatures, too.
constexpr int64_t kMostSweeps = 1 << 20;
// A chain of the recombination makes as many visits as 1 / kRecombiningShare of
// a chain of the round, or as this many sweeps of the whole graph if that is
// more.
constexpr int32_t kRecombiningShare = 5;
constexpr int64_t kLeastRecombiningSweeps = 40;
// Its first temperature, in those of the best strategy.
constexpr double kDenseHeat = 0.5;
constexpr double kSparseHeat = 2;
constexpr size_t kNumElite = 4;
// A search of the core (core.h) pays if it has at most 1 / kCoreShare of the
// entries. Its rounds have this many chains, those of this round of a search:
// all starts and temperatures. It ends when so many rounds improve nothing.
constexpr size_t kCoreShare = 4;
constexpr int64_t kCoreChains = 16;
constexpr int64_t kFirstCoreRound = 2;
constexpr int64_t kCorePatience = 1;
// The results of so many such searches are recombined with the elite.
constexpr size_t kMostFound = 16;
// The chains of a round that is followed by such a search.
constexpr int64_t kChainsBeforeCore = 4;
// Starts of randomized greedy joins per kind; they take longer than chains.
constexpr int kNumGreedy = 2;
// Graphs with fewer entries have their first local optimum after any stop.
constexpr size_t kSmallEntries = 1 << 16;
// The share of the remaining time that a round may be expected to take.
constexpr double kShareOfTime = 0.7;

// Keeps the best `count` candidates; of equals, the first ones.
void KeepBest(size_t count, std::vector<Candidate>* candidates) {
  std::stable_sort(candidates->begin(), candidates->end(), IsBetter);
  if (candidates->size() > count) candidates->resize(count);
}

// The initial partition in the reduced graph, at no loss: clusters of the
// representatives, without those that span positive components.
Labels ReducedInitial(const ReducedGraph& reduced, const Labels& initial,
                      int threads) {
  Labels labels;
  if (initial.empty()) return labels;
  const Labels components =
      PositiveComponents(reduced.graph, {/*control=*/nullptr, threads});
  Labels name(initial.size(), -1);
  for (size_t g = 0; g < components.size(); ++g) {
    int32_t& first = name[initial[reduced.representative[g]]];
    if (first < 0) first = static_cast<int32_t>(g);
    labels.push_back(first);
  }
  Intersect(components, &labels);
  return labels;
}

// One cluster without the vertices whose weights sum to less than 0. Cheap, and
// close to what a descent finds in networks with few negative edges.
Labels AlmostOneCluster(const SignedGraph& graph, int threads) {
  const int32_t n = graph.num_vertices();
  Labels labels(n);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
  for (int32_t v = 0; v < n; ++v) {
    int64_t sum = 0;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      sum += graph.weights[i];
    }
    labels[v] = v > 0 && sum < 0 ? v : 0;
  }
  return labels;
}

// One run on a reduced graph.
class Search {
 public:
  // `initial` is a partition to start from, in [0, n), or empty. `is_core`: the
  // graph is the core of that of another search. `step` is for the steps before
  // the first chain.
  Search(const SignedGraph& graph, Labels initial, bool is_core, uint64_t seed,
         const CorrelationOptions& options, Device device,
         const StepOptions& step, SearchControl& control, Communicator& ranks)
      : graph_(graph),
        initial_(std::move(initial)),
        is_core_(is_core),
        seed_(seed),
        options_(options),
        device_(device),
        threads_(step.num_threads),
        prefers_table_(PrefersTable(graph)),
        step_(step),
        control_(control),
        ranks_(ranks),
        portfolio_(/*has_initial=*/!initial_.empty() && !is_core,
                   /*explores=*/!prefers_table_) {}

  absl::Status Run() {
    RETURN_IF_ERROR(MakeFirst());
    if (optimal()) return absl::OkStatus();
    plan_ = MakeAnnealingPlan(graph_, step_);
    ASSIGN_OR_RETURN(stopped_, ShouldStopOnAnyRank(ranks_, control_));
    if (stopped_) return absl::OkStatus();
    const bool timed = control_.HasTimeLimit();
    const int64_t most = std::numeric_limits<int64_t>::max();
    const int64_t begin = is_core_ ? kFirstCoreRound : 0;
    const int64_t end = is_core_                  ? most
                        : options_.iterations > 0 ? options_.iterations
                        : timed                   ? most
                                                  : kDefaultRounds;
    const int64_t patience = is_core_ ? kCorePatience
                             : options_.no_improvement > 0
                                 ? options_.no_improvement
                             : timed ? most
                                     : kDefaultNoImprovement;
    int64_t without_improvement = 0;
    for (int64_t r = begin; r < end && without_improvement < patience; ++r) {
      if (optimal() || plan_.num_positions() == 0) break;
      const int64_t before = best().imbalance;
      ASSIGN_OR_RETURN(const bool had_time, Round(r));
      stopped_ = !had_time;
      if (had_time) {
        ASSIGN_OR_RETURN(stopped_, ShouldStopOnAnyRank(ranks_, control_));
      }
      if (stopped_) break;
      without_improvement =
          best().imbalance < before ? 0 : without_improvement + 1;
    }
    return absl::OkStatus();
  }

  const Candidate& best() const { return elite_.front(); }
  // The best partitions, all different, the best first.
  const std::vector<Candidate>& elite() const { return elite_; }
  // No partition costs less.
  bool optimal() const { return best().imbalance == graph_.constant_cost; }
  // The caller or the clock stopped the run, or the clock shortened a round.
  bool stopped() const { return stopped_ || shortened_; }
  int64_t starts() const { return starts_; }

 private:
  // The first elite partitions: descent, joins and chains from the initial
  // partition or, without one, from single vertices; and one cluster per
  // positive component, which is the optimum of many dense graphs with few
  // negative edges.
  absl::Status MakeFirst() {
    if (initial_.empty()) {
      first_ = SingleVertices();
    } else {
      first_ = {initial_, Imbalance(graph_, initial_, threads_)};
    }
    first_.imbalance += Polish(graph_, &first_.labels, step_);
    // From yesterday's clusters, most of the way is behind us.
    control_.Report(first_.imbalance);
    PolishBordersOfSparse(step_, &first_);
    ASSIGN_OR_RETURN(const bool stop, AgreeAfterStop(&first_));
    AddElite(first_);
    Candidate components;
    components.labels =
        PositiveComponents(graph_, {/*control=*/nullptr, threads_});
    components.imbalance = Imbalance(graph_, components.labels, threads_);
    if (stop) {
      // The descent may have been cut short. No cluster spans components, since
      // the graph lacks negative edges between them.
      Candidate almost_one;
      almost_one.labels = AlmostOneCluster(graph_, threads_);
      Intersect(components.labels, &almost_one.labels);
      almost_one.imbalance = Imbalance(graph_, almost_one.labels, threads_);
      AddElite(std::move(almost_one));
    }
    AddElite(std::move(components));
    return absl::OkStatus();
  }

  static bool PrefersTable(const SignedGraph& graph) {
    int64_t positions = 0;
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      positions += graph.Degree(v) > 0;
    }
    return internal::PrefersTable(positions, graph.offsets.back());
  }

  // Chains of moves along borders help in sparse graphs and are slow in dense
  // ones; nor are they made after a stop.
  void PolishBordersOfSparse(const StepOptions& step,
                             Candidate* candidate) const {
    if (prefers_table_ || control_.ShouldStop()) return;
    candidate->imbalance += PolishBorders(graph_, &candidate->labels, step);
  }

  void PolishSparse(const StepOptions& step, Candidate* candidate) const {
    candidate->imbalance += Polish(graph_, &candidate->labels, step);
    PolishBordersOfSparse(step, candidate);
  }

  // A stop ends a step elsewhere on each rank: all take what rank 0 has.
  // Returns whether there was one.
  absl::StatusOr<bool> AgreeAfterStop(Candidate* candidate) {
    ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(ranks_, control_));
    if (!stop) return false;
    RETURN_IF_ERROR(
        ranks_.Broadcast(absl::MakeSpan(&candidate->imbalance, 1), 0));
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(candidate->labels), 0));
    return true;
  }

  void AddElite(Candidate candidate) {
    const auto place =
        std::upper_bound(elite_.begin(), elite_.end(), candidate, IsBetter);
    for (auto it = elite_.begin(); it != place; ++it) {
      if (it->labels == candidate.labels) return;
    }
    elite_.insert(place, std::move(candidate));
    if (elite_.size() > kNumElite) elite_.pop_back();
    control_.Report(best().imbalance);
  }

  // Makes the randomized greedy starts that these strategies need.
  absl::Status MakeGreedyStarts(const std::vector<int>& strategies) {
    std::vector<std::pair<bool, int>> missing;  // fixation, variant
    for (size_t i = 0; i < strategies.size(); ++i) {
      const ChainStart start = portfolio_.strategy(strategies[i]).start;
      const bool fixation = start == ChainStart::kFixation;
      if (!fixation && start != ChainStart::kGreedy) continue;
      const std::pair<bool, int> wanted = {fixation,
                                           static_cast<int>(i % kNumGreedy)};
      if (greedy_[wanted.first][wanted.second].labels.empty() &&
          std::count(missing.begin(), missing.end(), wanted) == 0) {
        missing.push_back(wanted);
      }
    }
    if (missing.empty()) return absl::OkStatus();
    const ItemRange mine =
        ItemsOfRank(ranks_, static_cast<int64_t>(missing.size()));
    std::vector<Candidate> made(mine.size());
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      const auto [fixation, variant] = missing[i];
      GreedyJoinsOptions greedy;
      greedy.noise = kGreedyNoise;
      greedy.fixation = fixation;
      greedy.seed = internal::MixBits(seed_ + variant);
      Candidate& candidate = made[i - mine.begin];
      candidate = SingleVertices();
      const StepOptions step = {&control_, /*num_threads=*/1};
      candidate.imbalance +=
          GreedyJoins(graph_, greedy, &candidate.labels, step);
      PolishSparse(step, &candidate);
    }
    ASSIGN_OR_RETURN(made, GatherCandidates(ranks_, std::move(made)));
    for (size_t i = 0; i < missing.size(); ++i) {
      const auto [fixation, variant] = missing[i];
      greedy_[fixation][variant] = std::move(made[i]);
    }
    return absl::OkStatus();
  }

  // The partition with which chain `index` of a round begins.
  Candidate StartOf(const ChainStrategy& strategy, int64_t index) const {
    switch (strategy.start) {
      case ChainStart::kSingle:
        break;
      case ChainStart::kDescent:
        return first_;
      case ChainStart::kElite:
        return elite_[index % elite_.size()];
      case ChainStart::kGreedy:
        return greedy_[false][index % kNumGreedy];
      case ChainStart::kFixation:
        return greedy_[true][index % kNumGreedy];
    }
    return SingleVertices();
  }

  Candidate SingleVertices() const {
    Candidate single;
    single.labels.resize(graph_.num_vertices());
    std::iota(single.labels.begin(), single.labels.end(), 0);
    single.imbalance = graph_.constant_cost + graph_.positive_weight;
    return single;
  }

  // The unit of the temperatures of a strategy.
  double Scale(const ChainStrategy& strategy) const {
    return plan_.mean_weight *
           (strategy.by_degree ? std::sqrt(plan_.mean_degree) : 1);
  }

  // The most chains of a round.
  int64_t most_chains() const {
    return is_core_         ? kCoreChains
           : has_core_      ? kChainsBeforeCore
           : prefers_table_ ? kMostDenseChains
                            : kMostSparseChains;
  }

  // The chains that the ranks run side by side.
  int64_t ChainsAtOnce() const {
    return ranks_.size() *
           (device_ == Device::kCuda ? most_chains() : threads_);
  }

  // The sweeps of round r if there is time.
  int64_t WantedSweeps(int64_t r) const {
    const int64_t first = std::clamp(kFirstVisits / plan_.num_positions(),
                                     kLeastFirstSweeps, kMostFirstSweeps);
    if (is_core_) return first;
    if (!prefers_table_) return r < kFirstSparseRounds ? first : first / 3;
    const int64_t doublings =
        std::min(r, kFirstDenseRounds - 1) + 2 * lengthenings_;
    return std::min(kMostSweeps, first << std::min<int64_t>(doublings, 20));
  }

  // The sweeps of round r: fewer if time is short, 0 if it is up.
  int32_t SweepsOf(int64_t r, int64_t num_chains) {
    const int64_t wanted = WantedSweeps(r);
    const double left = control_.SecondsLeft() * kShareOfTime;
    if (left <= 0) {
      shortened_ = true;
      return 0;
    }
    const int64_t parallel = ChainsAtOnce();
    const double seconds =
        seconds_per_sweep_ * static_cast<double>(wanted) *
        static_cast<double>((num_chains + parallel - 1) / parallel);
    if (seconds <= left) return static_cast<int32_t>(wanted);
    shortened_ = true;
    const double fitting = static_cast<double>(wanted) * left / seconds;
    return fitting < kLeastSweeps ? 0 : static_cast<int32_t>(fitting);
  }

  struct RoundSize {
    int64_t num_chains = 0;
    int32_t sweeps = 0;  // 0: there is no time for the round.
    int32_t shortened = 0;
  };

  // The chains of round r that there is time for.
  int64_t ChainsInTime(int64_t r) const {
    if (seconds_per_sweep_ <= 0) return most_chains();
    const double batches =
        control_.SecondsLeft() * kShareOfTime /
        (seconds_per_sweep_ * static_cast<double>(WantedSweeps(r)));
    return ChainsAtOnce() * static_cast<int64_t>(std::min(
                                batches, static_cast<double>(most_chains())));
  }

  // By the clock of rank 0, if there is a limit.
  absl::StatusOr<RoundSize> SizeOf(int64_t r) {
    RoundSize size;
    if (r >= kFirstDenseRounds && !prefers_short_) ++lengthenings_;
    size.num_chains =
        std::min(most_chains(), int64_t{1} << std::min<int64_t>(2 * r, 30));
    // Short of time, a sparse graph gets fewer chains before shorter ones.
    const int64_t fitting = std::max(ChainsInTime(r), ChainsAtOnce());
    if (!prefers_table_ && fitting < size.num_chains) {
      size.num_chains = fitting;
      shortened_ = true;
    }
    size.sweeps = SweepsOf(r, size.num_chains);
    if (size.sweeps == 0 && size.num_chains > ChainsAtOnce()) {
      size.num_chains = ChainsAtOnce();
      size.sweeps = SweepsOf(r, size.num_chains);
    }
    size.shortened = shortened_ ? 1 : 0;
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(&size, 1), 0));
    shortened_ = size.shortened != 0;
    return size;
  }

  // The chains of a round: the strategy of each, and its sweeps.
  struct RoundChains {
    std::vector<int> strategies;
    std::vector<int32_t> sweeps;
  };

  RoundChains ChainsOf(int64_t r, const RoundSize& size) const {
    RoundChains chains;
    if (is_core_ || !prefers_table_ || r < kFirstDenseRounds ||
        size.num_chains < kMostDenseChains) {
      chains.strategies =
          portfolio_.Choose(is_core_ ? kFirstCoreRound : r, size.num_chains);
      chains.sweeps.assign(chains.strategies.size(), size.sweeps);
      return chains;
    }
    const int64_t num_long =
        prefers_short_ ? kMostDenseChains - kManyLong : kManyLong;
    const int64_t num_short = (kMostDenseChains - num_long) * kShortChains;
    const std::vector<int> of_long = portfolio_.Choose(r, num_long);
    const std::vector<int> of_short = portfolio_.Choose(r, num_short);
    // Evenly mixed, since each rank gets a range of them.
    const int64_t count = num_long + num_short;
    for (int64_t i = 0, next_long = 0; i < count; ++i) {
      const bool is_long = next_long * count <= i * num_long;
      chains.strategies.push_back(is_long ? of_long[next_long]
                                          : of_short[i - next_long]);
      chains.sweeps.push_back(
          is_long ? size.sweeps : std::max(1, size.sweeps / kShortChains));
      next_long += is_long;
    }
    return chains;
  }

  // Returns false if there is no time for another round.
  absl::StatusOr<bool> Round(int64_t r) {
    ASSIGN_OR_RETURN(const RoundSize size, SizeOf(r));
    if (size.sweeps == 0) return false;
    const uint64_t round_key =
        internal::MixBits(seed_ * 0x9E3779B97F4A7C15u + r + 1);
    const RoundChains chains = ChainsOf(r, size);
    const std::vector<int>& strategies = chains.strategies;
    RETURN_IF_ERROR(MakeGreedyStarts(strategies));
    const double begin = control_.seconds();
    ASSIGN_OR_RETURN(std::vector<Candidate> candidates,
                     Anneal(chains, round_key));
    if (candidates.empty()) return true;
    seconds_per_sweep_ = (control_.seconds() - begin) / size.sweeps;
    if (device_ != Device::kCuda) {
      seconds_per_sweep_ /= static_cast<double>(
          (size.num_chains + ChainsAtOnce() - 1) / ChainsAtOnce());
    }
    int best_strategy = strategies[0];
    const int64_t none = std::numeric_limits<int64_t>::max();
    int64_t best_imbalance = none;
    // Of long and short chains that do not start from the elite.
    int64_t best_of_long = none;
    int64_t best_of_short = none;
    for (size_t i = 0; i < strategies.size(); ++i) {
      const int64_t imbalance = candidates[i].imbalance;
      control_.Report(imbalance);
      portfolio_.Learn(strategies[i], imbalance);
      if (imbalance < best_imbalance) {
        best_imbalance = imbalance;
        best_strategy = strategies[i];
      }
      if (portfolio_.strategy(strategies[i]).start == ChainStart::kElite) {
        continue;
      }
      int64_t& best_of_kind =
          chains.sweeps[i] == size.sweeps ? best_of_long : best_of_short;
      best_of_kind = std::min(best_of_kind, imbalance);
    }
    prefers_short_ = best_of_short < best_of_long;
    // Recombining all of them would take longer than the chains.
    if (prefers_table_) KeepBest(kMostDenseChains, &candidates);
    RETURN_IF_ERROR(RecombineAll(portfolio_.strategy(best_strategy),
                                 size.sweeps, round_key, &candidates));
    return true;
  }

  // Runs the chains and polishes the results. After a stop the candidates are
  // empty.
  absl::StatusOr<std::vector<Candidate>> Anneal(const RoundChains& round,
                                                uint64_t round_key) {
    const std::vector<int>& strategies = round.strategies;
    const auto count = static_cast<int64_t>(strategies.size());
    const ItemRange mine = ItemsOfRank(ranks_, count);
    // The long ones first.
    std::vector<int64_t> order(mine.size());
    std::iota(order.begin(), order.end(), mine.begin);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return round.sweeps[a] > round.sweeps[b];
    });
    std::vector<AnnealingChain> chains(mine.size());
    std::vector<Candidate> candidates(chains.size());
    for (size_t j = 0; j < chains.size(); ++j) {
      const int64_t i = order[j];
      const ChainStrategy& strategy = portfolio_.strategy(strategies[i]);
      AnnealingChain& chain = chains[j];
      chain.key = internal::MixBits(round_key + i);
      chain.num_sweeps = round.sweeps[i];
      chain.first_temperature = strategy.first_temperature * Scale(strategy);
      chain.last_temperature = strategy.last_temperature * Scale(strategy);
      Candidate start = StartOf(strategy, i);
      chain.labels = std::move(start.labels);
      candidates[i - mine.begin].imbalance = start.imbalance;
    }
    RETURN_IF_ERROR(RunAnnealingChains(plan_, device_, threads_, control_,
                                       absl::MakeSpan(chains)));
    const int64_t my_finished =
        std::count_if(chains.begin(), chains.end(),
                      [](const AnnealingChain& c) { return c.finished; });
    ASSIGN_OR_RETURN(const int64_t finished,
                     ranks_.AllReduce(Reduction::kSum, my_finished));
    for (int64_t i = 0; i < finished; ++i) control_.CountStart();
    starts_ += finished;
    ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(ranks_, control_));
    std::vector<Candidate> of_finished;
    for (size_t j = 0; j < chains.size(); ++j) {
      Candidate& candidate = candidates[order[j] - mine.begin];
      candidate.labels = std::move(chains[j].labels);
      candidate.imbalance += chains[j].change;
      if (stop && chains[j].finished) {
        of_finished.push_back(std::move(candidate));
      }
    }
    if (stop) {
      // The best of the finished chains are results, too.
      candidates = std::move(of_finished);
      KeepBest(kNumElite, &candidates);
      ASSIGN_OR_RETURN(candidates,
                       GatherCandidates(ranks_, std::move(candidates)));
      for (Candidate& candidate : candidates) AddElite(std::move(candidate));
      return std::vector<Candidate>();
    }
    PolishAll(graph_, threads_, control_, absl::MakeSpan(candidates));
    ASSIGN_OR_RETURN(candidates,
                     GatherCandidates(ranks_, std::move(candidates)));
    return candidates;
  }

  // `strategy` is the best one of this round.
  absl::Status RecombineAll(const ChainStrategy& strategy, int32_t sweeps,
                            uint64_t round_key,
                            std::vector<Candidate>* candidates) {
    RecombinationOptions options;
    options.key = internal::MixBits(round_key - 1);
    options.visits =
        plan_.num_positions() *
        std::max<int64_t>(kLeastRecombiningSweeps, sweeps / kRecombiningShare);
    options.first_temperature = strategy.first_temperature * Scale(strategy) *
                                (prefers_table_ ? kDenseHeat : kSparseHeat);
    options.last_temperature = strategy.last_temperature * Scale(strategy);
    options.ranks = &ranks_;
    options.device = device_;
    options.num_threads = threads_;
    // First among themselves: the elite would pull all candidates to itself.
    ASSIGN_OR_RETURN(const bool searched,
                     SearchCore(internal::MixBits(round_key - 3), candidates));
    if (!searched && candidates->size() > 1) {
      RETURN_IF_ERROR(Recombine(graph_, options, control_, candidates));
      KeepBest(kNumElite, candidates);
    }
    // The elite soon is one partition in variants. What the searches of cores
    // found is not.
    if (searched) {
      found_.push_back(candidates->front());
      if (found_.size() > kMostFound) found_.erase(found_.begin());
      candidates->insert(candidates->end(), found_.begin(), found_.end());
    }
    for (const Candidate& elite : elite_) candidates->push_back(elite);
    options.key = internal::MixBits(round_key - 2);
    RETURN_IF_ERROR(Recombine(graph_, options, control_, candidates));
    for (Candidate& candidate : *candidates) AddElite(std::move(candidate));
    Candidate thorough = best();
    PolishSparse({&control_, threads_}, &thorough);
    RETURN_IF_ERROR(AgreeAfterStop(&thorough).status());
    if (IsBetter(thorough, best())) AddElite(std::move(thorough));
    return absl::OkStatus();
  }

  // Searches the core of the candidates, if it is much smaller than the graph,
  // and replaces them by the best of all. Returns whether it did.
  absl::StatusOr<bool> SearchCore(uint64_t seed,
                                  std::vector<Candidate>* candidates) {
    if (is_core_ || prefers_table_) return false;
    has_core_ = false;
    Labels agreed = first_.labels;
    for (const Candidate& candidate : *candidates) {
      Intersect(candidate.labels, &agreed);
    }
    const StepOptions step = {&control_, threads_};
    const ReducedGraph core = MakeCore(graph_, agreed, plan_.mean_weight, step);
    ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(ranks_, control_));
    if (stop ||
        core.graph.neighbors.size() * kCoreShare > graph_.neighbors.size()) {
      return false;
    }
    has_core_ = true;
    KeepBest(kNumElite, candidates);
    Search search(
        core.graph, ReducedInitial(core, candidates->front().labels, threads_),
        /*is_core=*/true, seed, options_, device_, step, control_, ranks_);
    RETURN_IF_ERROR(search.Run());
    starts_ += search.starts();
    shortened_ = shortened_ || search.stopped();
    for (const Candidate& found : search.elite()) {
      candidates->push_back(
          {Expand(core.group, found.labels), found.imbalance});
    }
    KeepBest(kNumElite, candidates);
    return true;
  }

  const SignedGraph& graph_;
  const Labels initial_;
  const bool is_core_;
  const uint64_t seed_;
  const CorrelationOptions& options_;
  const Device device_;
  const int threads_;
  const bool prefers_table_;
  const StepOptions step_;
  SearchControl& control_;
  Communicator& ranks_;
  AnnealingPlan plan_;  // Made after the first partition.
  StartPortfolio portfolio_;
  Candidate first_;
  Candidate greedy_[2][kNumGreedy];  // by fixation; empty until made
  // The best partitions so far, all different, the best first.
  std::vector<Candidate> elite_;
  // The best of each of the last searches of a core.
  std::vector<Candidate> found_;
  bool has_core_ = false;  // The last round had a core that paid.
  // In the last round, of one chain, or of all that run side by side.
  double seconds_per_sweep_ = 0;
  // Dense graphs: whether the short chains of the last round did better than
  // the long ones, and how often rounds became four times as long.
  bool prefers_short_ = false;
  int64_t lengthenings_ = 0;
  int64_t starts_ = 0;
  bool stopped_ = false;
  bool shortened_ = false;
};

// What can be had when the search is stopped before the graph is reduced: the
// best of the groups so far, of one cluster, whole or almost, and the initial
// partition.
absl::StatusOr<CorrelationResult> FirstPartition(const SignedGraph& graph,
                                                 std::vector<Labels> partitions,
                                                 int threads,
                                                 SearchControl& control,
                                                 Communicator& ranks) {
  Candidate best;
  for (Labels& labels : partitions) {
    const int64_t imbalance = Imbalance(graph, labels, threads);
    if (best.labels.empty() || imbalance < best.imbalance) {
      best = {std::move(labels), imbalance};
    }
  }
  // The ranks were not stopped at the same place.
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&best.imbalance, 1), 0));
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(best.labels), 0));
  control.Report(best.imbalance);
  CorrelationResult result;
  result.labels = std::move(best.labels);
  result.num_clusters = MakeCanonical(&result.labels);
  result.imbalance = best.imbalance;
  result.proven_optimal = best.imbalance == graph.constant_cost;
  result.stopped = true;
  return result;
}

}  // namespace

absl::StatusOr<CorrelationResult> AnnealAndRecombine(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl* control, Communicator* ranks) {
  const SignedJob job = {graph.num_vertices(), graph.num_edges(),
                         options.iterations};
  ASSIGN_OR_RETURN(
      const Device device,
      ResolveDevice(options.device, Expect(job, options.num_threads)));
  SearchControl no_limit;
  SingleRank single;
  if (control == nullptr) control = &no_limit;
  if (ranks == nullptr) ranks = &single;
  // What a small graph needs until there is a good partition takes no time.
  const bool is_small = graph.neighbors.size() < kSmallEntries;
  const StepOptions step = {is_small ? nullptr : control,
                            ResolveThreads(options.num_threads)};
  const ReducedGraph reduced = Reduce(graph, step);
  ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(*ranks, *control));
  if (stop && !is_small) {
    std::vector<Labels> partitions = {
        reduced.group, Labels(graph.num_vertices(), 0),
        AlmostOneCluster(graph, step.num_threads)};
    if (!options.initial.empty()) partitions.push_back(options.initial);
    return FirstPartition(graph, std::move(partitions), step.num_threads,
                          *control, *ranks);
  }
  Search search(
      reduced.graph, ReducedInitial(reduced, options.initial, step.num_threads),
      /*is_core=*/false, options.seed, options, device, step, *control, *ranks);
  RETURN_IF_ERROR(search.Run());

  CorrelationResult result;
  result.labels = Expand(reduced.group, search.best().labels);
  result.num_clusters = MakeCanonical(&result.labels);
  result.imbalance = search.best().imbalance;
  result.proven_optimal = search.optimal();
  result.starts = search.starts();
  result.stopped = search.stopped();
  for (size_t i = 1; i < search.elite().size(); ++i) {
    const Candidate& candidate = search.elite()[i];
    if (candidate.imbalance - result.imbalance > result.imbalance / 100) break;
    Labels labels = Expand(reduced.group, candidate.labels);
    MakeCanonical(&labels);
    // After a stop, labels of the elite that differ may be one partition.
    bool is_new = labels != result.labels;
    for (const auto& other : result.alternatives) {
      is_new = is_new && labels != other.labels;
    }
    if (is_new) {
      result.alternatives.push_back({std::move(labels), candidate.imbalance});
    }
  }
  return result;
}

}  // namespace warpclust
