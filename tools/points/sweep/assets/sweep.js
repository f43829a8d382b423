// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// The page of density_peaks --sweep: what each cutoff distance, or number of neighbors, gives.

const page = (() => {
  const meta = takeJson('meta');
  const {sweep: steps} = takeJson('sweep');
  const byNeighbors = 'neighbors' in steps[0];
  const valueOf = (step) => (byNeighbors ? step.neighbors : step.fraction);
  const stable = steps.map((step, k) => k).filter((k) => steps[k].stable);
  const band = stable.length === 0 ? null
    : {from: valueOf(steps[stable[0]]), to: valueOf(steps[stable[stable.length - 1]])};
  const valueText = (value) => (value === null ? '–' : formatNumber(Number(value.toPrecision(4))));

  const describe = (k) => {
    const step = steps[k];
    const value = byNeighbors ? [`k ${step.neighbors}`] : [`fraction ${step.fraction}`, `d_c ${step.cutoff_distance}`];
    return [...value, counted(step.clusters, ['cluster', 'clusters']),
      `largest ${formatNumber(step.largest)}`, `noise ${formatNumber(step.noise)}`,
      `weakest ${valueText(step.weakest_sigma)} σ of ${counted(step.candidates, ['candidate', 'candidates'])}, ` +
        `chance ${valueText(step.least_sigma)}`, `agreement ${valueText(step.agreement)}`];
  };
  const lineOf = (name, color, of) => ({
    name, color: cssColor(clusterColor(color)),
    points: steps.map((step, k) => [valueOf(step), of(step), k]).filter((point) => point[1] !== null),
  });
  const chart = (id, yLabel, lines, most) => new LineChart(id, {
    xLabel: byNeighbors ? 'neighbors' : 'fraction of all distances below d_c', yLabel, lines, band, logX: true, most, describe,
    summary: `${lines.map((line) => line.name).join(', ')} for ${steps.length} values. The table has the values.`,
  });
  const largestOf = (lines) => d3.max(lines.flatMap((line) => line.points.map((point) => point[1]))) || 1;
  const clusterLines = [lineOf('clusters', 0, (step) => step.clusters)];
  const sigmaLines = [lineOf('weakest', 0, (step) => step.weakest_sigma), lineOf('chance', 1, (step) => step.least_sigma)];
  const plots = {
    clusters: chart('clusters-plot', 'clusters', clusterLines, largestOf(clusterLines)),
    shares: chart('shares-plot', 'share', [
      lineOf('agreement', 0, (step) => step.agreement),
      lineOf('largest cluster', 1, (step) => step.largest / meta.total),
      lineOf('noise', 2, (step) => step.noise / meta.total),
    ], 1),
    sigma: chart('sigma-plot', 'sigma', sigmaLines, largestOf(sigmaLines)),
  };

  const rows = steps.map((step, k) => {
    const row = element('tr', undefined, step.stable ? 'stable' : '');
    const cells = [...(byNeighbors ? [String(step.neighbors)] : [String(step.fraction), valueText(step.cutoff_distance)]),
      formatNumber(step.clusters),
      formatNumber(step.largest), formatNumber(step.noise), valueText(step.weakest_sigma),
      valueText(step.least_sigma), valueText(step.agreement)];
    row.append(...cells.map((text) => element('td', text)));
    row.tabIndex = 0;
    row.addEventListener('click', () => choose(k));
    row.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') choose(k);
    });
    return row;
  });
  byId('steps').replaceChildren(...rows);
  if (byNeighbors) {
    byId('value-head').textContent = 'k';
    byId('cutoff-head').remove();
  }

  const state = {chosen: -1};
  function choose(k) {
    state.chosen = k;
    rows.forEach((row, at) => row.classList.toggle('chosen', at === k));
    showCommand(meta.command, [`--${byNeighbors ? 'neighbors' : 'dc_fraction'}=${valueOf(steps[k])}`]);
  }

  showFacts('facts', [['points', formatNumber(meta.total)], ['dimensions', formatNumber(meta.dimensions)],
    ['metric', meta.metric], ['values', String(steps.length)]]);
  showFacts('outcome', [['stable', band ? `${band.from} to ${band.to}` : 'no range']]);
  choose(stable.length > 0 ? stable[Math.floor(stable.length / 2)] : 0);
  return {meta, steps, valueOf, stable, band, plots, rows, state, choose, describe};
})();
