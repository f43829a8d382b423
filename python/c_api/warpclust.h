/* Copyright 2026 The warpclust authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The C interface of warpclust: all algorithms in one shared library,
 * libwarpclust.so, for C and for languages that call C. In C++, use the
 * libraries of algorithms/ and eval/ instead, which it calls.
 *
 *   const float rows[] = {1, 0, 2, 0, 0, 3};
 *   warpclust_dense_documents documents = {3, 2, rows, 0};
 *   warpclust_graph graph;
 *   if (warpclust_dense_cosine_graph(&documents, "0.25", NULL, &graph) != 0) {
 *     fprintf(stderr, "%s\n", warpclust_last_error());
 *     return 1;
 *   }
 *   ... graph.neighbors[graph.offsets[v]] ...
 *   warpclust_free(graph.storage);
 *
 * Status. A function that can fail returns a warpclust_status. The text of the
 * last error of a thread is warpclust_last_error(). No exception and no signal
 * leaves a function. If host memory runs out, a function returns
 * WARPCLUST_RESOURCE_EXHAUSTED; in a thread that the library started, the
 * process ends instead.
 *
 * Memory. A call reads its arguments, and keeps no pointer to them. An array of
 * a result belongs to the caller until warpclust_free(result.storage), which
 * must be called once. A result is set only if the function succeeds. Objects
 * that live on have a function that ends with _destroy, which takes NULL too.
 *
 * Arguments. Pointers are not NULL unless a comment says so; an array of no
 * elements may be NULL. Names such as "euclidean" are those of the tools'
 * flags; NULL is the default. Thresholds are decimals ("0.25") or fractions
 * ("1/3"), which are exact. NULL options are the defaults of
 * warpclust_..._options_init.
 *
 * Threads. Functions may be called concurrently. An object may be used by one
 * thread at a time. Results do not depend on the device or the number of
 * threads.
 */
#ifndef WARPCLUST_PYTHON_C_API_WARPCLUST_H_
#define WARPCLUST_PYTHON_C_API_WARPCLUST_H_

#include <stdint.h> /* NOLINT: this is C. */

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every change of this file that breaks a caller. */
#define WARPCLUST_ABI_VERSION 3

/* Values are those of absl::StatusCode. */
typedef enum warpclust_status {
  WARPCLUST_OK = 0,
  WARPCLUST_CANCELLED = 1, /* The progress function asked for the end. */
  WARPCLUST_UNKNOWN = 2,
  WARPCLUST_INVALID_ARGUMENT = 3,
  WARPCLUST_NOT_FOUND = 5,
  WARPCLUST_ALREADY_EXISTS = 6,
  WARPCLUST_RESOURCE_EXHAUSTED = 8, /* Memory of the host or of the GPU. */
  WARPCLUST_FAILED_PRECONDITION = 9,
  WARPCLUST_UNIMPLEMENTED = 12,
  WARPCLUST_INTERNAL = 13,
  WARPCLUST_UNAVAILABLE = 14, /* No GPU, or a store in use. */
  WARPCLUST_DATA_LOSS = 15,
} warpclust_status;

/* The version of the library, such as "0.2.0". */
const char* warpclust_version(void);
/* WARPCLUST_ABI_VERSION of the library. */
int32_t warpclust_abi_version(void);
/* The message of the last function that failed in this thread; "" if none did.
 * Valid until the next failure. */
const char* warpclust_last_error(void);
/* Frees the arrays of a result. NULL is allowed. */
void warpclust_free(void* storage);
/* Sets *device to "cpu" or "cuda", which `requested` ("auto", "cpu", "cuda", or
 * NULL for "auto") stands for on this machine. UNAVAILABLE for "cuda" without
 * CUDA code in this build, or without a GPU. */
warpclust_status warpclust_resolve_device(const char* requested,
                                          const char** device);

