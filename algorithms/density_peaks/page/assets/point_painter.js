// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Draws many discs at once, by blending small masks into the pixels of a canvas,
// placed to a quarter of a pixel. A million points take a frame or two; the
// calls of the canvas take seconds.

const STEPS = 4;

class PointPainter {
  constructor() {
    this.masks = new Map();
  }

  // For each of STEPS x STEPS offsets within a pixel: [dx, dy, cover 0...256]*.
  masksOf(radius) {
    const key = radius.toFixed(2);
    if (this.masks.has(key)) return this.masks.get(key);
    const masks = [];
    const reach = Math.ceil(radius + 1);
    for (let sy = 0; sy < STEPS; ++sy) {
      for (let sx = 0; sx < STEPS; ++sx) {
        const mask = [];
        for (let dy = -reach; dy <= reach; ++dy) {
          for (let dx = -reach; dx <= reach; ++dx) {
            const distance = Math.hypot(dx + 0.5 - (sx + 0.5) / STEPS, dy + 0.5 - (sy + 0.5) / STEPS);
            const cover = Math.min(1, Math.max(0, radius + 0.5 - distance));
            if (cover > 0.02) mask.push(dx, dy, Math.round(256 * cover));
          }
        }
        masks.push(Int32Array.from(mask));
      }
    }
    this.masks.set(key, masks);
    return masks;
  }

  // Clears the canvas to `ground`, with lines of color `grid` at the device
  // pixels `columns` and `rows` inside `box`, and returns the target of draw() and end().
  begin(canvas, ground, {grid, columns, rows, box}) {
    const context = canvas.getContext('2d', {alpha: false});
    const image = context.createImageData(canvas.width, canvas.height);
    const pixels = new Uint32Array(image.data.buffer);
    const packed = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    const [left, top, right, bottom] = box.map(Math.round);
    pixels.fill(packed(ground));
    for (const row of rows) {
      const start = Math.round(row) * canvas.width;
      pixels.fill(packed(grid), start + left, start + right);
    }
    for (const column of columns) {
      for (let y = top; y < bottom; ++y) pixels[y * canvas.width + Math.round(column)] = packed(grid);
    }
    return {context, image, pixels, width: canvas.width, height: canvas.height};
  }

  // Draws point `i` of `points` (or all `count` of them if null) at device
  // pixels (xs[i], ys[i]) in colors[colorOf(i)], each color [r, g, b]. Points
  // with colorOf -1 are skipped.
  draw(target, points, count, xs, ys, colors, colorOf, radius, opacity) {
    const {pixels, width, height} = target;
    const masks = this.masksOf(radius);
    const flat = new Int32Array(colors.length * 3);
    colors.forEach((color, k) => flat.set(color, 3 * k));
    const weight = Math.round(256 * opacity);
    for (let p = 0; p < count; ++p) {
      const i = points ? points[p] : p;
      const color = 3 * colorOf(i);
      if (color < 0) continue;
      const red = flat[color];
      const green = flat[color + 1];
      const blue = flat[color + 2];
      const x = Math.floor(xs[i]);
      const y = Math.floor(ys[i]);
      const mask = masks[Math.floor((ys[i] - y) * STEPS) * STEPS + Math.floor((xs[i] - x) * STEPS)];
      for (let k = 0; k < mask.length; k += 3) {
        const px = x + mask[k];
        const py = y + mask[k + 1];
        if (px < 0 || py < 0 || px >= width || py >= height) continue;
        const at = py * width + px;
        const alpha = (mask[k + 2] * weight) >> 8;
        const below = pixels[at];
        const keep = 256 - alpha;
        const r = ((below & 255) * keep + red * alpha) >> 8;
        const g = (((below >> 8) & 255) * keep + green * alpha) >> 8;
        const b = (((below >> 16) & 255) * keep + blue * alpha) >> 8;
        pixels[at] = (255 << 24) | (b << 16) | (g << 8) | r;
      }
    }
  }

  end(target) {
    target.context.putImageData(target.image, 0, 0);
  }
}

// A radius in CSS pixels, and an opacity, at which n points can be told apart.
function pointRadius(n) {
  return Math.min(3.6, Math.max(0.75, 3.4 * (1000 / n) ** 0.23));
}
function pointOpacity(n) {
  return Math.min(0.9, Math.max(0.5, 0.9 - 0.1 * Math.log10(n / 1000)));
}
