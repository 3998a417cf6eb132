// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { kioskMemory, useKioskMemory } from './kiosk-memory.ts';
import { ASKS_AFTER_MS, CLOSES_AFTER_MS, useKioskIdle } from './use-kiosk-idle.ts';

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Page({ isOn, onGone }: { isOn: boolean; onGone: () => void }) {
  const { isAsking } = useKioskIdle(isOn, onGone);
  return <p>{isAsking ? 'asking' : 'quiet'}</p>;
}
const pass = (ms: number) => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

test('a page of somebody who went away asks, and closes; a touch keeps it open; the list waits for ever', () => {
  const onGone = vi.fn<() => void>();
  const { rerender } = render(<Page isOn onGone={onGone} />);
  pass(ASKS_AFTER_MS - 1);
  expect(screen.getByText('quiet')).toBeDefined();
  pass(1);
  expect(screen.getByText('asking')).toBeDefined();
  fireEvent.pointerDown(document.body);
  expect(screen.getByText('quiet')).toBeDefined();
  pass(ASKS_AFTER_MS + CLOSES_AFTER_MS - 1);
  expect(onGone).not.toHaveBeenCalled();
  pass(1);
  expect(onGone).toHaveBeenCalledTimes(1);
  rerender(<Page isOn={false} onGone={onGone} />);
  pass(10 * ASKS_AFTER_MS);
  expect(onGone).toHaveBeenCalledTimes(1);
  expect(screen.getByText('quiet')).toBeDefined();
});

function Shown({ owner }: { owner: string }) {
  const memory = useKioskMemory(owner);
  return <p>{memory ? `on ${memory.policyId} ${memory.standing.pins.join()}` : 'off'}</p>;
}

test('a kiosk is one of a person on this device: on until it is ended, for nobody else, and what is unreadable is none', () => {
  const standing = { settled: [], pins: ['sam'] };
  render(<Shown owner="mara" />);
  expect(screen.getByText('off')).toBeDefined();
  act(() => kioskMemory('alex').keep({ organizationId: 'o', policyId: 'other', placeId: null, standing }));
  expect(screen.getByText('off')).toBeDefined();
  act(() => kioskMemory('mara').keep({ organizationId: 'o', policyId: 'lockout', placeId: null, standing }));
  expect(screen.getByText('on lockout sam')).toBeDefined();
  act(() => kioskMemory('mara').end());
  expect(screen.getByText('off')).toBeDefined();
  act(() => {
    localStorage.setItem('cairn.kiosk.mara', '{"policyId":1}');
    dispatchEvent(new StorageEvent('storage'));
  });
  expect(screen.getByText('off')).toBeDefined();
});