/* Copies `bytes` bytes from the memory of the current GPU, once it is idle, to
 * the host: for arrays of functions that take none of a GPU. Errors as for
 * on_gpu below. */
warpclust_status warpclust_copy_from_gpu(void* to, const void* from,
                                         int64_t bytes);

/* ---- How a call runs ---- */

/* Called during a long call, about every 0.05 s, by the thread that made the
 * call. `share` of the work is done, in [0, 1], or -1 if that is not known.
 * A result other than 0 asks the call to end; it is not called again then.
 *
 * A correlation search then ends with the best partition so far. The cosine
 * graph, OClustR and density peaks on the CPU, the comparison of documents in
 * an update of a store, and warpclust_online_add between blocks of documents
 * end with CANCELLED; so do the cosine graph of dense documents and density
 * peaks on a GPU, between steps. All other work runs to its end. */
typedef int32_t (*warpclust_progress)(double share, void* data);

/* NULL is {NULL, 0, NULL, NULL, 0}. */
typedef struct warpclust_run {
  const char* device;  /* "auto" (NULL), "cpu" or "cuda". */
  int32_t num_threads; /* 0: all cores. */
  /* NULL: the call runs in the calling thread. Otherwise it runs in a thread of
   * the library while the calling thread waits and calls this function. */
  warpclust_progress progress;
  void* progress_data;
  /* More than 1: that many GPUs of this computer, the first ones that CUDA
   * sees, share the work, with the same result. For the clusters of documents
   * (arrays on a GPU are copied to the host), warpclust_density_peaks
   * (UNIMPLEMENTED for the halo, and for densities other than counts) and
   * warpclust_correlation. The choice of beta takes it too, and uses none.
   * INVALID_ARGUMENT for other functions, and with the device "cpu".
   * UNAVAILABLE if there are fewer GPUs. Only a correlation search can be ended
   * then. */
  int32_t num_gpus;
} warpclust_run;

/* ---- Documents, graphs, covers ---- */

/* Documents as compressed sparse rows: row d has the entries [offsets[d],
 * offsets[d + 1]) of `terms`, in [0, num_terms) and strictly ascending, and of
 * `weights`, positive and finite. They are copied. */
typedef struct warpclust_documents {
  int32_t num_documents;
  int32_t num_terms;
  const int64_t* offsets; /* num_documents + 1 */
  const int32_t* terms;   /* offsets[num_documents] */
  const float* weights;   /* offsets[num_documents] */
} warpclust_documents;

/* Documents as rows of finite floats, which may be negative. They are not
 * copied.
 *
 * on_gpu is 1 if `values` points to memory of the current GPU, such as that of
 * a PyTorch tensor, else 0. The call then waits until the GPU is idle, and runs
 * there; with the device "cpu" it copies the values to the host. UNAVAILABLE
 * without CUDA code or a GPU, INVALID_ARGUMENT for other memory. */
typedef struct warpclust_dense_documents {
  int32_t num_documents;
  int32_t num_dimensions;
  const float* values; /* num_documents * num_dimensions, row by row */
  int32_t on_gpu;
} warpclust_dense_documents;

/* An undirected graph as compressed sparse rows. Each edge is in the rows of
 * both its ends. Rows ascend strictly; there are no loops. */
typedef struct warpclust_graph {
  int32_t num_vertices;
  const int64_t* offsets;   /* num_vertices + 1 */
  const int32_t* neighbors; /* offsets[num_vertices] */
  const float* weights;     /* offsets[num_vertices] */
  void* storage;            /* Of a result. */
} warpclust_graph;

/* Clusters that may overlap: cluster c has the members [offsets[c],
 * offsets[c + 1]), strictly ascending. */
typedef struct warpclust_cover {
  int32_t num_clusters;
  const int64_t* offsets; /* num_clusters + 1 */
  const int32_t* members; /* offsets[num_clusters] */
} warpclust_cover;

