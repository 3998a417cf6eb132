import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { circleRoles, visibility } from '@cairn/core/support-circle/visibility.ts';
import {
  addSession,
  bring,
  give,
  logged,
  read,
  relate,
  serveCircle,
  STATES,
  type CircleWorld,
} from './circle-steps.ts';

/** Every cell of the matrix × every state of its grant, the whole way: official client, local server, session, policy. */
let circle: CircleWorld;
beforeAll(async () => {
  circle = await serveCircle();
});
afterAll(() => circle.served.stop());

const SCOPES = ['goals', 'habits', 'wellness', 'journal', 'tasks', 'sessions', 'principles', 'billing'] as const;
const LEVELS = ['full', 'summary', 'ok', 'counts', 'titles', 'comment', 'act', 'countersign'] as const;

const cells = circleRoles.flatMap(role =>
  visibility[role].flatMap(offer =>
    STATES.map(state => ({ role, offer, state, scope: offer.scope, level: offer.level })),
  ),
);
const closed = circleRoles.flatMap(role =>
  SCOPES.flatMap(scope => LEVELS.map(level => ({ role, scope, level }))).filter(
    cell => !visibility[role].some(offer => offer.scope === cell.scope && offer.level === cell.level),
  ),
);

describe('the visibility matrix, cell by cell', () => {
  test('the table of the database is the one of the app', async () => {
    const rows = await circle.served.db.asAdmin('select role, scope, level, chosen from circle_visibility');
    const app = circleRoles.flatMap(role => visibility[role].map(offer => ({ role, ...offer })));
    expect(rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual(
      app
        .map(({ role, scope, level, chosen }) => ({ role, scope, level, chosen }))
        .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    );
  });

  test.for(cells)('$role, $scope/$level, $state', async ({ role, offer, state }) => {
    const relationship = await relate(circle, role);
    // A role without sessions has none, whoever would write one.
    if (visibility[role].some(({ scope }) => scope === 'sessions')) await addSession(circle, relationship);
    const grant = await bring(circle, state, relationship, offer);
    const view = await read(circle.helper, relationship);
    const shown = state === 'granted';
    expect(view.parts.map(part => [part.grant_id, part.scope, part.level])).toEqual(
      shown ? [[grant, offer.scope, offer.level]] : [],
    );
    expect(await logged(circle, grant)).toBe(shown ? 1 : 0);
    const text = JSON.stringify(view);
    for (const never of ['secret word', 'aXY=', 'c2VjcmV0']) expect(text).not.toContain(never);
    expect(text.includes('Hidden habit')).toBe(
      shown && offer.scope === 'habits' && offer.level === 'full' && !offer.chosen,
    );
    expect(text.includes('"Walk"')).toBe(shown && offer.scope === 'habits' && offer.level === 'full');
    const named = shown && offer.scope === 'goals' && offer.level !== 'summary';
    expect(text.includes('Walk the coast path')).toBe(named);
    expect(text.includes('Hidden goal')).toBe(named && !offer.chosen);
    expect(text.includes('112.375')).toBe(named && offer.level === 'full');
    expect(text).not.toContain('Draft goal');
    expect(text.includes('No work on **Sundays**.')).toBe(shown && offer.scope === 'principles');
    expect(text).not.toContain('Hidden principle');
    expect(text.includes('Talked of the coast')).toBe(shown && offer.scope === 'sessions');
  });

  test.for(closed)('$role is never given $scope/$level', async ({ role, scope, level }) => {
    const relationship = await relate(circle, role);
    for (const item_ids of [null, [circle.habit], [circle.principle.version]]) {
      expect(await give(circle, circle.subject, relationship, { scope, level, item_ids })).toMatchObject({
        st: 'rejected',
        code: '42501',
      });
    }
    expect((await read(circle.helper, relationship)).parts).toEqual([]);
  });
});
