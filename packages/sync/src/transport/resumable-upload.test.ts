import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { BackendError, type UploadPlace } from './backend.ts';
import { MAX_BACK_OFF } from './error-class.ts';
import { CHUNK_BYTES, resumableUpload } from './resumable-upload.ts';
import type { TellingInit } from './telling-progress.ts';

type RecordedRequest = { method: string; path: string; headers: Headers };
/** What becomes of a request: `lost` never arrives, `cut` arrives in part, `unheard` arrives whole and is not answered. */
type Fault = 'none' | 'lost' | 'cut' | 'unheard' | 'gone' | 'page';

/** A server that speaks the protocol over a line that fails as `next` says, and keeps what arrives. */
function server(next: (asked: RecordedRequest) => Fault = () => 'none', whole: Uint8Array[] = []) {
  const uploads = new Map<string, { length: number; parts: Uint8Array[] }>();
  const asked: RecordedRequest[] = [];
  const size = (parts: Uint8Array[]) => parts.reduce((sum, part) => sum + part.length, 0);
  const answer = (status: number, headers: Record<string, string> = {}) =>
    new Response(null, { status, headers: { 'Tus-Resumable': '1.0.0', ...headers } });
  async function take(path: string, headers: Headers, body: Uint8Array) {
    const upload = uploads.get(path);
    if (!upload) return answer(404);
    if (Number(headers.get('upload-offset')) !== size(upload.parts)) return answer(409);
    upload.parts.push(body);
    const offset = size(upload.parts);
    if (offset === upload.length) {
      whole.push(new Uint8Array(await new Blob(upload.parts as BlobPart[]).arrayBuffer()));
      uploads.delete(path);
    }
    return answer(204, { 'Upload-Offset': String(offset) });
  }
  async function ask(url: string, init: TellingInit): Promise<Response> {
    const one = { method: init.method ?? 'GET', path: new URL(url).pathname, headers: new Headers(init.headers) };
    asked.push(one);
    const fault = next(one);
    if (fault === 'lost') throw new TypeError('network');
    if (fault === 'page') return new Response('<h1>Log in</h1>', { status: 200 });
    if (fault === 'gone') uploads.clear();
    const body = init.body instanceof Blob ? new Uint8Array(await init.body.arrayBuffer()) : new Uint8Array();
    const arrived = fault === 'cut' ? body.slice(0, Math.floor(body.length / 2)) : body;
    const given = await reply(one, arrived);
    if (fault === 'cut' || fault === 'unheard') throw new TypeError('network');
    return given;
  }
  async function reply({ method, path, headers }: RecordedRequest, body: Uint8Array): Promise<Response> {
    if (method === 'POST') {
      if (whole.length > 0) return answer(409);
      const place = `/storage/v1/upload/resumable/${asked.length}`;
      uploads.set(place, { length: Number(headers.get('upload-length')), parts: [] });
      return answer(201, { Location: `https://inner.example:8443${place}` });
    }
    if (method === 'PATCH') return take(path, headers, body);
    const upload = uploads.get(path);
    return upload ? answer(200, { 'Upload-Offset': String(size(upload.parts)) }) : answer(404);
  }
  return { ask, asked, whole };
}

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31) % 251);

function upload(ask: ReturnType<typeof server>['ask'], bytes: Uint8Array, at: UploadPlace | null = null) {
  const places: (UploadPlace | null)[] = [];
  const sent: number[] = [];
  const controller = new AbortController();
  const resume = { at, moved: async (place: UploadPlace | null) => void places.push(place) };
  const file = { id: 'p', organizationId: 'o', mime: 'image/jpeg', sha256: '', bytes: new Uint8Array(bytes).buffer };
  const line = { url: 'https://backend.example', publishableKey: 'key', ask, token: async () => 'a.b.c' };
  const onSent = (count: number) => void sent.push(count);
  const done = resumableUpload({ file: { ...file, resume }, line, signal: controller.signal, onSent });
  return { done, places, sent, controller };
}

test('a file goes in pieces, its place is kept after each, and its token only ever to its own server', async () => {
  const { ask, asked, whole } = server();
  const bytes = bytesOf(CHUNK_BYTES + 10);
  const { done, places, sent } = upload(ask, bytes);
  await done;
  expect(whole).toEqual([bytes]);
  expect(asked.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'PATCH']);
  const path = '/storage/v1/upload/resumable/1';
  expect(places).toEqual([0, CHUNK_BYTES, bytes.length].map(offset => ({ path, offset })));
  expect(sent.at(-1)).toBe(bytes.length);
  expect(new Set(asked.map(({ headers }) => headers.get('authorization')))).toEqual(new Set(['Bearer a.b.c']));
});