/* All pairs of documents whose cosine is at least `beta`, in (0, 1] (NULL:
 * "0.25"), with their cosines. Exact: graph/cosine/cosine_graph.h. */
warpclust_status warpclust_cosine_graph(const warpclust_documents* documents,
                                        const char* beta,
                                        const warpclust_run* run,
                                        warpclust_graph* graph);
/* The same for dense documents. */
warpclust_status warpclust_dense_cosine_graph(
    const warpclust_dense_documents* documents, const char* beta,
    const warpclust_run* run, warpclust_graph* graph);

/* ---- OClustR: overlapping clusters (algorithms/oclustr) ---- */

/* Clusters that are stars: a center, its neighbors (satellites), and the
 * members linked to it. Clusters are in order of first member. */
typedef struct warpclust_star_cover {
  warpclust_cover cover;
  const int32_t* centers;        /* By cluster. */
  const int32_t* num_satellites; /* By cluster. */
  const int64_t* linked_offsets; /* num_clusters + 1 */
  const int32_t* linked;         /* linked_offsets[num_clusters] */
  int32_t num_items;
  int64_t num_edges; /* Of the graph. */
  /* The names of the items of a store, back to back; NULL without a store.
   * Item i is ids[id_offsets[i]] up to id_offsets[i + 1]. */
  const char* ids;
  const int64_t* id_offsets; /* num_items + 1 */
  void* storage;
} warpclust_star_cover;

/* The clusters of a graph of similarities. */
warpclust_status warpclust_oclustr(const warpclust_graph* graph,
                                   const warpclust_run* run,
                                   warpclust_star_cover* clusters);

/* The smallest similarity of an edge that suits documents without labels: with
 * it, clusters have the highest expected FBCubed (oclustr_choice.h). */
typedef struct warpclust_beta_choice {
  const char* beta;
  int32_t best; /* 0: there is too little to choose by, and beta is 0.25. */
  int32_t num_documents; /* How many were compared. */
  double expected_fbcubed;
  void* storage;
} warpclust_beta_choice;

/* Chooses it for documents with the weights they have. Computed on the CPU. */
warpclust_status warpclust_choose_beta(const warpclust_documents* documents,
                                       const warpclust_run* run,
                                       warpclust_beta_choice* choice);
/* The same for dense documents. */
warpclust_status warpclust_dense_choose_beta(
    const warpclust_dense_documents* documents, const warpclust_run* run,
    warpclust_beta_choice* choice);

/* The clusters of the cosine graph of documents. On a GPU, the graph stays
 * there. */
warpclust_status warpclust_oclustr_documents(
    const warpclust_documents* documents, const char* beta,
    const warpclust_run* run, warpclust_star_cover* clusters);
/* The same for dense documents. */
warpclust_status warpclust_dense_oclustr_documents(
    const warpclust_dense_documents* documents, const char* beta,
    const warpclust_run* run, warpclust_star_cover* clusters);

/* ---- DClustR: overlapping clusters of a collection on disk
 *      (algorithms/dclustr) ---- */

typedef struct warpclust_dclustr warpclust_dclustr;

/* Fixed when a store is created. */
typedef struct warpclust_dclustr_options {
  const char* beta;      /* In (1/256, 1]; NULL: "0.25". */
  const char* weighting; /* "tf" (NULL) or "tfidf". */
  const char* mode;      /* "exact" (NULL) or "dclustr". */
} warpclust_dclustr_options;

/* Names as strings that end with 0. */
typedef struct warpclust_names {
  int32_t num_names;
  const char* const* names;
} warpclust_names;

/* A store after an update. */
typedef struct warpclust_dclustr_update {
  int32_t added;
  int32_t removed;
  int64_t new_edges;
  int64_t removed_edges;
  int32_t documents;
  int64_t edges;
  int32_t components; /* Partial connected components. */
  double idf_drift;   /* How far frequencies are from the frozen ones; tfidf. */
} warpclust_dclustr_update;

