import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { applied, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { virtualClock, virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { expect, test } from 'vitest';
import { openChanges } from '../store/changes.ts';
import { openDatabase } from '../store/database.ts';
import { DigestRound } from './digest-round.ts';
import { askForDigest, DIGEST_ASKED } from '../store/health.ts';
import { raiseEpoch, type Session } from '../store/session.ts';

/** A device that was never compared, some time after its start. */
async function device() {
  const [db, clock] = [await openDatabase(newId()), virtualClock()];
  const platform = virtualPlatform({ clock });
  const { backend } = scripted(applied);
  let asked = 0;
  const session: Session = {
    db,
    owner: OWNER,
    device: 'device',
    backend: { ...backend, digest: async () => ((asked += 1), {}) },
    platform,
    changes: openChanges(platform.openChannel('test'), OWNER),
    report: () => undefined,
    epoch: await raiseEpoch(db, OWNER),
  };
  const round = new DigestRound(session);
  clock.advance(10_000);
  return {
    db,
    clock,
    /** What follows a pull. @returns how often was compared so far */
    async pulled({ isNews }: { isNews: boolean }): Promise<number> {
      await round.run(new AbortController().signal, () => undefined, isNews);
      return asked;
    },
  };
}

test('nothing is compared while something comes in, and once when nothing does', async () => {
  const { pulled } = await device();
  for (let n = 0; n < 5; n += 1) expect(await pulled({ isNews: true })).toBe(0);
  expect(await pulled({ isNews: false })).toBe(1);
  expect(await pulled({ isNews: false })).toBe(1);
});

test('where something always comes in, ten minutes are long enough', async () => {
  const { pulled, clock } = await device();
  expect(await pulled({ isNews: true })).toBe(0);
  clock.advance(599_000);
  expect(await pulled({ isNews: true })).toBe(0);
  clock.advance(1000);
  expect(await pulled({ isNews: true })).toBe(1);
  clock.advance(24 * 3_600_000);
  expect(await pulled({ isNews: true })).toBe(1);
});

test('who asks for it waits for nothing', async () => {
  const { pulled, db } = await device();
  await askForDigest({ db, owner: OWNER }, DIGEST_ASKED);
  expect(await pulled({ isNews: true })).toBe(1);
});
