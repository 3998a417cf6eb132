import type { Page } from '@playwright/test';

type TextPart = { words: string; element: Element; rect: DOMRect; layer: Element | null };

/** px; rounding, and the parts of letters that reach out of their line. */
const SLACK = 2;

/**
 * Every text on the page that is cut off, runs out of the screen, lies on another text, or is a word broken in two on something
 * to press; one line each.
 */
export function textFaults(page: Page): Promise<string[]> {
  // The functions run in the page: what they use of this file goes with them as text.
  const parts = [
    short,
    where,
    isSeen,
    layerOf,
    allParts,
    isShownInFull,
    cutOff,
    runsOut,
    shownPart,
    isOnTop,
    overlaps,
    broken,
  ];
  return page.evaluate(`(() => {
    const SLACK = ${SLACK};
    ${parts.map(String).join('\n')}
    const texts = allParts();
    return [...new Set([...texts.flatMap(cutOff), ...texts.flatMap(runsOut), ...overlaps(texts), ...broken()])];
  })()`);
}

function short(words: string): string {
  return words.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
}

function where(element: Element): string {
  const names = typeof element.className === 'string' ? element.className.trim().split(/\s+/) : [];
  return [element.tagName.toLowerCase(), ...names.filter(name => name !== '')].join('.');
}

function isSeen(element: Element): boolean {
  if (element.closest('script, style, noscript, option, datalist, pre')) return false;
  // For screen readers: one pixel, on purpose.
  if (element.closest('.sr, .skip:not(:focus)')) return false;
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

/** What floats over the page may cover it. */
function layerOf(element: Element): Element | null {
  for (let at: Element | null = element; at; at = at.parentElement)
    if (['fixed', 'sticky', 'absolute'].includes(getComputedStyle(at).position)) return at;
  return null;
}

function allParts(): TextPart[] {
  const parts: TextPart[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const words = node.textContent ?? '';
    if (!element || words.trim() === '' || !isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const layer = layerOf(element);
    for (const rect of range.getClientRects())
      if (rect.width > 1 && rect.height > 1) parts.push({ words, element, rect, layer });
  }
  return parts;
}

/** A control whose own name says the shortened words in full. */
function isShownInFull(element: Element, words: string): boolean {
  const control = element.closest('button, a, [aria-label], [title]');
  const names = [control?.getAttribute('aria-label'), control?.getAttribute('title')];
  for (const spoken of control?.querySelectorAll('.sr') ?? []) names.push(spoken.textContent);
  return names.some(name => name?.includes(words.trim()));
}

function cutOff({ words, element, rect }: TextPart): string[] {
  const faults: string[] = [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(at);
    if (/auto|scroll/.test(overflowX + overflowY)) break;
    // What opens something says what is chosen now: it is read, not only heard.
    const isTrigger = at.closest('button[aria-haspopup], [role=combobox]') !== null;
    if (textOverflow === 'ellipsis' && !isTrigger && isShownInFull(at, words)) continue;
    const box = at.getBoundingClientRect();
    if (overflowX !== 'visible' && (rect.right > box.right + SLACK || rect.left < box.left - SLACK))
      faults.push(`cut off at the side: "${short(words)}" in ${where(at)}`);
    if (overflowY !== 'visible' && (rect.bottom > box.bottom + SLACK || rect.top < box.top - SLACK))
      faults.push(`cut off above or below: "${short(words)}" in ${where(at)}`);
  }
  return faults;
}

function runsOut({ words, element, rect }: TextPart): string[] {
  if (rect.right <= document.documentElement.clientWidth + SLACK && rect.left >= -SLACK) return [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement)
    if (getComputedStyle(at).overflowX !== 'visible') return [];
  return [`runs out of the screen: "${short(words)}" in ${where(element)}`];
}

/** What is left of a text's place inside everything around it that cuts off. */
function shownPart({ element, rect }: TextPart): DOMRect {
  let { left, right, top, bottom } = rect;
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    if (getComputedStyle(at).overflow === 'visible') continue;
    const box = at.getBoundingClientRect();
    [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
  }
  return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
}

/** Whether the text shows at this point, so that something over it does not count as overlapping. */
function isOnTop({ element }: TextPart, x: number, y: number): boolean {
  const top = document.elementFromPoint(x, y);
  return top !== null && (top.contains(element) || element.contains(top));
}

function overlaps(parts: readonly TextPart[]): string[] {
  const faults: string[] = [];
  const shown = parts.map(part => ({ ...part, rect: shownPart(part) }));
  for (const [index, one] of shown.entries()) {
    for (const other of shown.slice(index + 1)) {
      if (one.layer !== other.layer || one.element === other.element) continue;
      const [left, right] = [Math.max(one.rect.left, other.rect.left), Math.min(one.rect.right, other.rect.right)];
      const [top, bottom] = [Math.max(one.rect.top, other.rect.top), Math.min(one.rect.bottom, other.rect.bottom)];
      // Lines of one paragraph stand closer than their letters are high.
      if (right - left <= 2 * SLACK || bottom - top <= 4 * SLACK) continue;
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const isInSight = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      if (isInSight && !isOnTop(one, x, y) && !isOnTop(other, x, y)) continue;
      faults.push(`overlap: "${short(one.words)}" and "${short(other.words)}" in ${where(one.element)}`);
    }
  }
  return faults;
}

/** Words of tabs, tiles, buttons and links that look like such that stand on two lines, where nothing says how to divide them. */
function broken(): string[] {
  const faults: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const place = element?.closest('.seg label, [role=tab], .tile, .pick-tile, button, .btn, nav a, summary');
    if (!element || !place || !isSeen(element)) continue;
    for (const word of (node.textContent ?? '').matchAll(/[\p{L}\p{M}\p{N}]{2,}/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top));
      if (Math.max(...tops) - Math.min(...tops) > 4) faults.push(`broken: "${word[0]}" in ${where(place)}`);
    }
  }
  return faults;
}