/* Creates a store in a folder. ALREADY_EXISTS if there is one. */
warpclust_status warpclust_dclustr_create(
    const char* directory, const warpclust_dclustr_options* options,
    warpclust_dclustr** store);
/* Opens a store; read_only is 0 or 1. NOT_FOUND if the folder has no store,
 * UNAVAILABLE while another process writes. */
warpclust_status warpclust_dclustr_open(const char* directory,
                                        int32_t read_only,
                                        warpclust_dclustr** store);
void warpclust_dclustr_destroy(warpclust_dclustr* store);
/* The options of a store. The strings live as long as the store. */
warpclust_status warpclust_dclustr_get_options(
    const warpclust_dclustr* store, warpclust_dclustr_options* options);
/* Removes and then adds documents, in one transaction: a document in both
 * `removed` and `added_ids` is modified. `added` may be NULL, as may `removed`.
 * INVALID_ARGUMENT, with nothing changed, for an id to remove that is not
 * there or an id to add that is. */
warpclust_status warpclust_dclustr_change(warpclust_dclustr* store,
                                          const warpclust_documents* added,
                                          const warpclust_names* added_ids,
                                          const warpclust_names* removed,
                                          const warpclust_run* run,
                                          warpclust_dclustr_update* update);
/* For tfidf: freezes the present frequencies and compares all documents
 * again. */
warpclust_status warpclust_dclustr_reweight(warpclust_dclustr* store,
                                            const warpclust_run* run,
                                            warpclust_dclustr_update* update);
/* The present clusters, with the names of the documents. */
warpclust_status warpclust_dclustr_read(const warpclust_dclustr* store,
                                        const warpclust_run* run,
                                        warpclust_star_cover* clusters);
/* What a change of nothing would return. */
warpclust_status warpclust_dclustr_describe(const warpclust_dclustr* store,
                                            warpclust_dclustr_update* state);
/* Checks the store against its documents; DATA_LOSS names a contradiction. */
warpclust_status warpclust_dclustr_verify(const warpclust_dclustr* store,
                                          const warpclust_run* run);
/* Rewrites the store in as few bytes as it needs. */
warpclust_status warpclust_dclustr_compact(warpclust_dclustr* store);

/* ---- Online clustering of a stream (algorithms/online) ---- */

typedef struct warpclust_online warpclust_online;

typedef struct warpclust_online_options {
  const char* threshold;       /* In [0, 1]; NULL: "0.2", mdc1, mdc2 "0.5". */
  int32_t terms;               /* K of the paper, in [1, 128]. */
  int64_t expire_after;        /* Seconds; 0: never. */
  int64_t merge_every;         /* 0: never; -1: 1000, mdc1, mdc2 0. */
  const char* merge_threshold; /* In [0, 1]; NULL: "0.3", mdc1, mdc2 "0.5". */
  int32_t truncated_mean;      /* 0 or 1. */
  const char* method;          /* "auto" (NULL), "serial1", ... */
  int32_t batch;               /* 0: the method decides. */
  const char* epsilon;         /* Approximate methods; NULL: the paper's. */
} warpclust_online_options;

void warpclust_online_options_init(warpclust_online_options* options);

/* Everything that a clusterer knows (algorithms/online/state/online_state.h).
 */
typedef struct warpclust_online_state {
  int32_t num_clusters;
  const int64_t* offsets;    /* num_clusters + 1 */
  const int32_t* terms;      /* offsets[num_clusters] */
  const int64_t* sums;       /* offsets[num_clusters] */
  const int64_t* sizes;      /* num_clusters */
  const int64_t* last_times; /* num_clusters */
  int64_t num_documents;
  int64_t clock;
  int32_t num_terms;
  void* storage; /* Of a result. */
} warpclust_online_state;

/* `state`, unless NULL, is continued. Of `run`, only device and num_threads are
 * used. */
