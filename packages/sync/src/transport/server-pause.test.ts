import 'fake-indexeddb/auto';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { BackendError } from './backend.ts';
import { kindOf, retryAfterOf } from './error-class.ts';
import { honourPause, openServerPause } from './server-pause.ts';

describe('Retry-After', () => {
  test.for([
    ['120', 120_000],
    ['Sat, 21 Nov 2026 09:02:00 GMT', 120_000],
    ['Sat, 21 Nov 2026 08:00:00 GMT', 0],
    ['1000000000', 300_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 300_000],
    ['soon', null],
    [null, null],
  ] as const)('%s is read', ([header, ms]) => {
    expect(retryAfterOf(header, Date.UTC(2026, 10, 21, 9))).toBe(ms);
  });

  test('is heard on any call and holds for whichever fails next, until it has passed', async () => {
    let now = 0;
    const pause = openServerPause(() => now);
    const busy = pause.heard(async () => new Response('', { status: 503, headers: { 'retry-after': '60' } }));
    const { backend } = scripted(applied);
    const failing = (kind: 'busy' | 'refused') => () => Promise.reject(new BackendError(kind, 'no'));
    const honest = honourPause({ ...backend, pull: failing('busy'), receipt: failing('refused') }, pause);
    const signal = new AbortController().signal;
    const pulled = () => honest.pull({ cursors: {}, device: 'd', limit: 1 }, signal).catch((error: unknown) => error);
    expect(await pulled()).toMatchObject({ retryAfter: null });
    await busy('https://server.test/rest/v1/rpc/sync_push');
    expect(await pulled()).toMatchObject({ kind: 'busy', retryAfter: 60_000 });
    const request = { id: 'r', device: 'd', mids: [], deviceAt: '' };
    await expect(honest.receipt(request, signal)).rejects.toMatchObject({ kind: 'refused', retryAfter: null });
    now = 60_001;
    expect(await pulled()).toMatchObject({ retryAfter: null });
  });

  test('of a clock that is set back lasts no longer than was asked', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 23, 9) });
    onTestFinished(() => void vi.useRealTimers());
    const pause = openServerPause();
    await pause.heard(async () => new Response('', { status: 503, headers: { 'retry-after': '2' } }))('https://s.test');
    vi.setSystemTime(Date.UTC(2026, 10, 21, 9));
    expect(pause.left()).toBeGreaterThan(1000);
    expect(pause.left()).toBeLessThanOrEqual(2000);
  });

  test('keeps the device away from the server for as long as it asked', async () => {
    const server = scripted(applied);
    server.failures.push(new BackendError('busy', '503', null, 240_000));
    const { engine, put, until, seen, clock } = await opened(server.backend);
    const began = clock.now();
    await put(1);
    engine.start();
    await until(() => server.pushed.length === 2 && seen.status?.pendingItems === 0, 10_000);
    expect(clock.now() - began).toBeGreaterThanOrEqual(240_000);
    expect(server.pushed).toHaveLength(2);
    await engine.stop();
  });
});

describe('what an error means for the work', () => {
  test.for([
    [0, '', 'network'],
    [500, '', 'network'],
    [502, '', 'network'],
    [403, '', 'network'],
    [503, '', 'busy'],
    [429, '', 'busy'],
    [408, '', 'busy'],
    [500, '55P03', 'busy'],
    [500, '40P01', 'busy'],
    [409, '40001', 'busy'],
    [500, '57014', 'busy'],
    [401, '', 'auth'],
    [403, 'PGRST301', 'auth'],
    [413, '', 'too_large'],
    [403, '42501', 'refused'],
    [400, '22P02', 'refused'],
    [409, '23505', 'refused'],
    [400, 'P0001', 'refused'],
    [404, 'PGRST202', 'refused'],
    [400, 'PGRST102', 'refused'],
    [500, '21000', 'refused'],
    [500, '54001', 'refused'],
  ] as const)('%i %s is %s', ([status, code, kind]) => {
    expect(kindOf(status, code)).toBe(kind);
  });
});
