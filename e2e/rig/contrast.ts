import type { Page } from '@playwright/test';

export type Pair = { front: string; back: string; least: number };
export type MeasuredPair = Pair & { ratio: number };

/** WCAG 2 contrast of pairs of colour tokens as the browser paints them, in the look of the page. */
export async function contrasts(page: Page, pairs: readonly Pair[]): Promise<MeasuredPair[]> {
  return page.evaluate(asked => {
    const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const style = getComputedStyle(document.documentElement);
    const probe = document.body.appendChild(document.createElement('i'));
    const light = new Map<string, number>();
    const luminance = (token: string): number => {
      const known = light.get(token);
      if (known !== undefined || !brush) return known ?? 0;
      if (style.getPropertyValue(`--${token}`) === '') throw new Error(`no token --${token}`);
      probe.style.color = `var(--${token})`;
      brush.fillStyle = getComputedStyle(probe).color;
      brush.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...brush.getImageData(0, 0, 1, 1).data].map(part => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      const sum = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      light.set(token, sum);
      return sum;
    };
    const measured = asked.map(pair => {
      const [high = 0, low = 0] = [luminance(pair.front), luminance(pair.back)].toSorted((a, b) => b - a);
      return { ...pair, ratio: (high + 0.05) / (low + 0.05) };
    });
    probe.remove();
    return measured;
  }, pairs);
}

const GROUNDS = ['surface', 'surface-raised', 'surface-sunken', 'surface-hover', 'fill'];
const STATES = ['good', 'warn', 'bad', 'info'];
const pairs = (fronts: readonly string[], backs: readonly string[]) =>
  fronts.flatMap(front => backs.map(back => ({ front, back })));

/** Every token of text on every ground it stands on. */
const TEXT = [
  ...pairs(['text', 'text-muted', 'accent-text', 'bad-text', 'warn-text', 'good-text', 'missed'], GROUNDS),
  ...pairs(['text', 'text-muted'], ['accent-soft', ...STATES.map(state => `${state}-soft`)]),
  ...pairs(['text-inverse', 'text-inverse-muted'], ['surface-inverse']),
  ...pairs(['on-accent'], ['accent', 'accent-hover']),
  ...pairs(['accent-text'], ['accent-soft']),
  ...STATES.flatMap(state => pairs([`${state}-text`], [`${state}-soft`])),
  ...pairs(['on-status'], ['good', 'bad']),
];
/** What is seen without being read: edges of controls, icons, marks, lines of charts. */
const MARKS = [
  ...pairs(['on-mood'], ['mood-1', 'mood-2', 'mood-3', 'mood-4', 'mood-5']),
  ...pairs(['line-strong', 'focus', 'accent', 'good', 'bad'], ['surface', 'surface-raised']),
  ...pairs(['warn', 'chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5'], ['surface-raised']),
];

/** AA, and AAA for text in high contrast. */
export const tokenPairs = (highContrast: boolean): Pair[] => [
  ...TEXT.map(pair => ({ ...pair, least: highContrast ? 7 : 4.5 })),
  ...MARKS.map(pair => ({ ...pair, least: highContrast ? 4.5 : 3 })),
];