warpclust_status warpclust_online_create(
    const warpclust_online_options* options,
    const warpclust_online_state* state, const warpclust_run* run,
    warpclust_online** clusterer);
void warpclust_online_destroy(warpclust_online* clusterer);
/* Adds documents in their order. clusters[d] becomes the cluster of document d,
 * from 0 in order of founding. `times`, unless NULL, has one entry per
 * document: seconds, or INT64_MIN for none. *num_decided is how many documents
 * were decided, also after an error. Of `run`, only progress is used. */
warpclust_status warpclust_online_add(warpclust_online* clusterer,
                                      const warpclust_documents* documents,
                                      const int64_t* times,
                                      const warpclust_run* run,
                                      int32_t* clusters, int32_t* num_decided);
/* Clusters founded so far, including closed ones. */
int32_t warpclust_online_num_clusters(const warpclust_online* clusterer);
/* How many clusters merged into others, and the merges from number `first` on:
 * cluster from[i] merged into into[i]. `from` and `into` may be NULL. */
int64_t warpclust_online_merges(const warpclust_online* clusterer,
                                int64_t first, int32_t* from, int32_t* into);
warpclust_status warpclust_online_get_state(warpclust_online* clusterer,
                                            warpclust_online_state* state);

/* ---- Correlation clustering (algorithms/correlation) ---- */

/* Edges between vertices u[e] and v[e], whose weight is weights[e] /
 * units_per_one, a power of ten. Positive weights attract. A pair may have one
 * edge of each sign. */
typedef struct warpclust_signed_edges {
  int32_t num_vertices;
  int64_t num_edges;
  const int32_t* u;
  const int32_t* v;
  const int64_t* weights;
  int64_t units_per_one;
} warpclust_signed_edges;

typedef struct warpclust_correlation_options {
  const char* method; /* "auto" (NULL), "seq_grasp", "seq_ils", ... */
  uint64_t seed;
  double time_limit;      /* Seconds; 0: none. */
  int64_t iterations;     /* 0: the default of the method. */
  int64_t no_improvement; /* 0: the default of the method. */
  /* GRASP and ILS only. */
  double alpha;
  int32_t neighborhood;
  int64_t ils_iterations;
  int64_t perturbation_max;
} warpclust_correlation_options;

void warpclust_correlation_options_init(warpclust_correlation_options* options);

typedef struct warpclust_correlation_result {
  const int32_t* labels; /* num_vertices, from 0 in order of first member */
  int32_t num_clusters;
  int64_t imbalance;      /* I(P), in units. */
  int32_t proven_optimal; /* 0 or 1. */
  int64_t starts;
  int32_t stopped; /* 1: by the time limit or the progress function. */
  void* storage;
} warpclust_correlation_result;

warpclust_status warpclust_correlation(
    const warpclust_signed_edges* edges,
    const warpclust_correlation_options* options, const warpclust_run* run,
    warpclust_correlation_result* result);

/* ---- Density peaks (algorithms/density_peaks) ---- */

/* Points with finite coordinates. They are copied. */
typedef struct warpclust_points {
  int32_t num_points;
  int32_t num_dimensions;
  const double* values; /* num_points * num_dimensions, row by row */
} warpclust_points;

/* Which points are peaks: the `count` of largest gamma if it is above 0;
 * else those of a dependent distance of at least delta_min if it is above 0;
 * else those of a gamma of at least gamma_min if it is above 0; else, if
 * `significance` is 1, those whose density stands out of the saddle to a denser
 * peak by more than chance; else those before the largest drop of gamma. Points
 * of a density below density_min are noise, and never peaks. Only
 * warpclust_density_peaks has the points that significance needs. */
typedef struct warpclust_peaks {
  int32_t count;
  int32_t density_min;
  double delta_min;
  double gamma_min;
  int32_t significance;
} warpclust_peaks;

