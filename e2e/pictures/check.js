// Writes into #faults what is wrong with the picture on this page, or how much was looked at.
const slack = 1; // fonts are drawn a little outside of their boxes

function box(element) {
  const {left, top, right, bottom} = element.getBoundingClientRect();
  return {left, top, right, bottom, name: element.textContent.trim() || element.tagName};
}

const contains = (outer, inner) =>
  outer.left - slack <= inner.left && outer.top - slack <= inner.top
  && outer.right + slack >= inner.right && outer.bottom + slack >= inner.bottom;

const overlaps = (a, b) =>
  a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom;

const area = b => (b.right - b.left) * (b.bottom - b.top);

const picture = box(document.querySelector('svg'));
const texts = [...document.querySelectorAll('svg text')].map(box);
const rects = [...document.querySelectorAll('svg rect')].map(box);
const faults = [];

texts.forEach((text, i) => {
  if (!contains(picture, text)) {
    faults.push(`cut off: ${text.name}`);
  }
  const start = {left: text.left + slack, top: text.top + slack, right: text.left + slack, bottom: text.top + slack};
  const around = rects.filter(rect => contains(rect, start)).sort((a, b) => area(a) - area(b))[0];
  if (around && !contains(around, text)) {
    faults.push(`runs out of its box: ${text.name}`);
  }
  texts.slice(i + 1).filter(other => overlaps(text, other)).forEach(other => {
    faults.push(`over each other: ${text.name} and ${other.name}`);
  });
});
rects.forEach((rect, i) => {
  rects.slice(i + 1).forEach(other => {
    if (overlaps(rect, other) && !contains(rect, other) && !contains(other, rect)) {
      faults.push('two boxes overlap without one holding the other');
    }
  });
});
if (texts.length === 0 || rects.length === 0) {
  faults.push('there is nothing in the picture');
}
document.getElementById('faults').textContent =
  faults.length > 0 ? faults.join('\n') : `looked at ${texts.length} texts and ${rects.length} boxes`;
