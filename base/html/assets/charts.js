// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Charts of few values: histograms, steps over time, discs. Each says in words
// what it shows (`summary`), for screen readers.

class Chart extends Plot {
  constructor(id, xLabel, yLabel, summary) {
    super(id, xLabel, yLabel);
    this.svg.attr({role: 'img', 'aria-label': summary});
    this.grid = this.svg.insert('g', '.frame').attr('class', 'grid');
    this.marks = this.svg.insert('g', '.frame');
    charts.push(this);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  draw() {
    if (!this.layout()) return;
    const {left, right, top, bottom} = this.inner;
    const lines = this.grid.selectAll('line').data(this.y.ticks(this.yTicks).filter((tick) => (
      !this.y.base || Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9)));
    lines.enter().append('line');
    lines.exit().remove();
    lines.attr({x1: left, x2: right, y1: (d) => this.y(d), y2: (d) => this.y(d)});
    this.frame.attr({x: left, y: top, width: right - left, height: bottom - top});
    this.drawMarks();
  }

  // A vertical line at this.mark, {value, name} or null.
  drawMark() {
    if (!this.mark) return;
    if (!this.markLine) {
      this.markLine = this.cuts.append('line').attr('class', 'mark');
      this.markName = this.cuts.append('text').attr('class', 'cut-label');
    }
    const {left, right, top, bottom} = this.inner;
    const at = this.x(this.mark.value);
    this.markLine.attr({x1: at, x2: at, y1: top, y2: bottom});
    const late = at > (left + right) / 2;
    this.markName.attr({x: late ? at - 6 : at + 6, y: top + 15, 'text-anchor': late ? 'end' : 'start'})
      .text(this.mark.name);
  }
}

// Shows `lines(d)` beside the pointer over the elements of a selection.
function explain(selection, lines) {
  selection.on('pointermove', (d) => {
    const [title, ...rest] = lines(d);
    const head = element('strong');
    head.append(fileText(title));
    showTooltip(d3.event, head, fileText(rest.join('\n')));
  }).on('pointerleave', hideTooltip);
}

// Drawn again when the colors change.
const charts = [];
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const chart of charts) chart.draw();
});

// Counts of values in [edges[k], edges[k + 1]), with an optional mark {value, name}.
class Histogram extends Chart {
  constructor(id, {xLabel, yLabel, edges, counts, mark, summary, describe}) {
    super(id, xLabel, yLabel, summary);
    Object.assign(this, {edges, counts, mark});
    this.describe = describe || ((k) => [`${formatNumber(edges[k])} to ${formatNumber(edges[k + 1])}`,
      `${formatNumber(counts[k])} ${yLabel}`]);
    this.logCounts = false;
  }

  makeScales({left, top, right, bottom}) {
    const largest = d3.max(this.counts) || 1;
    this.x = this.xScale().domain([this.edges[0], this.edges[this.edges.length - 1]]).range([left, right]);
    this.y = this.logCounts ? d3.scale.log().domain([0.7, largest * 1.4]) : d3.scale.linear().domain([0, largest * 1.07]);
    this.y.range([bottom, top]);
  }

  xScale() {
    return d3.scale.linear();
  }

  drawMarks() {
    const {bottom} = this.inner;
    const bars = this.marks.selectAll('rect').data(this.counts.map((count, k) => k));
    bars.enter().append('rect').attr('class', 'bar');
    const from = (k) => this.x(this.edges[k]);
    const height = (k) => (this.counts[k] > 0 ? Math.max(1, bottom - this.y(this.counts[k])) : 0);
    bars.attr({
      x: from, width: (k) => Math.max(1, this.x(this.edges[k + 1]) - from(k) - 1),
      y: (k) => bottom - height(k), height,
    });
    explain(bars, (k) => this.describe(k));
    this.drawMark();
  }
}

// Lines {name, color, points: [x, y, index]}, from 0 to `most` (1 for shares) on
// the y axis, with an optional mark {value, name} on the x axis and an optional
// band {from, to} over some of the points.
class LineChart extends Chart {
  constructor(id, {xLabel, yLabel, lines, mark, band, logX = false, most = 1, summary, describe}) {
    super(id, xLabel, yLabel, summary);
    Object.assign(this, {lines, mark, band, logX, most, describe});
    if (band) this.bandArea = this.grid.append('rect').attr('class', 'band');
  }

  makeScales({left, top, right, bottom}) {
    const xs = this.lines.flatMap((line) => line.points.map((point) => point[0]));
    const [low, high] = d3.extent(this.mark ? [...xs, this.mark.value] : xs);
    const room = (high - low) * 0.04 || 0.1;
    const factor = Math.pow(high / low, 0.04);
    this.x = this.logX
      ? d3.scale.log().domain([low / factor, high * factor])
      : d3.scale.linear().domain([low - room, high + room]);
    this.x.range([left, right]);
    this.y = d3.scale.linear().domain([0, 1.05 * this.most]).range([bottom, top]);
  }

