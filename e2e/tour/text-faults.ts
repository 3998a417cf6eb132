import type { Page } from '@playwright/test';

/** Every text on the page that is cut off, runs out of the screen, or lies on another text; one line each. */
export const textFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults);

/** Runs in the page, so it can use nothing from around it. */
function findFaults(): string[] {
  type Piece = { words: string; element: Element; rect: DOMRect; layer: Element | null };
  /** px; rounding, and the parts of letters that reach out of their line. */
  const SLACK = 2;
  const faults = new Set<string>();
  const short = (words: string) => words.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
  const where = (element: Element) =>
    `${element.tagName.toLowerCase()}${element.className && typeof element.className === 'string' ? `.${element.className.trim().replaceAll(/\s+/g, '.')}` : ''}`;

  const isSeen = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isOnlyRead(element);
  /** For screen readers: one pixel, on purpose. */
  const isOnlyRead = (element: Element) => element.closest('.sr, .skip:not(:focus)') !== null;

  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.textContent?.trim() || !isSeen(element)) continue;
    if (element.closest('script, style, noscript, option, datalist, pre')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const layer = layerOf(element);
    for (const rect of range.getClientRects())
      if (rect.width > 1 && rect.height > 1) pieces.push({ words: node.textContent, element, rect, layer });
  }

  /** What is left of a text's place inside everything around it that cuts off. */
  function shownPart({ element, rect }: Piece): DOMRect {
    let { left, right, top, bottom } = rect;
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const box = at.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  }

  /** What floats over the page may cover it. */
  function layerOf(element: Element): Element | null {
    for (let at: Element | null = element; at; at = at.parentElement)
      if (['fixed', 'sticky', 'absolute'].includes(getComputedStyle(at).position)) return at;
    return null;
  }

  /** A control whose own name says the shortened words in full. */
  function isSaidInFull(element: Element, words: string): boolean {
    const control = element.closest('button, a, [aria-label], [title]');
    const names = [control?.getAttribute('aria-label'), control?.getAttribute('title')];
    for (const spoken of control?.querySelectorAll('.sr') ?? []) names.push(spoken.textContent);
    return names.some(name => name?.includes(words.trim()));
  }

  for (const { words, element, rect } of pieces) {
    let scrolls = false;
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      if (['auto', 'scroll'].includes(overflowX) || ['auto', 'scroll'].includes(overflowY)) {
        scrolls = true;
        break;
      }
      if (textOverflow === 'ellipsis' && isSaidInFull(at, words)) continue;
      if (overflowX !== 'visible' && (rect.right > box.right + SLACK || rect.left < box.left - SLACK))
        faults.add(`cut off${textOverflow === 'ellipsis' ? ' (…)' : ''}: "${short(words)}" in ${where(at)}`);
      if (overflowY !== 'visible' && (rect.bottom > box.bottom + SLACK || rect.top < box.top - SLACK))
        faults.add(`cut off below: "${short(words)}" in ${where(at)}`);
    }
    const width = document.documentElement.clientWidth;
    if (!scrolls && (rect.right > width + SLACK || rect.left < -SLACK))
      faults.add(`runs out of the screen: "${short(words)}" in ${where(element)}`);
  }

  /** Whether the text is what shows at its middle, so that something over it does not count as overlapping. */
  const isOnTop = ({ element }: Piece, x: number, y: number) => {
    const top = document.elementFromPoint(x, y);
    return top !== null && (top.contains(element) || element.contains(top));
  };
  const shown = pieces.map(piece => ({ ...piece, rect: shownPart(piece) }));
  for (const [index, one] of shown.entries()) {
    for (const other of shown.slice(index + 1)) {
      if (one.layer !== other.layer || one.element === other.element) continue;
      const left = Math.max(one.rect.left, other.rect.left);
      const right = Math.min(one.rect.right, other.rect.right);
      const top = Math.max(one.rect.top, other.rect.top);
      const bottom = Math.min(one.rect.bottom, other.rect.bottom);
      // Lines of one paragraph stand closer than their letters are high.
      if (right - left <= 2 * SLACK || bottom - top <= 4 * SLACK) continue;
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const isInSight = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      if (isInSight && !isOnTop(one, x, y) && !isOnTop(other, x, y)) continue;
      faults.add(`overlap: "${short(one.words)}" and "${short(other.words)}" in ${where(one.element)}`);
    }
  }
  return [...faults];
}
