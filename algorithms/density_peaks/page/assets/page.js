// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Connects data, model and views. All changes go through change() and are drawn
// once per frame.

const page = (() => {
  const data = loadData();
  const model = new Model(data);

  const chosenByTool = () => {
    const selection = {...data.meta.selection};
    // If the tool counted peaks, the thresholds begin at the corner of its peaks.
    // Rank 0 is a peak anywhere.
    if (selection.mode === 'count') {
      const peaks = model.peaksOf(selection);
      const least = d3.min(peaks, (i) => data.shownDelta[i]);
      const step = pixelStep(d3.max(data.shownDelta), 1000);
      selection.deltaMin = Number((Math.floor(least / step) * step).toPrecision(12));
    }
    return selection;
  };

  const state = {selection: chosenByTool(), grayNoise: true, highlight: -1};
  let choice = null;
  let pending = 'layout';  // until the first call of the observer below
  // The task of the next frame; 'layout' includes 'choice'.
  const schedule = (what) => {
    if (pending === null) requestAnimationFrame(() => pending !== null && draw());
    pending = pending === 'layout' ? pending : what;
  };

  const change = (changed) => {
    // From thresholds to a number: keep the number of peaks.
    if (changed.mode === 'count' && state.selection.mode !== 'count' && choice) {
      state.selection.count = choice.peaks.length;
    }
    Object.assign(state.selection, changed);
    schedule('choice');
  };
  const highlight = (point) => {
    state.highlight = point === state.highlight ? -1 : point;
    schedule('choice');
  };
  const reset = () => {
    state.highlight = -1;
    change(chosenByTool());
  };

  const decision = new DecisionPlot(data, change);
  const gamma = new GammaPlot(data, change);
  const points = new PointsPlot(data);
  const controls = new Controls(data, {change, highlight, reset});
  const plots = [decision, gamma, points];
  let dragging = false;

  function draw() {
    const everything = pending === 'layout';
    pending = null;
    choice = model.choose(state.selection);
    if (!choice.peaks.includes(state.highlight)) state.highlight = -1;
    const rescaled = !dragging && gamma.showFor(choice.peaks.length);
    for (const plot of plots) {
      if (everything || (plot === gamma && rescaled)) {
        plot.ready = plot.layout();
        if (plot.ready && plot.drawBase) plot.drawBase();
      }
      if (plot.ready) plot.drawChoice(choice, state);
    }
    controls.show(choice, state, model.advice(choice));
  }

  const showPoint = (point, event) => {
    if (point < 0 || !choice) {
      hideTooltip();
      return;
    }
    const k = choice.owner[point];
    const swatch = element('span', undefined, 'swatch');
    swatch.style.background = cssColor(clusterColor(k));
    const title = element('strong');
    const noise = data.rho[point] < state.selection.rhoMin;
    title.append(swatch, `point ${data.nameOf(point)}: cluster ${choice.numbers[k]}`,
      choice.peaks[k] === point ? ', its peak' : noise ? ', noise' : '');
    showTooltip(event, title,
      `ρ ${formatNumber(data.rho[point])}   δ ${formatNumber(data.delta[point])}   γ ${formatNumber(data.gamma[point])}`);
  };

  for (const plot of plots) {
    const pointAt = (x, y) => {
      const place = plot.ready ? plot.nearest(x, y) : -1;
      return place >= 0 && plot === gamma ? gamma.pointAt(place) : place;
    };
    plot.listen({
      grab: plot.grab && ((x, y) => {
        const drag = plot.ready ? plot.grab(x, y) : null;
        dragging = drag !== null;
        return drag;
      }),
      release: () => { dragging = false; schedule('choice'); },
      cursor: plot.cursor && ((x, y) => (plot.ready ? plot.cursor(x, y) : '')),
      hover: (x, y, event) => showPoint(pointAt(x, y), event),
      leave: hideTooltip,
      click: (x, y) => {
        const point = pointAt(x, y);
        if (point >= 0) highlight(choice.peaks[choice.owner[point]]);
        else if (state.highlight >= 0) highlight(state.highlight);
      },
    });
  }
  const scaleToggle = (id, plot, field) => byId(id).addEventListener('change', (event) => {
    plot[field] = event.target.checked;
    schedule('layout');
  });
  scaleToggle('log-rho', decision, 'logRho');
  scaleToggle('log-delta', decision, 'logDelta');
  scaleToggle('log-gamma', gamma, 'logGamma');
  byId('gray-noise').addEventListener('change', (event) => {
    state.grayNoise = event.target.checked;
    schedule('choice');
  });
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && state.highlight >= 0) highlight(state.highlight);
  });
  // Runs between layout and paint, so nothing is ever shown at a wrong size.
  const resized = new ResizeObserver(() => {
    pending = 'layout';
    draw();
  });
  for (const plot of plots) resized.observe(plot.element);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => schedule('layout'));

  return {data, model, state, plots: {decision, gamma, points}, choice: () => choice};
})();
