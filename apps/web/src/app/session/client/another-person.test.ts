import { afterEach, expect, test, vi } from 'vitest';
import type { Backend } from '@cairn/sync/transport/backend.ts';
import type { Device } from '@cairn/sync/device.ts';
import { SESSION_PLACE } from '../auth/auth-gate.ts';
import { supabaseGate } from './supabase-gate.ts';

afterEach(() => void vi.unstubAllGlobals());

const token = (sub: string): string =>
  [{ alg: 'ES256' }, { sub }, 'x'].map(part => btoa(JSON.stringify(part)).replaceAll('=', '')).join('.');

/** A gate over the real client library in a browser that holds this person's session; who asked the server for what. */
function gateHolding(person: string) {
  const asked: { path: string; by: string | null }[] = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    asked.push({ path: new URL(input).pathname, by: new Headers(init.headers).get('authorization') });
    return Response.json({ results: [] });
  });
  const kept = new Map<string, string>();
  const held = (id: string) => ({
    access_token: token(id),
    refresh_token: 'r',
    expires_in: 3600,
    expires_at: Math.floor(Date.now() / 1000) + 3600,
    token_type: 'bearer',
    user: {
      id,
      email: `${id}@example.test`,
      aud: 'authenticated',
      app_metadata: {},
      user_metadata: {},
      created_at: '',
    },
  });
  const hold = (id: string) => void kept.set(SESSION_PLACE.key, JSON.stringify(held(id)));
  hold(person);
  let next: string | null = null;
  const sealedStorage: Device['sealedStorage'] = () => ({
    async getItem(key) {
      const found = kept.get(key) ?? null;
      if (next !== null) hold(next);
      return found;
    },
    setItem: async (key, value) => void kept.set(key, value),
    removeItem: async key => void kept.delete(key),
  });
  const events = { renewed: () => undefined, lost: () => undefined, updated: () => undefined, ended: () => undefined };
  const config = { backendUrl: 'https://backend.example.test', publishableKey: 'publishable' };
  /** Whose session it is once it was read another time. */
  const holdNext = (id: string) => (next = id);
  return { gate: supabaseGate({ sealedStorage } as Device, config, events), asked, hold, holdNext };
}

const signal = new AbortController().signal;
const small = { id: 'f', organizationId: 'o', mime: 'image/jpeg', bytes: new ArrayBuffer(8) };
const large = { ...small, bytes: new ArrayBuffer(512 * 1024) };
const mutations: never[] = [];
/** All that the engine asks of a backend. */
const CALLS: Record<Exclude<keyof Backend, 'onNudge'> | 'uploadInPieces', (backend: Backend) => Promise<unknown>> = {
  digest: backend => backend.digest([], signal),
  repair: backend => backend.repair({ scope: 's', table: 'sites', sums: {}, device: 'd', limit: 1 }, signal),
  missing: backend => backend.missing(['m'], signal),
  pull: backend => backend.pull({ cursors: {}, device: 'd', limit: 1 }, signal),
  push: backend => backend.push('d', mutations, signal),
  submitOrphanedEdits: backend => backend.submitOrphanedEdits('o', 'd', mutations, signal),
  submitOnBehalf: backend =>
    backend.submitOnBehalf({ organizationId: 'o', author: 'a', device: 'd', mutations }, signal),
  receipt: backend => backend.receipt({ id: 'r', device: 'd', mids: [], deviceAt: '' }, signal),
  upload: backend => backend.upload({ ...small, resume: null } as never, () => undefined, signal),
  uploadInPieces: backend => backend.upload({ ...large, resume: null } as never, () => undefined, signal),
  confirmUpload: backend => backend.confirmUpload('f', signal),
  download: backend => backend.download('o', 'f', signal),
  downloadPart: backend => backend.downloadPart({ organizationId: 'o', mediaId: 'f', offset: 0, length: 1 }, signal),
};

test.each(Object.entries(CALLS))(
  "%s: nothing of one person's work goes out as another whom this browser let in meanwhile",
  async (_, call) => {
    const { gate, asked, hold } = gateHolding('sam');
    const backend = gate.backendOf('sam');
    await call(backend).catch(() => undefined);
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked.map(({ by }) => by))).toEqual(new Set([`Bearer ${token('sam')}`]));

    hold('eve');
    const before = asked.length;
    await expect(call(backend)).rejects.toMatchObject({ name: 'BackendError', kind: 'auth' });
    expect(asked).toHaveLength(before);
  },
);

/** A whole file that is read: whose right it was read with changes nothing in it. */
const { download: _read, ...written } = CALLS;

test.each(Object.entries(written))('%s: nor where that happens in the middle of the call', async (_, call) => {
  const { gate, asked, holdNext } = gateHolding('sam');
  const backend = gate.backendOf('sam');
  await call(backend).catch(() => undefined);
  const before = asked.length;
  holdNext('eve');
  await call(backend).catch(() => undefined);
  expect(asked.length).toBeGreaterThan(before);
  expect(new Set(asked.map(({ by }) => by))).toEqual(new Set([`Bearer ${token('sam')}`]));
});
