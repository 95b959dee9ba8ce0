// Runs before everything else of the page, and writes into #faults what is wrong with it, or how much was looked at.
const pageFaults = [];
addEventListener('error', event => pageFaults.push(`error: ${event.message || event.target.tagName}`), true);
document.addEventListener('securitypolicyviolation', event => pageFaults.push(`refused by the policy: ${event.blockedURI} (${event.violatedDirective})`));
window.alert = () => pageFaults.push('a script of the page ran');

addEventListener('load', () => setTimeout(() => {
  const known = ['HTML', 'HEAD', 'META', 'TITLE', 'STYLE', 'BODY', 'H1', 'H2', 'H3', 'P', 'UL', 'LI', 'DIV', 'B', 'SMALL', 'TABLE', 'TBODY', 'TR', 'TH', 'TD'];
  const elements = [...document.querySelectorAll('*')];
  const scripts = elements.filter(element => element.tagName === 'SCRIPT');
  if (scripts.length !== 1) {
    pageFaults.push(`${scripts.length - 1} scripts in the page`);
  }
  elements.filter(element => element.tagName !== 'SCRIPT').forEach(element => {
    if (!known.includes(element.tagName)) {
      pageFaults.push(`an element that dra4j does not write: ${element.tagName}`);
    }
    [...element.attributes].filter(attribute => attribute.name.startsWith('on') || ['href', 'src', 'style'].includes(attribute.name))
      .forEach(attribute => pageFaults.push(`an attribute that dra4j does not write: ${attribute.name}`));
  });
  if (!document.querySelector('meta[http-equiv="Content-Security-Policy"]')) {
    pageFaults.push('no content security policy');
  }
  const boxes = [...document.querySelectorAll('.server, .numa, .root, .device')];
  const texts = [...document.body.querySelectorAll('h1, h2, h3, p, li, b, small, th, td')];
  const slack = 1;
  texts.forEach(text => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const inner = range.getBoundingClientRect();
    const outer = (text.closest('.device, .root, .numa, .server') || document.documentElement).getBoundingClientRect();
    if (inner.right > outer.right + slack || inner.left < outer.left - slack || inner.bottom > outer.bottom + slack) {
      pageFaults.push(`runs out of its box: ${text.textContent.slice(0, 60)}`);
    }
  });
  boxes.forEach((box, i) => boxes.slice(i + 1).forEach(other => {
    if (box.contains(other) || other.contains(box)) {
      return;
    }
    const a = box.getBoundingClientRect();
    const b = other.getBoundingClientRect();
    if (a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom) {
      pageFaults.push('two boxes overlap');
    }
  }));
  const borders = [...document.querySelectorAll('.refused')].filter(box => getComputedStyle(box).borderTopStyle !== 'dashed');
  if (borders.length > 0) {
    pageFaults.push('the style of the page does not apply');
  }
  if (document.documentElement.scrollWidth > innerWidth) {
    pageFaults.push('the page is wider than the window');
  }
  const faults = document.createElement('pre');
  faults.id = 'faults';
  faults.textContent = pageFaults.length > 0 ? pageFaults.join('\n') : `looked at ${texts.length} texts and ${boxes.length} boxes`;
  document.body.append(faults);
}, 0));
