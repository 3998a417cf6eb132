import 'fake-indexeddb/auto';
import { applied, opened, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { virtualDevice } from '@cairn/testing/virtual-platform.ts';
import { expect, test } from 'vitest';
import { BackendError, type Backend } from '../transport/backend.ts';
import { NOT_A_MEMBER } from '../push/apply-push-result.ts';

/** What the loops ask for beyond their database. */
const QUESTIONS = [
  'confirmUpload',
  'digest',
  'pull',
  'push',
  'receipt',
  'refreshToken',
  'storageLeft',
  'storageTaken',
  'submitOrphanedEdits',
  'upload',
] as const;
type Question = (typeof QUESTIONS)[number];
/** From the `nth` question of this kind on (1: the first) nothing is ever answered, nor is a signal heeded. */
type Silence = { kind: Question; nth: number } | null;

function heedless(silence: Silence) {
  const asked: string[] = [];
  // A save of the person asks for room too, and is no loop.
  let isCounting = false;
  const isSilent = () => asked.filter(name => name === silence?.kind).length >= (silence?.nth ?? Infinity);
  const ask = <A>(name: string, answer: () => Promise<A>): Promise<A> => {
    if (!isCounting) return answer();
    asked.push(name);
    return name === silence?.kind && isSilent() ? new Promise(() => undefined) : answer();
  };
  return {
    asked,
    isSilent,
    ask,
    count: (counts: boolean) => void (isCounting = counts),
    backend: (of: Backend): Backend => ({
      ...of,
      digest: (...given) => ask('digest', () => of.digest(...given)),
      submitOrphanedEdits: (...given) => ask('submitOrphanedEdits', () => of.submitOrphanedEdits(...given)),
      pull: (...given) => ask('pull', () => of.pull(...given)),
      push: (...given) => ask('push', () => of.push(...given)),
      receipt: (...given) => ask('receipt', () => of.receipt(...given)),
      upload: (...given) => ask('upload', () => of.upload(...given)),
      confirmUpload: (...given) => ask('confirmUpload', () => of.confirmUpload(...given)),
    }),
  };
}

const media = {
  id: actionId(5),
  organization_id: actionId(9),
  mime: 'image/jpeg',
  bytes: 3,
  sha256: 'a'.repeat(64),
  captured_at: '2026-11-21T09:00:00.000Z',
};

/** Two records and a photo wait; one belongs to an organisation its person was removed from, and the first token is refused. */
async function aPhoneWithWork(silence: Silence) {
  const server = scripted(m =>
    m.id === actionId(2) ? { st: 'rejected', code: NOT_A_MEMBER, msg: 'not_a_member' } : applied(m),
  );
  server.failures.push(new BackendError('auth', 'the session has ended'));
  const hooks = heedless(silence);
  const phone = await opened(hooks.backend(server.backend), {
    refreshToken: () => hooks.ask('refreshToken', async () => undefined),
    signedInNow: true,
    platform: {
      backupFiles: virtualDevice().backupFiles,
      storageRatio: () => hooks.ask('storageTaken', async () => 0),
      storageLeft: () => hooks.ask('storageLeft', async () => Number.POSITIVE_INFINITY),
    },
  });
  await phone.engine.store.write('photo', async tx => {
    await tx.put('media', media);
    await tx.putBytes(media.id, new Uint8Array([1, 2, 3]).buffer);
  });
  await phone.put(1);
  await phone.put(2);
  server.pages.push({ stubs: { media: [[media.id, 1, [0]]] } });
  hooks.count(true);
  phone.engine.start();
  const last = (kind: Question) => hooks.asked.lastIndexOf(kind);
  // The comparison ends with a look at the storage.
  const isDone = () => server.receipts.length > 0 && last('digest') > 0 && last('storageTaken') > last('digest');
  await phone.until(() => hooks.isSilent() || isDone());
  return { server, hooks, ...phone };
}

const inTime = (ending: Promise<void>): Promise<string> => {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve('still waits'), 3000);
  return Promise.race([ending.then(() => 'stopped'), late]).finally(() => clearTimeout(timer));
};

test('these are all questions the loops ask while they send, receive, submit and compare', async () => {
  const { hooks, engine } = await aPhoneWithWork(null);
  expect([...new Set(hooks.asked)].toSorted()).toEqual(QUESTIONS);
  await engine.stop();
});

const silences = QUESTIONS.flatMap(kind => [1, 2].map(nth => ({ kind, nth })));

test.each(silences)(
  'where $kind is never answered from its question $nth on, a stop ends, and who signs in next on the page sends all',
  async silence => {
    const { hooks, engine, device, until, server } = await aPhoneWithWork(silence);
    expect(await inTime(engine.stop())).toBe('stopped');
    hooks.count(false);
    const next = device.engineFor({ owner: OWNER, backend: server.backend });
    let left = -1;
    next.watchStatus(({ pendingItems, pendingFiles }) => (left = pendingItems + pendingFiles));
    next.start();
    await until(() => left === 0 && server.uploads.length > 0);
    await next.stop();
    await device.close();
  },
);