typedef struct warpclust_density_peaks_options {
  const char* metric;     /* "euclidean" (NULL), "manhattan", ... */
  double cutoff_distance; /* 0: the quantile. */
  double cutoff_quantile; /* Of all distances, in (0, 1]. 0: what suits the
                             peaks, as the tool density_peaks has it. */
  uint64_t seed;          /* Of the sample for the quantile. */
  warpclust_peaks peaks;
  int32_t halo;      /* 1: find the halo too. */
  const char* index; /* "auto" (NULL), "boxtree", "vptree", "bruteforce" */
  /* What a density is: "count" (NULL), "knn", "gaussian" or "pak", as the tool
   * density_peaks has them. Others than counts need significance, no
   * density_min and no halo; "knn" and "pak" ignore the cutoff. */
  const char* density;
  int32_t neighbors; /* The k of "knn", the largest of "pak". 0:
                        0.6 sqrt(num_points), from 4 to 100. */
} warpclust_density_peaks_options;

/* The defaults, which are those of the tool density_peaks: by significance. */
void warpclust_density_peaks_options_init(
    warpclust_density_peaks_options* options);

/* All arrays have one entry per point, except those by cluster. */
typedef struct warpclust_density_peaks_result {
  int32_t num_points;
  int32_t num_clusters;
  double cutoff_distance;  /* 0 for "knn" and "pak". */
  int32_t neighbors;       /* Of "knn" and "pak"; else 0. */
  int32_t cutoff_sampled;  /* 1: it comes from a sample of the pairs. */
  int32_t cutoff_replaced; /* 1: the quantile was 0. */
  /* Unless they are counts, the place of each point in the order of densities,
   * num_points for the densest one. So are those of saddles. */
  const int32_t* densities;
  const int32_t* dependent_points; /* -1: the densest point. */
  const double* dependent_distances;
  const int32_t* labels; /* From 0 in order of first member. */
  const uint8_t* noise;
  const uint8_t* halo;  /* NULL unless asked for. */
  const int32_t* peaks; /* By cluster. */
  /* By cluster, NULL unless by significance: the density of the saddle (0
   * without any), and how far that of the peak is above it, in standard
   * deviations. All but the densest peak exceed least_sigma. */
  const int32_t* saddles;
  const double* sigmas;
  double least_sigma;
  int32_t num_candidates; /* Among which chance reaches least_sigma. */
  void* storage;
} warpclust_density_peaks_result;

warpclust_status warpclust_density_peaks(
    const warpclust_points* points,
    const warpclust_density_peaks_options* options, const warpclust_run* run,
    warpclust_density_peaks_result* result);

/* Other peaks of a graph of counts that was computed before: reads the first
 * arrays of `graph` up to dependent_distances. The result has no halo. */
warpclust_status warpclust_cluster_by_peaks(
    const warpclust_density_peaks_result* graph, const warpclust_peaks* peaks,
    warpclust_density_peaks_result* result);

/* Values for a sweep, each the same multiple of the one before: quantiles in
 * (0, 1] to six digits or, for "knn" and "pak", integers of at least 1, each
 * once and at most num_points - 1. */
typedef struct warpclust_density_peaks_range {
  double first;
  double last;         /* Above `first`. */
  int32_t num_values;  /* 2 to 1000. */
  int32_t keep_labels; /* 1: the result has the labels. */
} warpclust_density_peaks_range;

/* What each value gives. Unless a comment says otherwise, arrays have one entry
 * per value. */
