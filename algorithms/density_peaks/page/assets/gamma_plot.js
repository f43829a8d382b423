// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// The largest gammas in falling order, with a cut after the K-th. Dragging the
// cut chooses peaks by their number.

class GammaPlot extends PointPlot {
  constructor(data, change) {
    super('gamma-plot', 'rank', 'γ');
    this.data = data;
    this.change = change;
    this.logGamma = false;
    this.shown = 0;
    this.region = this.cuts.append('rect').attr('class', 'region');
    this.cut = this.cuts.append('line').attr('class', 'cut');
    this.handle = this.cuts.append('circle').attr({class: 'handle', r: 6});
    this.name = this.cuts.append('text').attr('class', 'cut-label');
  }

  // Sets how many ranks to show for a number of peaks; true if it changed.
  showFor(peaks) {
    const wanted = Math.min(this.data.n, Math.max(30, 10 * Math.ceil(0.18 * peaks)));
    if (wanted === this.shown || (peaks * 1.2 < this.shown && wanted * 2 > this.shown)) return false;
    this.shown = wanted;
    return true;
  }

  makeScales({left, top, right, bottom}) {
    const {gamma, ranking} = this.data;
    const largest = gamma[ranking[0]] || 1;
    this.x = d3.scale.linear().domain([0.2, this.shown + 0.8]).range([left, right]);
    let least = largest;
    for (let k = 0; k < this.shown; ++k) {
      const value = gamma[ranking[k]];
      if (value > 0) least = value;
    }
    this.y = this.logGamma
      ? d3.scale.log().domain([least / 1.5, largest * 1.5])
      : d3.scale.linear().domain([0, largest * 1.07]);
    this.y.range([bottom, top]);
  }

  yOf(gamma) {
    return this.y(Math.max(gamma, this.y.domain()[0]));
  }

  drawChoice(choice, state) {
    const {gamma, ranking} = this.data;
    const {left, top, bottom} = this.inner;
    const shown = this.shown;
    this.place(shown, (k) => this.x(k + 1), (k) => this.yOf(gamma[ranking[k]]));
    const target = this.beginPoints();
    this.painter.draw(target, null, shown, this.px, this.py, [themeColor('--point')], () => 0,
      (shown > 300 ? 1.8 : 3) * this.ratio, 0.9);
    this.painter.end(target);

    const byCount = state.selection.mode === 'count';
    this.xCut = Math.max(left, Math.min(this.x(shown) + 4, this.x(choice.peaks.length + 0.5)));
    this.region.attr({
      x: left, y: top, width: this.xCut - left, height: byCount ? bottom - top : 0,
    });
    this.cut.attr({x1: this.xCut, x2: this.xCut, y1: top, y2: bottom}).classed('idle', !byCount);
    this.handle.attr({cx: this.xCut, cy: (top + bottom) / 2});
    this.name.attr({x: this.xCut + 10, y: top + 16})
      .text((byCount ? 'K = ' : '') + formatNumber(choice.peaks.length) + (byCount ? '' : ' peaks'));

    const place = new Map();
    for (let k = 0; k < shown; ++k) place.set(ranking[k], k);
    const visible = choice.peaks.length <= 2000 ? choice : {...choice, peaks: choice.peaks.slice(0, 2000)};
    // Discs without a rim where ranks are close together.
    const apart = this.x(2) - this.x(1);
    this.drawPeaks(visible, state, apart > 7 ? 4.5 : 2.4, (i) => (
      place.has(i) ? [this.x(place.get(i) + 1), this.yOf(gamma[i])] : [-100, -100]));
  }

  cursor(x) {
    return Math.abs(x - this.xCut) < GRAB ? 'ew-resize' : '';
  }
  grab(x) {
    if (Math.abs(x - this.xCut) >= GRAB) return null;
    return (toX) => this.change({
      mode: 'count',
      count: Math.max(1, Math.min(this.shown, Math.round(this.x.invert(toX) - 0.5))),
    });
  }

  // The point shown at a place in the ranking.
  pointAt(place) {
    return this.data.ranking[place];
  }
}
