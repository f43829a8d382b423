// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Peaks, labels and sizes for a choice of thresholds or of a number of peaks:
// the rules of peak_selection.h and density_peaks.h, on the same numbers.

class Model {
  constructor(data) {
    this.data = data;
    // By point: the index of its peak in `peaks` of the last choice.
    this.owner = new Int32Array(data.n);
  }

  // The peaks by gamma: always rank 0, then those at or above both thresholds, or
  // the first `count` at or above rhoMin.
  peaksOf({mode, count, rhoMin, deltaMin}) {
    const {rho, delta, ranking, root, n} = this.data;
    const peaks = [];
    for (let k = 0; k < n; ++k) {
      const i = ranking[k];
      if (mode === 'count') {
        if (peaks.length >= count) break;
        if (i === root || rho[i] >= rhoMin) peaks.push(i);
      } else if (i === root || (rho[i] >= rhoMin && delta[i] >= deltaMin)) {
        peaks.push(i);
      }
    }
    return peaks;
  }

  choose(selection) {
    const {n, dependent, order, weight, first} = this.data;
    const peaks = this.peaksOf(selection);
    const owner = this.owner;
    owner.fill(-1);
    peaks.forEach((point, k) => { owner[point] = k; });
    for (let r = 0; r < n; ++r) {
      const i = order[r];
      if (owner[i] < 0) owner[i] = owner[dependent[i]];
    }
    const sizes = new Float64Array(peaks.length);
    const firsts = new Float64Array(peaks.length).fill(Infinity);
    for (let i = 0; i < n; ++i) {
      const k = owner[i];
      sizes[k] += weight ? weight[i] : 1;
      firsts[k] = Math.min(firsts[k], first ? first[i] : i);
    }
    // Clusters are numbered in order of their first member.
    const byNumber = peaks.map((_, k) => k).sort((a, b) => firsts[a] - firsts[b]);
    const numbers = new Int32Array(peaks.length);
    byNumber.forEach((k, number) => { numbers[k] = number; });
    return {
      peaks, owner, sizes, numbers, byNumber,
      // The tool refuses more peaks than there are.
      selection: {...selection, count: peaks.length},
      noise: this.noiseBelow(selection.rhoMin),
      exact: this.isExact(selection, peaks),
    };
  }

  // The choice to try if there is one cluster and later ranks of gamma stand
  // out: the ranks before the largest drop of gamma after the second, as in
  // SelectPeaks, if it is a drop to half or less. Otherwise null.
  advice({peaks, selection}) {
    const {gamma, rho, ranking, n, total} = this.data;
    if (peaks.length !== 1) return null;
    const ranks = Math.min(n, Math.floor(Math.sqrt(total)) + 1);
    let count = 0;
    let largest = 0;
    for (let k = 2; k < ranks; ++k) {
      const before = gamma[ranking[k - 1]];
      if (before === 0) break;
      const drop = before / gamma[ranking[k]];
      if (drop >= 2 && drop > largest) {
        count = k;
        largest = drop;
      }
    }
    if (count === 0) return null;
    // The densities of these ranks are not below the threshold.
    const rhoMin = Math.min(selection.rhoMin, d3.min(ranking.subarray(0, count), (i) => rho[i]));
    return {
      selection: {mode: 'count', count, rhoMin},
      from: gamma[ranking[count - 1]],
      to: gamma[ranking[count]],
    };
  }

  noiseBelow(rhoMin) {
    const {n, rho, leftOut} = this.data;
    let noise = 0;
    for (let i = 0; i < n; ++i) noise += rho[i] < rhoMin;
    if (leftOut) {
      const above = d3.bisectLeft(leftOut.level, rhoMin);
      if (above > 0) noise += leftOut.count[above - 1];
    }
    return noise;
  }

  // Whether every peak of this choice is a point that the page holds.
  isExact({mode, rhoMin, deltaMin}, peaks) {
    const {leftOut, gamma} = this.data;
    if (!leftOut) return true;
    if (mode === 'count') return gamma[peaks[peaks.length - 1]] > leftOut.gamma;
    for (let k = 0; k < leftOut.rho.length; ++k) {
      if (leftOut.rho[k] >= rhoMin && leftOut.delta[k] >= deltaMin) return false;
    }
    return true;
  }
}

// The cluster number of each point, as the tool prints it.
function clusterLabels(choice) {
  return Array.from(choice.owner, (k) => choice.numbers[k]);
}

// The flags of a choice.
function peakFlags({mode, count, rhoMin, deltaMin}) {
  if (mode === 'thresholds') {
    return ['--rho_min=' + rhoMin, '--delta_min=' + deltaMin];
  }
  return ['--peaks=' + count].concat(rhoMin > 0 ? ['--rho_min=' + rhoMin] : []);
}
