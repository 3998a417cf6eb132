// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Mark } from '@cairn/core/inspections/photo-marks.ts';
import { useDrawingTool, type Tool } from './use-drawing-tool.ts';

// As in a browser: moves are shown when there is time, and nothing here waits for that.
const actIsAwaited = Reflect.get(globalThis, 'IS_REACT_ACT_ENVIRONMENT');
beforeAll(() => void Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false));
afterAll(() => void Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', actIsAwaited));
afterEach(cleanup);

function Paper({ tool, onMark }: { tool: Tool; onMark: (mark: Mark) => void }) {
  const { mark, cross, ...hand } = useDrawingTool(
    { tool, ink: 'red', words: '' },
    { onMark, onWordless: () => undefined, onUndo: () => undefined },
  );
  return (
    <button type="button" {...hand} aria-pressed={mark !== null}>
      {cross ? 'cross' : 'paper'}
    </button>
  );
}

function touch(type: string, [x, y]: [number, number]): void {
  const event = new PointerEvent(type, { bubbles: true, button: 0, clientX: x, clientY: y });
  screen.getByRole('button').dispatchEvent(event);
}

test.each(['arrow', 'pen'] as const)('a quick stroke with the %s is kept whole', async tool => {
  const kept: Mark[] = [];
  render(<Paper tool={tool} onMark={mark => kept.push(mark)} />);
  touch('pointerdown', [0.2, 0.8]);
  await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-pressed')).toBe('true'));
  touch('pointermove', [0.4, 0.6]);
  touch('pointermove', [0.6, 0.4]);
  touch('pointerup', [0.6, 0.4]);

  expect(kept).toEqual([
    tool === 'pen'
      ? {
          kind: 'pen',
          ink: 'red',
          spots: [
            [0.2, 0.8],
            [0.4, 0.6],
            [0.6, 0.4],
          ],
        }
      : { kind: 'arrow', ink: 'red', from: [0.2, 0.8], to: [0.6, 0.4] },
  ]);
});

test('a tap that did not move draws no arrow', async () => {
  const kept: Mark[] = [];
  render(<Paper tool="arrow" onMark={mark => kept.push(mark)} />);
  touch('pointerdown', [0.2, 0.8]);
  await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-pressed')).toBe('true'));
  touch('pointerup', [0.2, 0.8]);
  expect(kept).toEqual([]);
});
