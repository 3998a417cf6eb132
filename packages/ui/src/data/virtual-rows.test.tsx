// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { VirtualRows } from './virtual-rows.tsx';

const MANY = 10_000;
const ROW_PX = 74;
const rows = Array.from({ length: MANY }, (_, index) => ({ id: `row-${index}` }));

beforeEach(() => {
  // jsdom lays nothing out: every row is as high as this one says, whatever the list was told.
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, get: () => ROW_PX });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(HTMLElement.prototype, 'offsetHeight');
});

// jsdom has no scrolling of its own.
window.scrollTo = () => {};

const scrollTo = (y: number) =>
  act(() => {
    Object.assign(window, { scrollY: y });
    dispatchEvent(new Event('scroll'));
  });

test('a step of a scroll draws the rows that come and none that were there', () => {
  let drawn: string[] = [];
  const renderRow = ({ id }: { id: string }) => {
    drawn.push(id);
    return id;
  };
  render(<VirtualRows rows={rows} estimate={68} renderRow={renderRow} />);
  for (const y of [120, 240, 360, 480]) {
    const here = screen.getAllByRole('listitem').map(row => row.textContent);
    drawn = [];
    scrollTo(y);
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.filter(id => here.includes(id))).toEqual([]);
  }
});

test('the rows nobody has seen are taken for as high as those that were measured', () => {
  render(<VirtualRows rows={rows} estimate={68} label="Many" renderRow={({ id }) => id} />);
  expect(screen.getByRole('list', { name: 'Many' }).style.height).toBe(`${MANY * ROW_PX}px`);
});

test('rows that turn out higher while they fly by move nothing else: the list grows when the scroll is over', async () => {
  const observed: { tell: ResizeObserverCallback; rows: Set<Element> }[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly rows = new Set<Element>();
      constructor(tell: ResizeObserverCallback) {
        observed.push({ tell, rows: this.rows });
      }
      observe(row: Element) {
        this.rows.add(row);
      }
      unobserve(row: Element) {
        this.rows.delete(row);
      }
      disconnect() {}
    },
  );
  render(<VirtualRows rows={rows} estimate={68} label="Many" renderRow={({ id }) => id} />);
  const height = () => screen.getByRole('list', { name: 'Many' }).style.height;
  const before = height();
  scrollTo(600);
  const higher = [{ blockSize: 2 * ROW_PX, inlineSize: 300 }];
  act(() => {
    for (const { tell, rows: seen } of observed) {
      const entries = [...seen].slice(-2).map(target => ({ target, borderBoxSize: higher }));
      tell(entries as unknown as ResizeObserverEntry[], {} as ResizeObserver);
    }
  });
  expect(height()).toBe(before);
  await waitFor(() => expect(height()).toBe(`${(MANY + 2) * ROW_PX}px`));
  vi.unstubAllGlobals();
});

/** Observers of the page's height, which jsdom has not; answers what tells them that it is another. */
function pageWithHeight(): () => void {
  const observers = new Set<() => void>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      private readonly hear: () => void;
      constructor(hear: () => void) {
        this.hear = hear;
      }
      observe(element: Element): void {
        if (element === document.body) observers.add(this.hear);
      }
      unobserve(): void {}
      disconnect(): void {
        observers.delete(this.hear);
      }
    },
  );
  return () => observers.forEach(hear => hear());
}

test('what comes above the list moves the rows that are drawn along with it', () => {
  const tellHeight = pageWithHeight();
  scrollTo(0);
  render(<VirtualRows rows={rows} estimate={68} label="Many" renderRow={({ id }) => id} />);
  const list = screen.getByRole('list', { name: 'Many' });
  scrollTo(100 * ROW_PX);
  const first = () => Number(screen.getAllByRole('listitem')[0]?.dataset['index']);
  const before = first();
  list.getBoundingClientRect = () => new DOMRect(0, 40 * ROW_PX - window.scrollY, 400, 0);
  act(tellHeight);
  expect(before - first()).toBe(40);
});
