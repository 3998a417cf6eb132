// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerCallsContext, ServerRefusal, type ServerCalls } from '../../../shared/server/server-calls.ts';
import { kioskMemory, useKioskMemory } from './kiosk-memory.ts';
import { ASKS_AFTER_MS, CLOSES_AFTER_MS, useKioskIdle } from './use-kiosk-idle.ts';
import { useKioskServerState } from './use-kiosk-server-state.ts';

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

test('a device that slept while somebody was at it shows the next person nothing of them', () => {
  const onGone = vi.fn<() => void>();
  render(<Page isOn onGone={onGone} />);
  // Asleep, the clock goes on and no timer does.
  vi.setSystemTime(Date.now() + ASKS_AFTER_MS + CLOSES_AFTER_MS);
  expect(onGone).not.toHaveBeenCalled();
  fireEvent.pointerDown(document.body);
  expect(onGone).toHaveBeenCalledTimes(1);
});

test('a click alone, as a screen reader sends it, is a sign that somebody is there', () => {
  render(<Page isOn onGone={() => undefined} />);
  pass(ASKS_AFTER_MS);
  fireEvent.click(document.body);
  expect(screen.getByText('quiet')).toBeDefined();
});

function KioskState({ calls }: { calls: ServerCalls }) {
  return (
    <ServerCallsContext value={calls}>
      <Asked />
    </ServerCallsContext>
  );
}
function Asked() {
  const { isOffline, isRefused } = useKioskServerState('mara', { policyId: 'lockout' });
  return <p>{isRefused ? 'refused' : isOffline ? 'offline' : 'online'}</p>;
}
const callsThat = (call: () => Promise<unknown>) => ({ call }) as unknown as ServerCalls;
const begun = { organizationId: 'o', policyId: 'lockout', placeId: 'north', serverState: { answered: [], pins: [] } };

test('an answer that comes after the kiosk was ended does not begin it again, nor one of another policy', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const memory = kioskMemory('mara');
  memory.keep(begun);
  render(<KioskState calls={callsThat(() => promise)} />);
  memory.end();
  await act(async () => {
    resolve({ answered: ['sam'], pins: [] });
    await promise;
  });
  expect(memory.text()).toBeNull();
  memory.keep({ ...begun, policyId: 'other' });
  memory.keepServerState('lockout', { answered: ['sam'], pins: [] });
  expect(memory.text()).not.toContain('sam');
  memory.keepServerState('other', { answered: ['sam'], pins: [] });
  expect(JSON.parse(memory.text() ?? '')).toMatchObject({ placeId: 'north', serverState: { answered: ['sam'] } });
});

test('a witness who may no longer is told so, and not that there is no connection', async () => {
  kioskMemory('mara').keep(begun);
  const refusal = Promise.reject(new ServerRefusal('42501', 'no such policy'));
  render(<KioskState calls={callsThat(() => refusal)} />);
  await act(() => refusal.catch(() => undefined));
  expect(screen.getByText('refused')).toBeDefined();
});

function Shown({ owner }: { owner: string }) {
  const memory = useKioskMemory(owner);
  return <p>{memory ? `on ${memory.policyId} ${memory.serverState.pins.join()}` : 'off'}</p>;
}

test('a kiosk is one of a person on this device: on until it is ended, for nobody else, and what is unreadable is none', () => {
  const serverState = { answered: [], pins: ['sam'] };
  render(<Shown owner="mara" />);
  expect(screen.getByText('off')).toBeDefined();
  act(() => kioskMemory('alex').keep({ organizationId: 'o', policyId: 'other', placeId: null, serverState }));
  expect(screen.getByText('off')).toBeDefined();
  act(() => kioskMemory('mara').keep({ organizationId: 'o', policyId: 'lockout', placeId: null, serverState }));
  expect(screen.getByText('on lockout sam')).toBeDefined();
  act(() => kioskMemory('mara').end());
  expect(screen.getByText('off')).toBeDefined();
  act(() => {
    localStorage.setItem('cairn.kiosk.mara', '{"policyId":1}');
    dispatchEvent(new StorageEvent('storage'));
  });
  expect(screen.getByText('off')).toBeDefined();
  act(() => {
    localStorage.setItem('cairn.kiosk.mara', '{"policyId":');
    dispatchEvent(new StorageEvent('storage'));
  });
  expect(screen.getByText('off')).toBeDefined();
});
