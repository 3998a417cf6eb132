import type { Page } from '@playwright/test';

/**
 * What a person cannot read: elements that hide part of their text, or that stand outside the page's width. Boxes that
 * scroll, words meant to be shortened (`.trunc`) and words for screen readers (`.sr`, or clipped away) are not counted.
 */
export async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element: Element | null): boolean => {
      if (!element || element === document.documentElement) return false;
      const { overflowX } = getComputedStyle(element);
      return overflowX === 'auto' || overflowX === 'scroll' || scrolls(element.parentElement);
    };
    const found: string[] = [];
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('.sr, .trunc, svg, .chart-drawing, .cropper, input, select')) continue;
      const box = element.getBoundingClientRect();
      if (box.width <= 1 || !element.textContent?.trim()) continue;
      const name = `${element.tagName.toLowerCase()}.${element.className} "${element.textContent.trim().slice(0, 40)}"`;
      if (getComputedStyle(element).clipPath !== 'none') continue;
      const hides = getComputedStyle(element).overflowX === 'hidden' || getComputedStyle(element).overflowX === 'clip';
      if (hides && element.scrollWidth > element.clientWidth + 1) found.push(`hides text: ${name}`);
      if ((box.right > width + 1 || box.left < -1) && !scrolls(element)) found.push(`outside: ${name}`);
    }
    return found;
  });
}
