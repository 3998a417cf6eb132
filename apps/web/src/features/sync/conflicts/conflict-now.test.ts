import { expect, test } from 'vitest';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import { asItStands } from './conflict-now.ts';

const found = (f: string, theirs: unknown) => ({ fields: [{ f, base: null, mine: 'mine', theirs }] }) as Conflict;

test.each([
  { what: 'another word', f: 'title', theirs: 'Rope', now: { title: 'Chain' }, shown: 'Chain' },
  { what: 'emptied since', f: 'notes', theirs: 'Rope', now: { notes: null }, shown: null },
  { what: 'the record is not here', f: 'title', theirs: 'Rope', now: null, shown: 'Rope' },
  {
    what: 'an instant the server writes otherwise has not changed',
    f: 'due_at',
    theirs: '2026-11-21T09:00:00+00:00',
    now: { due_at: '2026-11-21T09:00:00.000Z' },
    shown: '2026-11-21T09:00:00+00:00',
  },
])('theirs as it stands now: $what', ({ f, theirs, now, shown }) => {
  expect(asItStands(found(f, theirs), now).fields[0]?.theirs).toBe(shown);
});
