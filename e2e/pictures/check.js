// Writes into #faults what is wrong with the pictures on this page, or how much was looked at. The variable scheme is "light" or "dark".
const slack = 1; // fonts are drawn a little outside of their boxes

function box(element) {
  const {left, top, right, bottom} = element.getBoundingClientRect();
  return {left, top, right, bottom, element, name: element.textContent.trim() || element.tagName};
}

const contains = (outer, inner) =>
  outer.left - slack <= inner.left && outer.top - slack <= inner.top
  && outer.right + slack >= inner.right && outer.bottom + slack >= inner.bottom;

const overlaps = (a, b) =>
  a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom;

const area = b => (b.right - b.left) * (b.bottom - b.top);

// Relative luminance and contrast as WCAG 2 defines them.
function luminance(element) {
  const parts = getComputedStyle(element).fill.match(/\d+/g).slice(0, 3).map(part => part / 255)
    .map(share => share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function look(svg, faults) {
  const picture = box(svg);
  const texts = [...svg.querySelectorAll('text')].map(box);
  const rects = [...svg.querySelectorAll('rect')].map(box);
  texts.forEach((text, i) => {
    if (!contains(picture, text)) {
      faults.push(`cut off: ${text.name}`);
    }
    const start = {left: text.left + slack, top: text.top + slack, right: text.left + slack, bottom: text.top + slack};
    const around = rects.filter(rect => contains(rect, start)).sort((a, b) => area(a) - area(b))[0];
    if (around && !contains(around, text)) {
      faults.push(`runs out of its box: ${text.name}`);
    }
    if (!around || contrast(text.element, around.element) < 4.5) {
      faults.push(`hard to read: ${text.name}`);
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
  svg.querySelectorAll('.link-line').forEach(line => {
    // Chips with labels cover the ends of lines; what is between them has to be free.
    const length = line.getTotalLength();
    const {left, top} = picture;
    for (let at = 0; at <= length; at += 4) {
      const {x, y} = line.getPointAtLength(at);
      const point = {left: left + x, top: top + y, right: left + x, bottom: top + y};
      const under = rects.some(rect => rect.bottom - rect.top < 30 && contains(rect, point));
      if (!under && texts.some(text => contains(text, point))) {
        faults.push('a line runs through text');
        break;
      }
    }
  });
  if (texts.length === 0 || rects.length === 0) {
    faults.push('there is nothing in the picture');
  } else if ((luminance(rects[0].element) > 0.5) !== (scheme === 'light')) {
    faults.push(`the page is not ${scheme}`);
  }
  return `${texts.length} texts and ${rects.length} boxes`;
}

document.getElementById('faults').textContent = [...document.querySelectorAll('.picture')].map(host => {
  const svg = host.shadowRoot && host.shadowRoot.querySelector('svg');
  const faults = [];
  const seen = svg ? look(svg, faults) : faults.push('there is no picture');
  return faults.length > 0
    ? `FAULTY ${host.title}:\n${[...new Set(faults)].join('\n')}` : `${host.title}: looked at ${seen}, ${scheme}`;
}).join('\n');
