// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Everything except the plots: inputs, the table of clusters, the command.

const MAX_ROWS = 300;

class Controls {
  // change(partial selection), highlight(point or -1), reset()
  constructor(data, {change, highlight, reset}) {
    this.data = data;
    this.highlight = highlight;
    this.fillFacts();
    const number = (id, apply) => {
      byId(id).addEventListener('input', (event) => {
        const value = event.target.valueAsNumber;
        if (Number.isFinite(value) && value >= 0) change(apply(value));
      });
      // Left empty or out of range: shows the present value again.
      byId(id).addEventListener('change', () => this.fillInputs(true));
    };
    number('rho-min', (v) => ({rhoMin: Math.min(2147483647, Math.round(v))}));
    number('delta-min', (v) => ({mode: 'thresholds', deltaMin: v}));
    number('count', (v) => ({mode: 'count', count: Math.max(1, Math.round(v))}));
    for (const mode of ['thresholds', 'count']) {
      byId('mode-' + mode).addEventListener('change', () => change({mode}));
    }
    byId('reset').addEventListener('click', reset);
    byId('advice-apply').addEventListener('click', () => change(this.advice.selection));
    const rowOf = (event) => {
      const row = event.target.closest('tr');
      return row ? Number(row.dataset.point) : -1;
    };
    byId('clusters').addEventListener('click', (event) => highlight(rowOf(event)));
    byId('clusters').addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      highlight(rowOf(event));
    });
  }

  fillFacts() {
    const {meta, n, total} = this.data;
    showFacts('facts', [
      ['points', formatNumber(total)],
      ['dimensions', formatNumber(meta.dimensions)],
      ['metric', meta.metric],
      ['d', meta.cutoff + (meta.cutoffOrigin ? ` (${meta.cutoffOrigin})` : '')],
    ]);
    byId('facts').lastChild.firstChild.append(element('sub', 'c'));
    byId('held').textContent = this.data.leftOut
      ? `Shows ${formatNumber(n)} of ${formatNumber(total)} points: those with the largest γ and δ, ` +
        'and an even sample of the others. Cluster sizes and noise count all points.'
      : 'Shows all points. Labels follow the rules of the tool, on the same numbers.';
  }

  // Leaves the input alone that the user is typing in.
  fillInputs(all = false) {
    const {selection} = this;
    const set = (id, value) => {
      const input = byId(id);
      if (!all && document.activeElement === input) return;
      if (input.value !== String(value)) input.value = value;
    };
    set('rho-min', selection.rhoMin);
    set('delta-min', selection.deltaMin);
    set('count', selection.count);
    byId('mode-thresholds').checked = selection.mode === 'thresholds';
    byId('mode-count').checked = selection.mode === 'count';
    byId('delta-min').classList.toggle('idle', selection.mode !== 'thresholds');
    byId('count').classList.toggle('idle', selection.mode !== 'count');
  }

  show(choice, state, advice) {
    this.choice = choice;
    this.advice = advice;
    this.selection = choice.selection;
    this.fillInputs();
    this.fillOutcome();
    this.fillTable(state);
    this.fillCommand();
    this.fillAdvice();
    byId('warning').hidden = choice.exact;
    byId('warning').textContent =
      'With this choice a point that the page does not show is a peak too: the tool finds more clusters.';
  }

  fillAdvice() {
    const {advice} = this;
    byId('advice').hidden = advice === null;
    if (advice === null) return;
    const {count} = advice.selection;
    const ranks = count === 2 ? 'rank 2 stands' : `ranks 2 to ${count} stand`;
    byId('advice-text').textContent = `One cluster, but ${ranks} out: γ falls from ` +
      `${formatNumber(advice.from)} to ${formatNumber(advice.to)} after rank ${count}.`;
    byId('advice-apply').textContent = `Try K = ${count}`;
  }

  fillOutcome() {
    const {choice} = this;
    const share = 100 * choice.noise / this.data.total;
    showFacts('outcome', [
      ['clusters', formatNumber(choice.peaks.length)],
      ['noise', formatNumber(choice.noise) + (choice.noise ? ` (${share.toPrecision(2)} %)` : '')],
    ]);
  }

  fillTable(state) {
    const {choice, data} = this;
    const largest = d3.max(choice.sizes);
    const rows = choice.byNumber.slice(0, MAX_ROWS).map((k) => {
      const point = choice.peaks[k];
      const row = element('tr');
      row.dataset.point = point;
      row.tabIndex = 0;
      if (state.highlight >= 0) row.className = state.highlight === point ? 'chosen' : 'faded';
      const name = element('td');
      const swatch = element('span', undefined, 'swatch');
      const color = cssColor(clusterColor(k));
      swatch.style.background = color;
      name.append(swatch, String(choice.numbers[k]));
      const size = element('td', formatNumber(choice.sizes[k]));
      // The length of the bar shows the size of the cluster.
      const part = 100 * choice.sizes[k] / largest;
      const tint = `color-mix(in srgb, ${color} 24%, transparent)`;
      size.style.background = `linear-gradient(to left, ${tint} ${part}%, transparent ${part}%)`;
      row.append(name, element('td', data.nameOf(point), 'peak'), element('td', formatNumber(data.rho[point])),
        element('td', formatNumber(Number(data.delta[point].toPrecision(5)))), size);
      return row;
    });
    const active = document.activeElement;
    const focused = active && active.closest && active.closest('#clusters tr');
    const wasAt = focused ? focused.dataset.point : null;
    byId('clusters').replaceChildren(...rows);
    if (wasAt !== null) {
      const again = rows.find((row) => row.dataset.point === wasAt);
      if (again) again.focus({preventScroll: true});
    }
    byId('more').hidden = choice.peaks.length <= MAX_ROWS;
    byId('more').textContent = `and ${formatNumber(choice.peaks.length - MAX_ROWS)} more clusters`;
  }

  fillCommand() {
    const {meta} = this.data;
    showCommand([meta.command, ...meta.flags, '--dc=' + meta.cutoff], peakFlags(this.selection));
  }
}
