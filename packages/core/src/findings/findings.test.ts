import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { findingMoves, type FindingState, mayAnswer, mayClose, mayReopen, mayRewrite } from './finding-states.ts';
import { findingList, findingsAbout, openedFinding, viewOfFinding } from './queries.ts';
import {
  answerFinding,
  judgeFinding,
  nameFindingOwner,
  raiseFinding,
  removeFinding,
  rewriteFinding,
} from './raise-finding.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [org, auditor, owner, policy, id, inspection] = [uuid(1), uuid(2), uuid(3), uuid(4), uuid(5), uuid(6)];
const at = '2026-11-21T09:00:00.000Z';
const facts = { title: ' No date ', body: 'Page 2', requirement: '', severity: 'major' } as const;
const target = { table: 'policies', id: policy } as const;
let store: Store;

beforeEach(() => {
  store = memoryStore(
    {
      policies: [{ id: policy, organization_id: org, title: 'Locks', owner_id: owner }],
      inspections: [
        {
          id: inspection,
          organization_id: org,
          title: 'Round',
          form_id: uuid(7),
          form_version_id: uuid(8),
          conducted_by: owner,
        },
      ],
      people: [{ id: auditor, display_name: 'Ada' }],
    },
    auditor,
  );
});

const raise = (more = {}) =>
  store.write('raise', tx => raiseFinding(tx, { id, target, by: auditor, at, ...facts, ...more }));
const answer = (more = {}) =>
  store.write('answer', tx =>
    answerFinding(tx, { id, answer: ' Dated ', action: null, playbookId: null, by: owner, at, ...more }),
  );
const judge = (state: 'closed' | 'reopened', verdict = '') =>
  store.write('judge', tx => judgeFinding(tx, { id, state, verdict, by: auditor, at }));
const opened = async () => {
  const found = await store.read(openedFinding(id));
  if (!found) throw new Error('no finding');
  return found;
};

describe('a finding', () => {
  test('says what it is about, who is responsible and who wrote it down when', async () => {
    await raise();
    expect(await opened()).toMatchObject({
      finding: {
        title: 'No date',
        body: 'Page 2',
        requirement: null,
        severity: 'major',
        state: 'open',
        owner_id: owner,
        raised_by: auditor,
        raised_at: at,
        organization_id: org,
      },
      about: { table: 'policies', id: policy, title: 'Locks' },
      actions: [],
    });
    expect((await store.read(findingsAbout(target))).findings).toHaveLength(1);
  });

  test('needs a title and a record that is there', async () => {
    await expect(raise({ title: '  ' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(raise({ target: { table: 'policies', id: uuid(99) } })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('goes from open to answered, to reopened with a reason, and to closed; its words stay once it is answered', async () => {
    await raise();
    await store.write('change', tx => rewriteFinding(tx, id, { ...facts, title: 'No day' }));
    await expect(answer({ answer: ' ' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(judge('closed')).rejects.toMatchObject({ code: 'stale_version' });
    await answer();
    await expect(answer()).rejects.toMatchObject({ code: 'stale_version' });
    await expect(store.write('w', tx => rewriteFinding(tx, id, facts))).rejects.toMatchObject({
      code: 'stale_version',
    });
    await expect(store.write('r', tx => removeFinding(tx, id))).rejects.toMatchObject({ code: 'stale_version' });
    await expect(judge('reopened', ' ')).rejects.toMatchObject({ code: 'invalid' });
    await judge('reopened', 'Not on page 3');
    expect((await opened()).finding).toMatchObject({
      title: 'No day',
      state: 'reopened',
      verdict: 'Not on page 3',
      answer: 'Dated',
      answered_by: owner,
    });
    await answer({ answer: 'There too' });
    await judge('closed');
    expect((await opened()).finding).toMatchObject({
      state: 'closed',
      answer: 'There too',
      decided_by: auditor,
      decided_at: at,
    });
  });

  test('is answered with work that stands with it, as grave as it is', async () => {
    await raise();
    const action = { id: uuid(20), title: 'Date it', assigneeId: owner, dueAt: at };
    await expect(answer({ action: { ...action, title: '' } })).rejects.toMatchObject({ code: 'invalid' });
    await answer({ action });
    expect((await opened()).actions).toMatchObject([
      {
        title: 'Date it',
        source_type: 'finding',
        source_id: id,
        priority: 'high',
        status: 'assigned',
        due_at: at,
        description: 'Page 2',
      },
    ]);
  });

  test('is taken back before it is answered, and given to somebody else', async () => {
    await raise();
    await store.write('o', tx => nameFindingOwner(tx, id, null));
    expect((await opened()).finding.owner_id).toBeNull();
    await store.write('r', tx => removeFinding(tx, id));
    expect(await store.read(openedFinding(id))).toBeNull();
    await expect(store.write('r', tx => removeFinding(tx, id))).rejects.toMatchObject({ code: 'not_found' });
  });

  test('about an inspection waits until it is finished; the gravest stands first', async () => {
    const about = { table: 'inspections', id: inspection } as const;
    expect((await store.read(findingsAbout(about))).isOver).toBe(false);
    await store.write('f', tx => tx.change('inspections', inspection, { finished_at: at }));
    expect((await store.read(findingsAbout(about))).isOver).toBe(true);
    await raise();
    await raise({ id: uuid(30), severity: 'critical', target: about });
    const rows = await store.read(findingList(org));
    expect(rows.map(row => [row.severity, viewOfFinding(row)])).toEqual([
      ['critical', 'waiting'],
      ['major', 'waiting'],
    ]);
  });
});

const anyRights = fc.record({
  raises: fc.boolean(),
  answers: fc.boolean(),
  userId: fc.constantFrom(auditor, owner, uuid(9)),
});
const anyState = fc.constantFrom<FindingState>('open', 'answered', 'closed', 'reopened');

test('nobody closes what they answered or are responsible for, and nobody may what its state does not allow', async () => {
  await raise();
  const { finding } = await opened();
  fc.assert(
    fc.property(anyRights, anyState, fc.option(fc.constantFrom(owner, auditor)), (rights, state, answered) => {
      const present = { ...finding, state, answered_by: answered };
      expect(mayClose(present, rights) && [answered, present.owner_id].includes(rights.userId)).toBe(false);
      expect(mayClose(present, rights) && !findingMoves[state].includes('closed')).toBe(false);
      expect(mayAnswer(present, rights) && !findingMoves[state].includes('answered')).toBe(false);
      expect(mayReopen(present, rights)).toBe(rights.raises && (state === 'answered' || state === 'closed'));
      expect(mayRewrite(present, rights)).toBe(rights.raises && state === 'open' && rights.userId === auditor);
    }),
  );
});