  drawMarks() {
    if (this.band) {
      const {top, bottom} = this.inner;
      const [from, to] = [this.x(this.band.from) - 5, this.x(this.band.to) + 5];
      this.bandArea.attr({x: from, width: to - from, y: top, height: bottom - top});
    }
    const paths = this.marks.selectAll('path').data(this.lines);
    paths.enter().append('path').attr('class', 'steps');
    paths.style('stroke', (line) => line.color)
      .attr('d', (line) => line.points.map(([x, y], k) => `${k === 0 ? 'M' : 'L'}${this.x(x)} ${this.y(y)}`).join(''));
    const dots = this.marks.selectAll('circle')
      .data(this.lines.flatMap((line) => line.points.map(([x, y, index]) => ({x, y, index, color: line.color}))));
    dots.enter().append('circle').attr({class: 'dot', r: 3.2});
    dots.attr({cx: (d) => this.x(d.x), cy: (d) => this.y(d.y)}).style('fill', (d) => d.color);
    explain(dots, (d) => this.describe(d.index));
    // A name stands at the last point, or before it where there is no room. One
    // line is named by the axis.
    const several = this.lines.length > 1;
    const named = this.lines.filter((line) => several && line.points.length > 0).map((line) => {
      const [x, y] = line.points[line.points.length - 1];
      return {x: this.x(x), y: this.y(y), text: line.name, width: 6.4 * line.name.length + 3};
    });
    showNames(this.names, placeNames(named, 4, this.inner));
    this.drawMark();
  }
}

// A value that changes in steps: `steps` are [x, y], ascending by x; the last
// one lasts until `end`.
class StepChart extends Chart {
  // `lower`: the steps of a second, dashed line.
  constructor(id, {xLabel, yLabel, steps, lower = [], end, summary, describe}) {
    super(id, xLabel, yLabel, summary);
    Object.assign(this, {steps, lower, end, describe});
    this.logX = false;
    this.lowerPath = this.marks.append('path').attr('class', 'steps lower');
    this.path = this.marks.append('path').attr('class', 'steps');
  }

  makeScales({left, top, right, bottom}) {
    const [low, high] = d3.extent(this.steps.concat(this.lower), (step) => step[1]);
    const room = (high - low) * 0.06 || Math.abs(high) * 0.06 || 1;
    const first = this.steps.reduce((least, [x]) => (x > 0 ? Math.min(least, x) : least), this.end || 1);
    this.x = this.logX
      ? d3.scale.log().domain([first / 1.2, Math.max(this.end, first) * 1.2])
      : d3.scale.linear().domain([0, this.end * 1.02 || 1]);
    this.x.range([left, right]);
    this.y = d3.scale.linear().domain([low - room, high + room]).range([bottom, top]);
  }

  drawMarks() {
    const x = (value) => this.x(Math.max(value, this.x.domain()[0]));
    const line = (steps) => {
      let path = '';
      steps.forEach(([at, value], k) => {
        path += k === 0 ? `M${x(at)} ${this.y(value)}` : `H${x(at)}V${this.y(value)}`;
      });
      return path && path + `H${x(this.end)}`;
    };
    this.path.attr('d', line(this.steps));
    this.lowerPath.attr('d', line(this.lower));
    const dots = this.marks.selectAll('circle').data(this.steps);
    dots.enter().append('circle').attr({class: 'dot', r: this.steps.length > 100 ? 2 : 3.2});
    dots.attr({cx: (d) => x(d[0]), cy: (d) => this.y(d[1])});
    explain(dots, this.describe);
  }
}

// Discs {index, x, y, color, name} on logarithmic axes, where 0 lies on the edge.
class DiscChart extends Chart {
  constructor(id, {xLabel, yLabel, discs, summary, describe, choose}) {
    super(id, xLabel, yLabel, summary);
    Object.assign(this, {discs, describe, choose});
    this.chosen = -1;
  }

  makeScales({left, top, right, bottom}) {
    const scale = (of, from, to) => {
      const largest = d3.max(this.discs, of) || 1;
      const least = d3.min(this.discs, (d) => (of(d) > 0 ? of(d) : Infinity)) || 1;
      return d3.scale.log().domain([Math.min(least, largest) / 1.6, largest * 1.6]).range([from, to]);
    };
    this.x = scale((d) => d.x, left, right);
    this.y = scale((d) => d.y, bottom, top);
  }

  setChosen(index) {
    this.chosen = index;
    this.draw();
  }

  drawMarks() {
    const place = (scale, value) => scale(Math.max(value, scale.domain()[0]));
    const marks = this.marks.selectAll('circle').data(this.discs);
    marks.enter().append('circle').attr('class', 'disc');
    marks.attr({
      r: 5, cx: (d) => place(this.x, d.x), cy: (d) => place(this.y, d.y), fill: (d) => d.color,
      opacity: (d) => (this.chosen < 0 || this.chosen === d.index ? 1 : 0.3),
    }).classed('chosen', (d) => d.index === this.chosen).on('click', (d) => this.choose(d.index));
    explain(marks, this.describe);
    // The first ones choose the places of their names first.
    const named = this.discs.slice(0, 16).map((d) => ({
      x: place(this.x, d.x), y: place(this.y, d.y), text: shortened(d.name), width: 6.4 * shortened(d.name).length + 3,
    }));
    showNames(this.names, placeNames(named, 5, this.inner));
  }
}