test('what the server has is not sent again by a phone that was killed', async () => {
  let dies = true;
  const { ask, asked, whole } = server(({ method }) => {
    if (method === 'PATCH' && dies) return 'cut';
    return dies && asked.length > 2 ? 'lost' : 'none';
  });
  const bytes = bytesOf(1000);
  const first = upload(ask, bytes);
  await expect.poll(() => asked.length).toBe(3);
  first.controller.abort(new Error('killed'));
  await expect(first.done).rejects.toThrow('killed');
  dies = false;
  const before = asked.length;
  await upload(ask, bytes, first.places.at(-1) ?? null).done;
  expect(whole).toEqual([bytes]);
  const after = asked.slice(before).map(({ method, headers }) => [method, headers.get('upload-offset')]);
  expect(after).toEqual([
    ['HEAD', null],
    ['PATCH', '500'],
  ]);
});

test('an address that expired starts the file anew', async () => {
  const { ask, whole } = server();
  const bytes = bytesOf(1000);
  const { done, places } = upload(ask, bytes, { path: '/storage/v1/upload/resumable/gone', offset: 700 });
  await done;
  expect(whole).toEqual([bytes]);
  expect(places[0]).toBeNull();
});

test('a file whose end was not heard of is found to be there', async () => {
  let first = true;
  const { ask, whole } = server(({ method }) => {
    if (method !== 'PATCH' || !first) return 'none';
    first = false;
    return 'unheard';
  });
  const bytes = bytesOf(1000);
  await upload(ask, bytes).done;
  expect(whole).toEqual([bytes]);
});

test.each([
  [401, 'auth'],
  [403, 'refused'],
  [413, 'too_large'],
  [415, 'refused'],
  [429, 'busy'],
])('an announcement answered %i is %s, with no word of the file or the token', async (status, kind) => {
  vi.useFakeTimers();
  const ask = async () => new Response('words', { status, headers: { 'Tus-Resumable': '1.0.0' } });
  const failing = upload(ask, bytesOf(10)).done.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  const error = await failing;
  expect(error).toMatchObject({ kind, code: String(status), message: `announce: ${status}` });
  vi.useRealTimers();
});

test('with no network it gives up after some attempts, so that the loop can rest', async () => {
  vi.useFakeTimers();
  const { ask, asked } = server(() => 'lost');
  const failing = upload(ask, bytesOf(10)).done.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await failing).toBeInstanceOf(BackendError);
  expect(asked.length).toBeLessThanOrEqual(4);
  vi.useRealTimers();
});

test.each([
  ['60', 60_000],
  ['864000', MAX_BACK_OFF],
])(
  'a server that asks to be left alone for %s s is asked once, and left alone for five minutes at most',
  async (seconds, ms) => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return new Response(null, { status: 503, headers: { 'Tus-Resumable': '1.0.0', 'Retry-After': seconds } });
    };
    await expect(upload(ask, bytesOf(10)).done).rejects.toMatchObject({ kind: 'busy', retryAfter: ms });
    expect(asked).toBe(1);
  },
);

test('stopped in the middle, as at a sign-out, nothing more is asked', async () => {
  const { ask, asked } = server(({ method }) => (method === 'PATCH' ? 'lost' : 'none'));
  const { done, controller } = upload(ask, bytesOf(10));
  await expect.poll(() => asked.length).toBe(2);
  controller.abort(new Error('signed out'));
  await expect(done).rejects.toThrow('signed out');
  expect(asked.length).toBe(2);
});

test(
  'I12 whatever the line does, what arrives is the file, once and whole',
  async () => {
    vi.useFakeTimers();
    const faults = fc.array(fc.constantFrom<Fault>('none', 'lost', 'cut', 'unheard', 'gone', 'page'), {
      maxLength: 30,
    });
    const property = fc.asyncProperty(faults, fc.integer({ min: 1, max: 5000 }), async (script, length) => {
      const { ask, whole } = server(() => script.shift() ?? 'none');
      const bytes = bytesOf(length);
      let at: UploadPlace | null = null;
      // The retry loop tries again for ever.
      for (let round = 0; round < 40; round += 1) {
        const { done, places } = upload(ask, bytes, at);
        const ended = done.then(
          () => null,
          (error: unknown) => error,
        );
        await vi.runAllTimersAsync();
        const error = await ended;
        if (error === null) break;
        expect(error).toBeInstanceOf(BackendError);
        if (places.length > 0) at = places.at(-1) ?? null;
      }
      expect(whole).toEqual([bytes]);
    });
    await holds('resumable-upload', 100, property);
    vi.useRealTimers();
  },
  HISTORIES_TIMEOUT,
);