typedef struct warpclust_density_peaks_sweep_result {
  int32_t num_values;
  int32_t num_points;
  const double* cutoff_quantiles; /* NULL for "knn" and "pak". */
  const double* cutoff_distances; /* NULL for "knn" and "pak". */
  const int32_t* neighbors;       /* Only of "knn" and "pak"; else NULL. */
  const int32_t* num_clusters;
  const int32_t* largest; /* The points of the largest cluster. */
  const int32_t* noise;   /* The points that are noise. */
  /* By significance; otherwise 0, 0 and NaN. weakest_sigmas is of the peaks
   * except the densest one, NaN with one cluster. */
  const int32_t* num_candidates;
  const double* least_sigmas;
  const double* weakest_sigmas;
  /* Adjusted Rand index of these clusters and the next ones; NaN at the end. */
  const double* agreements;
  /* 1: in the longest run of values with more than one cluster in which
   * neighbors agree by 0.9 or more. */
  const uint8_t* stable;
  const int32_t* labels; /* num_values * num_points; NULL unless asked for. */
  void* storage;
} warpclust_density_peaks_sweep_result;

/* warpclust_density_peaks at many cutoff quantiles or, for "knn" and "pak",
 * numbers of neighbors, faster than one by one. Of `options`, cutoff,
 * neighbors and halo are not used. INVALID_ARGUMENT for "gaussian". */
warpclust_status warpclust_density_peaks_sweep(
    const warpclust_points* points,
    const warpclust_density_peaks_options* options,
    const warpclust_density_peaks_range* range, const warpclust_run* run,
    warpclust_density_peaks_sweep_result* result);

/* Points that come and go. */
typedef struct warpclust_incremental_density_peaks
    warpclust_incremental_density_peaks;

typedef struct warpclust_incremental_density_peaks_options {
  const char* metric;
  double cutoff_distance; /* Above 0. */
  const char* update;     /* "auto" (NULL), "incidental" or "separate" */
  const char* index;      /* "auto" (NULL), "boxtree" or "vptree" */
} warpclust_incremental_density_peaks_options;

/* Of `run`, only device and num_threads are used. */
warpclust_status warpclust_incremental_density_peaks_create(
    int32_t num_dimensions,
    const warpclust_incremental_density_peaks_options* options,
    const warpclust_run* run, warpclust_incremental_density_peaks** peaks);
void warpclust_incremental_density_peaks_destroy(
    warpclust_incremental_density_peaks* peaks);
/* Adds points; their ids continue those so far, from 0. Of `run`, only progress
 * is used. */
warpclust_status warpclust_incremental_density_peaks_insert(
    warpclust_incremental_density_peaks* peaks, const warpclust_points* points,
    const warpclust_run* run);
warpclust_status warpclust_incremental_density_peaks_remove(
    warpclust_incremental_density_peaks* peaks, int32_t num_ids,
    const int32_t* ids, const warpclust_run* run);
/* The number of ids so far, and of live points. */
int32_t warpclust_incremental_density_peaks_num_ids(
    const warpclust_incremental_density_peaks* peaks);
int32_t warpclust_incremental_density_peaks_num_points(
    const warpclust_incremental_density_peaks* peaks);
/* Sets ids to those of the live points, ascending. */
warpclust_status warpclust_incremental_density_peaks_live_ids(
    const warpclust_incremental_density_peaks* peaks, int32_t* ids);
/* The clusters of the live points, numbered in order of their ids. */
warpclust_status warpclust_incremental_density_peaks_cluster(
    const warpclust_incremental_density_peaks* peaks,
    const warpclust_peaks* selection, warpclust_density_peaks_result* result);

/* ---- Evaluation (eval) ---- */

/* Measures with their names, such as "fbcubed". */
typedef struct warpclust_measures {
  int32_t num_measures;
  const char* const* names;
  const double* values;
  void* storage;
} warpclust_measures;

/* Every measure of eval/compare_covers.h of two covers of the items [0,
 * num_items). Of `run`, only num_threads and progress are used. */
warpclust_status warpclust_evaluate(const warpclust_cover* truth,
                                    const warpclust_cover* clusters,
                                    int32_t num_items, const warpclust_run* run,
                                    warpclust_measures* measures);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* WARPCLUST_PYTHON_C_API_WARPCLUST_H_ */
