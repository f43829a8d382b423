// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// What html_page.h wrote into the page: JSON and arrays, each in an element
// data-NAME. Null without that element.

function takeText(name) {
  const element = document.getElementById('data-' + name);
  if (!element) return null;
  const text = element.textContent;
  element.remove();
  return text;
}

function takeJson(name) {
  const text = takeText(name);
  return text === null ? null : JSON.parse(text);
}

function takeArray(name, Kind) {
  const encoded = takeText(name);
  if (encoded === null) return null;
  const text = atob(encoded);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Kind(bytes.buffer);
}
