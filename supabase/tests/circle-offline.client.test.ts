import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { circleRoles, visibility } from '@cairn/core/support-circle/visibility.ts';
import {
  bring,
  helperDevice,
  logged,
  read,
  relate,
  serveCircle,
  shownOn,
  STATES,
  takeBack,
  type CircleWorld,
} from './circle-steps.ts';

/** Every cell of the matrix × every change of its grant that a helper's device misses because it has no signal. */
let circle: CircleWorld;
beforeAll(async () => {
  circle = await serveCircle();
});
afterAll(() => circle.served.stop());

const MISSED = STATES.filter(state => state !== 'not begun' && state !== 'ended');
const cells = circleRoles.flatMap(role =>
  visibility[role].flatMap(offer =>
    MISSED.map(state => ({ role, offer, state, scope: offer.scope, level: offer.level })),
  ),
);

/** After the two minutes that `bring` grants for. */
const LATER_MS = 150_000;

test.for(cells)('$role, $scope/$level, $state', async ({ role, offer, state }) => {
  const relationship = await relate(circle, role);
  const grant = await bring(circle, state === 'not granted' ? state : 'granted', relationship, offer);
  const device = helperDevice(circle);
  await device.pull();
  const copy = await read(circle.helper, relationship);
  expect(await shownOn(device, relationship, { copy, at: Date.now() })).toEqual(state === 'not granted' ? [] : [grant]);
  const before = await logged(circle, grant);

  await takeBack(circle, state, { relationship, grant });
  const at = Date.now() + (state === 'expired' ? LATER_MS : 0);
  // With no signal: what runs out by itself is gone, what was taken back is not known yet, and each look is written down.
  const looked = await shownOn(device, relationship, { copy, at });
  expect(looked).toEqual(state === 'expired' || state === 'not granted' ? [] : [grant]);
  const readAt = new Date(Date.now() - 60_000).toISOString();
  const notes = looked.map(grant_id => ({
    t: 'grant_reads' as const,
    id: randomUUID(),
    op: 'insert' as const,
    patch: { grant_id, helper_id: circle.served.world.stranger, read_at: readAt },
  }));
  for (const note of notes) expect(await device.push(note)).toMatchObject([{ st: 'applied' }]);
  await device.pull();

  const isStillOpen = state === 'granted';
  expect(await shownOn(device, relationship, { copy, at })).toEqual(isStillOpen ? [grant] : []);
  const { db, world } = circle.served;
  const told = await db.asAdmin(
    `select subject_id, received_at - read_at > interval '59 seconds' as later from grant_reads
     where grant_id = $1 and offline`,
    [grant],
  );
  expect(told).toEqual(looked.map(() => ({ subject_id: world.worker, later: true })));
  const again = await read(circle.helper, relationship);
  // The server's own clock has not come to the end of what ran out here.
  const onServer = isStillOpen || state === 'expired' ? [grant] : [];
  expect(again.parts.map(part => part.grant_id)).toEqual(onServer);
  expect(await logged(circle, grant)).toBe(before + looked.length + again.parts.length);
});
