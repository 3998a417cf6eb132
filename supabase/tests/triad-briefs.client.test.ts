import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visibility } from '@cairn/core/support-circle/visibility.ts';
import { covers } from '@cairn/core/triad-intelligence/brief-line.ts';
import { bring, logged, read, relate, STATES } from './circle-steps.ts';
import {
  decide,
  EVERYTHING,
  grantAll,
  reviewedBrief,
  move,
  receivedBy,
  relateThree,
  review,
  revoke,
  serveTriad,
  theBrief,
  type TriadWorld,
  type Trio,
} from './triad-steps.ts';

/** Weekly briefs, the whole way: official client, local server, session, policy. */
let triad: TriadWorld;
beforeAll(async () => {
  triad = await serveTriad();
});
afterAll(() => triad.served.stop());

const operatorCells = visibility.triad_intelligence_operator.flatMap(offer =>
  STATES.filter(state => state !== 'ended').map(state => ({ offer, state, scope: offer.scope, level: offer.level })),
);
const KINDS: Record<string, string[]> = {
  goals: ['goals'],
  habits: ['habits'],
  wellness: ['wellness', 'week'],
  tasks: ['tasks'],
};

describe('a brief is put together', () => {
  test('from figures of the week by fixed rules, the same each time, and each reading is in the log', async () => {
    const trio = await relateThree(triad);
    const grants = await grantAll(triad, trio.operator, EVERYTHING);
    const first = await theBrief(triad.operator, trio.operator);
    expect(first.week).toBe(triad.week);
    expect(first.lines.map(({ kind, level, figures }) => [kind, level, figures])).toEqual([
      ['goals', 'summary', { active: 2, moved: 1, paused: 0, achieved: 0 }],
      ['habits', 'summary', { habits: 2, days: 3, days_before: 1 }],
      ['wellness', 'summary', { n: 5, mood: 4, stress: 2 }],
      ['week', 'ok', { ok: true }],
      ['tasks', 'counts', { done: 0, open: 1, late: 0 }],
    ]);
    const again = await theBrief(triad.operator, trio.operator);
    expect(again.lines).toEqual(first.lines);
    for (const grant of grants) expect(await logged(triad, grant)).toBe(2);
    // Figures, never a name, a word or an id of what was counted.
    const text = JSON.stringify(first);
    for (const never of ['secret word', 'Walk', 'dentist', '112.375', triad.habit, triad.goal, triad.task]) {
      expect(text).not.toContain(never);
    }
  });

  test.for(operatorCells)('from $scope/$level, $state', async ({ offer, state }) => {
    const relationship = await relate(triad, 'triad_intelligence_operator');
    const grant = await bring(triad, state, relationship, offer);
    const { briefs } = await review(triad.operator, relationship);
    const kinds = briefs.flatMap(({ lines }) => lines.map(({ kind }) => kind));
    expect(kinds).toEqual(state === 'granted' ? KINDS[offer.scope] : []);
    expect(await logged(triad, grant)).toBe(state === 'granted' ? 1 : 0);
    // Nothing was made where nothing is granted.
    expect(await triad.served.db.asAdmin('select 1 from triad_briefs')).toHaveLength(state === 'granted' ? 1 : 0);
  });
});

describe('who gets what of a brief', () => {
  test('an operator whose part has ended asks for nothing', async () => {
    const relationship = await relate(triad, 'triad_intelligence_operator');
    const [offer] = visibility.triad_intelligence_operator;
    if (!offer) throw new Error('an operator is granted something');
    const grant = await bring(triad, 'ended', relationship, offer);
    await expect(review(triad.operator, relationship)).rejects.toThrow('42501');
    expect(await logged(triad, grant)).toBe(0);
  });

  test('nobody but the operator looks it through, nobody but the person decides, and nobody of an employer sees any of it', async () => {
    const trio = await relateThree(triad);
    await grantAll(triad, trio.operator, EVERYTHING);
    await grantAll(triad, trio.mentor, [['goals', 'full']]);
    const brief = await theBrief(triad.operator, trio.operator);
    const admin = await triad.served.signIn('admin');
    const { visitor, manager } = triad.served.clients;
    const keep = brief.lines.map(({ id }) => ({ id }));
    for (const client of [triad.mentor, triad.partner, triad.subject, admin, manager, visitor]) {
      for (const relationship of Object.values(trio)) {
        const { error } = await client.rpc('brief_for_review', { p_relationship: relationship });
        expect(error?.code).toBe('42501');
      }
      const reviewed = await client.rpc('review_brief', { p_brief: brief.id, p_lines: keep });
      expect(reviewed.error?.code).toBe('42501');
    }
    // Not before the operator looked it through, by the person either.
    expect((await decide(triad.subject, brief.id, [], [])).error?.code).toBe('42501');
    await reviewedBrief(triad, trio.operator);
    for (const client of [triad.operator, triad.mentor, triad.partner, admin, manager, visitor]) {
      expect((await decide(client, brief.id, [], [])).error?.code).toBe('42501');
    }
    const goals = brief.line('goals').id;
    const sent = await decide(triad.subject, brief.id, [goals], [{ relationship: trio.mentor, lines: [goals] }]);
    expect(sent.data).toEqual([{ relationship: trio.mentor, lines: 1 }]);
    for (const [client, briefs, lines, copies] of [
      [triad.subject, 1, 5, 1],
      [triad.operator, 1, 0, 0],
      [triad.mentor, 0, 0, 1],
      [triad.partner, 0, 0, 0],
      [admin, 0, 0, 0],
      [manager, 0, 0, 0],
    ] as const) {
      const count = async (table: string) => ((await client.from(table).select('id')).data ?? []).length;
      expect([
        await count('triad_briefs'),
        await count('triad_brief_lines'),
        await count('triad_brief_copies'),
      ]).toEqual([briefs, lines, copies]);
    }
    const [copy] = (await triad.subject.from('triad_brief_copies').select('id')).data ?? [];
    for (const client of [triad.mentor, triad.operator, admin, visitor]) {
      expect((await client.rpc('take_back_brief', { p_copy: copy?.id })).error?.code).toBe('42501');
    }
    expect((await visitor.from('triad_brief_copies').select('id')).data ?? []).toEqual([]);
    // Once is enough.
    expect((await decide(triad.subject, brief.id, [goals], [])).error?.code).toBe('42501');
  });

  test('the operator leaves lines out and adds words; the person approves line by line; nobody is sent more than they are granted', async () => {
    const trio = await relateThree(triad);
    await grantAll(triad, trio.operator, EVERYTHING);
    const [full] = await grantAll(triad, trio.mentor, [
      ['goals', 'full'],
      ['habits', 'summary'],
      ['wellness', 'summary'],
      // With all the operator was shown: else the words stay behind (see below).
      ['tasks', 'full'],
    ]);
    await grantAll(triad, trio.partner, [
      ['habits', 'full', [triad.habit]],
      ['wellness', 'ok'],
    ]);
    const brief = await theBrief(triad.operator, trio.operator);
    const id = (kind: string) => brief.line(kind).id;
    const kept = ['goals', 'habits', 'wellness', 'week'].map(kind => ({
      id: id(kind),
      wording: kind === 'goals' ? ' Well done ' : null,
    }));
    expect((await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines: [] })).error?.code).toBe('22023');
    const long = [{ id: id('goals'), wording: 'x'.repeat(401) }];
    expect((await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines: long })).error?.code).toBe('22023');
    const strange = [{ id: triad.goal }];
    expect((await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines: strange })).error?.code).toBe(
      '42501',
    );
    expect((await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines: kept })).error).toBeNull();
    expect((await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines: kept })).error?.code).toBe('42501');
    const { data: told } = await triad.subject.from('notifications').select('path').eq('type', 'brief.reviewed');
    expect(told?.at(-1)).toEqual({ path: '/triad-intelligence' });
    const everything = brief.lines.map(line => line.id);
    const approved = [id('goals'), id('habits'), id('week'), id('tasks')];
    const to = [trio.mentor, trio.partner, trio.operator].map(relationship => ({ relationship, lines: everything }));
    const { data: sent } = await decide(triad.subject, brief.id, approved, to);
    expect(sent).toEqual(
      [
        { relationship: trio.mentor, lines: 3 },
        // One of the two habits that were counted is not theirs to know of.
        { relationship: trio.partner, lines: 1 },
      ].toSorted((a, b) => a.relationship.localeCompare(b.relationship)),
    );
    expect(await receivedBy(triad.mentor)).toEqual([['goals', 'habits', 'week']]);
    expect(await receivedBy(triad.partner)).toEqual([['week']]);
    const { data: copies } = await triad.mentor.from('triad_brief_copies').select('lines');
    expect(JSON.stringify(copies)).toContain('Well done');
    for (const never of ['Walk', triad.habit, triad.goal]) expect(JSON.stringify(copies)).not.toContain(never);
    // What was sent is in the access log, under the receiver's own grant.
    const { data: reads } = await triad.subject
      .from('grant_reads')
      .select('grant_id, scope, brief_id')
      .not('brief_id', 'is', null);
    expect(reads).toContainEqual({ grant_id: full, scope: 'goals', brief_id: brief.id });
    expect(reads?.map(({ scope }) => scope).toSorted()).toEqual(['goals', 'habits', 'wellness', 'wellness']);
  });

  const SECRET = 'Mood was 2.1 and she sleeps badly';
  /** Everything a person's device and their calls can have of a brief, as text. */
  const reaching = async (client: typeof triad.mentor, relationship: string) => {
    const rows = await Promise.all(
      ['triad_brief_copies', 'triad_brief_lines', 'triad_briefs', 'notifications', 'grant_reads'].map(async table =>
        JSON.stringify((await client.from(table).select('*')).data),
      ),
    );
    const pulled = await client.rpc('sync_pull', { p_device: crypto.randomUUID(), p_cursors: {} });
    const looked = await read(client, relationship);
    return JSON.stringify([rows, pulled.data, pulled.error, looked]);
  };

  /** The operator writes beside all that is left of the brief, and the person sends all of it on. */
  const sendLines = async ({ operator }: Trio, relationship: string): Promise<void> => {
    const brief = await theBrief(triad.operator, operator);
    const lines = brief.lines.map(({ id }) => id);
    const p_lines = lines.map(id => ({ id, wording: SECRET }));
    expect((await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines })).error).toBeNull();
    expect((await decide(triad.subject, brief.id, lines, [{ relationship, lines }])).error).toBeNull();
  };

  test('words of the operator rest on all they were shown: of a reader with fewer grants no byte of them is reached, whichever line they stand beside', async () => {
    for (const missing of ['habits', 'wellness', 'tasks'] as const) {
      const trio = await relateThree(triad);
      await grantAll(triad, trio.operator, EVERYTHING);
      const granted = EVERYTHING.map(([scope]) => [scope, scope === 'wellness' ? 'summary' : 'full'] as const);
      await grantAll(
        triad,
        trio.mentor,
        granted.filter(([scope]) => scope !== missing),
      );
      const brief = await theBrief(triad.operator, trio.operator);
      // Beside the line about goals, which the mentor may have; the line the words come from is left out.
      const kept = brief.lines
        .filter(({ scope }) => scope !== missing)
        .map(({ id, kind }) => ({ id, wording: kind === 'goals' ? SECRET : null }));
      await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines: kept });
      const lines = brief.lines.map(({ id }) => id);
      const to = [{ relationship: trio.mentor, lines }];
      expect((await decide(triad.subject, brief.id, lines, to)).error).toBeNull();
      expect((await receivedBy(triad.mentor))[0]).toContain('goals');
      expect(await reaching(triad.mentor, trio.mentor)).not.toContain('Mood was');
      // The person has them.
      const own = await triad.subject.from('triad_brief_lines').select('wording').eq('brief_id', brief.id);
      expect(JSON.stringify(own.data)).toContain(SECRET);
    }
  });

  test('nor those of a partner who knows whether the week was all right: that line comes of means they may not know', async () => {
    const trio = await relateThree(triad);
    await grantAll(triad, trio.operator, [['wellness', 'summary']]);
    await grantAll(triad, trio.partner, [['wellness', 'ok']]);
    const brief = await theBrief(triad.operator, trio.operator);
    const kept = [{ id: brief.line('week').id, wording: SECRET }];
    await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines: kept });
    const lines = [brief.line('week').id];
    expect((await decide(triad.subject, brief.id, lines, [{ relationship: trio.partner, lines }])).error).toBeNull();
    expect(await receivedBy(triad.partner)).toEqual([['week']]);
    expect(await reaching(triad.partner, trio.partner)).not.toContain('Mood was');
  });

  test('what is withdrawn takes the words along that were written knowing it, from every line that is not sent', async () => {
    const trio = await relateThree(triad);
    const [, , wellness] = await grantAll(triad, trio.operator, EVERYTHING);
    await grantAll(triad, trio.mentor, [
      ['goals', 'full'],
      ['habits', 'full'],
      ['tasks', 'full'],
    ]);
    const brief = await theBrief(triad.operator, trio.operator);
    const kept = brief.lines.map(({ id, kind }) => ({ id, wording: kind === 'goals' ? SECRET : null }));
    await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines: kept });
    await revoke(triad.subject, wellness ?? '');
    const lines = brief.lines.map(({ id }) => id);
    expect((await decide(triad.subject, brief.id, lines, [{ relationship: trio.mentor, lines }])).error).toBeNull();
    expect(await receivedBy(triad.mentor)).toEqual([['goals', 'habits', 'tasks']]);
    expect(await reaching(triad.mentor, trio.mentor)).not.toContain('Mood was');
  });

  test('words that are written after something was withdrawn rest on it as well: it had been shown', async () => {
    const trio = await relateThree(triad);
    const [, , wellness] = await grantAll(triad, trio.operator, EVERYTHING);
    await grantAll(triad, trio.mentor, [
      ['goals', 'full'],
      ['habits', 'full'],
      ['tasks', 'full'],
    ]);
    await theBrief(triad.operator, trio.operator);
    await revoke(triad.subject, wellness ?? '');
    const brief = await theBrief(triad.operator, trio.operator);
    const kept = brief.lines.map(({ id, kind }) => ({ id, wording: kind === 'goals' ? SECRET : null }));
    expect((await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines: kept })).error).toBeNull();
    const lines = brief.lines.map(({ id }) => id);
    expect((await decide(triad.subject, brief.id, lines, [{ relationship: trio.mentor, lines }])).error).toBeNull();
    expect(await receivedBy(triad.mentor)).toEqual([['goals', 'habits', 'tasks']]);
    expect(await reaching(triad.mentor, trio.mentor)).not.toContain('Mood was');
  });

  test('nor do they reach who is granted some of what was shown whole and withdrawn since: the rest of it was shown, too', async () => {
    const trio = await relateThree(triad);
    const habits = ['habits', 'full', [triad.habit, triad.otherHabit]] as const;
    const [goals] = await grantAll(triad, trio.operator, [
      ['goals', 'summary'],
      ['habits', 'summary'],
    ]);
    await grantAll(triad, trio.partner, [['goals', 'full', [triad.goal]], habits]);
    await theBrief(triad.operator, trio.operator);
    await revoke(triad.subject, goals ?? '');
    await sendLines(trio, trio.partner);
    expect(await receivedBy(triad.partner)).toEqual([['habits']]);
    expect(await reaching(triad.partner, trio.partner)).not.toContain('Mood was');
  });

  test('an operator who is a mentor too writes knowing both: the words reach who is granted both', async () => {
    const { db, world } = triad.served;
    const asMentor: readonly (readonly [string, string])[] = [
      ['wellness', 'summary'],
      ['tasks', 'full'],
    ];
    for (const granted of [[], asMentor]) {
      const trio = await relateThree(triad);
      const [second] = await db.asAdmin(
        `insert into circle_relationships (subject_id, helper_id, role, subject_name, helper_name)
         values ($1, $2, 'mentor_coach', 'Wanda', 'Helper') returning id`,
        [world.worker, world.stranger],
      );
      await grantAll(triad, trio.operator, [['habits', 'summary']]);
      await grantAll(triad, String(second?.['id']), asMentor);
      await grantAll(triad, trio.mentor, [['habits', 'full'], ...granted]);
      await read(triad.operator, String(second?.['id']));
      await sendLines(trio, trio.mentor);
      expect(await receivedBy(triad.mentor)).toEqual([['habits']]);
      expect((await reaching(triad.mentor, trio.mentor)).includes('Mood was')).toBe(granted.length > 0);
    }
  });

  test('a partner who was given every habit that was counted is sent the line about habits', async () => {
    const trio = await relateThree(triad);
    await grantAll(triad, trio.operator, [['habits', 'summary']]);
    await grantAll(triad, trio.partner, [['habits', 'full', [triad.habit, triad.otherHabit]]]);
    const brief = await reviewedBrief(triad, trio.operator);
    const lines = [brief.line('habits').id];
    expect((await decide(triad.subject, brief.id, lines, [{ relationship: trio.partner, lines }])).error).toBeNull();
    expect(await receivedBy(triad.partner)).toEqual([['habits']]);
  });

  test('what a grant covers is the same in the app and in the database', async () => {
    const levels = [
      ['goals', 'summary'],
      ['habits', 'summary'],
      ['wellness', 'summary'],
      ['wellness', 'ok'],
      ['tasks', 'counts'],
    ] as const;
    const offers = Object.values(visibility).flat();
    for (const { scope, level, chosen } of offers) {
      for (const item_ids of chosen ? [['a'], ['a', 'b', 'c']] : [null]) {
        for (const [of, much] of levels) {
          const told = { scope: of, level: much, item_ids: ['a', 'b'] };
          const [row] = await triad.served.db.asAdmin(
            `select brief.grant_covers(jsonb_populate_record(null::consent_grants, $1), $2, $3, '["a", "b"]') as covered`,
            [{ scope, level, item_ids }, of, much],
          );
          expect([scope, level, item_ids, of, much, covers({ scope, level, item_ids }, told)]).toEqual([
            scope,
            level,
            item_ids,
            of,
            much,
            row?.['covered'],
          ]);
        }
      }
    }
  });
});

describe('what is withdrawn', () => {
  test('takes its lines out of a brief that was not sent, and the brief when nothing is left', async () => {
    const trio = await relateThree(triad);
    const grants = await grantAll(triad, trio.operator, EVERYTHING);
    const brief = await reviewedBrief(triad, trio.operator);
    expect(await revoke(triad.subject, grants[1] ?? '')).toMatchObject({ st: 'applied' });
    const kinds = async () =>
      (
        (await triad.subject.from('triad_brief_lines').select('kind').eq('brief_id', brief.id).order('position'))
          .data ?? []
      ).map(row => row.kind);
    expect(await kinds()).toEqual(['goals', 'wellness', 'week', 'tasks']);
    expect(JSON.stringify(await review(triad.operator, trio.operator))).not.toContain('"habits"');
    for (const grant of [grants[0], grants[2], grants[3]]) await revoke(triad.subject, grant ?? '');
    expect(await kinds()).toEqual([]);
    const { data } = await triad.subject.from('triad_briefs').select('state').eq('id', brief.id);
    expect(data).toEqual([{ state: 'withdrawn' }]);
    expect((await decide(triad.subject, brief.id, [], [])).error?.code).toBe('42501');
  });

  test('is sent to nobody when a grant ran out, or the receiver’s was taken back meanwhile', async () => {
    const trio = await relateThree(triad);
    const [goals] = await grantAll(triad, trio.operator, EVERYTHING);
    const [, theirs] = await grantAll(triad, trio.mentor, [
      ['goals', 'full'],
      ['habits', 'summary'],
    ]);
    const brief = await reviewedBrief(triad, trio.operator);
    await triad.served.db.asAdmin('update consent_grants set valid_until = now() where id = $1', [goals]);
    await revoke(triad.subject, theirs ?? '');
    const lines = brief.lines.map(({ id }) => id);
    const to = [{ relationship: trio.mentor, lines }];
    expect((await decide(triad.subject, brief.id, lines, to)).error?.code).toBe('42501');
    expect(await receivedBy(triad.mentor)).toEqual([]);
    const { data } = await triad.subject.from('triad_brief_lines').select('is_approved').eq('is_approved', true);
    expect(data).toEqual([]);
    await triad.served.db.asAdmin('select brief.sweep_briefs()');
    const left = await triad.subject
      .from('triad_brief_lines')
      .select('kind')
      .eq('brief_id', brief.id)
      .eq('kind', 'goals');
    expect(left.data).toEqual([]);
    expect((await decide(triad.subject, brief.id, lines, [])).error).toBeNull();
    expect((await triad.subject.from('triad_briefs').select('state').eq('id', brief.id)).data).toEqual([
      { state: 'kept' },
    ]);
  });

  test('a pause hides what was sent, on their side; an end and taking back do for good', async () => {
    const trio = await relateThree(triad);
    await grantAll(triad, trio.operator, EVERYTHING);
    await grantAll(triad, trio.mentor, [['goals', 'full']]);
    await grantAll(triad, trio.partner, [['wellness', 'ok']]);
    const brief = await reviewedBrief(triad, trio.operator);
    const lines = brief.lines.map(({ id }) => id);
    const to = [trio.mentor, trio.partner].map(relationship => ({ relationship, lines }));
    expect((await decide(triad.subject, brief.id, lines, to)).error).toBeNull();
    expect(await receivedBy(triad.mentor)).toEqual([['goals']]);
    await move(triad.subject, trio.mentor, ['active', 'paused'], 1);
    expect(await receivedBy(triad.mentor)).toEqual([]);
    await move(triad.subject, trio.mentor, ['paused', 'active'], 2);
    expect(await receivedBy(triad.mentor)).toEqual([['goals']]);
    await move(triad.mentor, trio.mentor, ['active', 'ended'], 3);
    expect(await receivedBy(triad.mentor)).toEqual([]);
    expect(await receivedBy(triad.partner)).toEqual([['week']]);
    const { data } = await triad.subject.from('triad_brief_copies').select('id').eq('relationship_id', trio.partner);
    expect((await triad.subject.rpc('take_back_brief', { p_copy: data?.[0]?.id })).error).toBeNull();
    expect(await receivedBy(triad.partner)).toEqual([]);
    expect(await receivedBy(triad.subject)).toHaveLength(2);
  });

  test('an operator whose part ends takes along what was not decided on; paused, they see nothing of it', async () => {
    const trio = await relateThree(triad);
    await grantAll(triad, trio.operator, EVERYTHING);
    const brief = await theBrief(triad.operator, trio.operator);
    await move(triad.subject, trio.operator, ['active', 'paused'], 1);
    expect((await review(triad.operator, trio.operator)).briefs).toEqual([]);
    const p_lines = brief.lines.map(({ id }) => ({ id }));
    expect((await triad.operator.rpc('review_brief', { p_brief: brief.id, p_lines })).error?.code).toBe('42501');
    await move(triad.operator, trio.operator, ['paused', 'ended'], 2);
    expect((await triad.subject.from('triad_briefs').select('state')).data).toEqual([{ state: 'withdrawn' }]);
    expect((await triad.subject.from('triad_brief_lines').select('id')).data).toEqual([]);
  });

  test('an operator hears once that a week is over', async () => {
    const trio = await relateThree(triad);
    await grantAll(triad, trio.operator, [['tasks', 'counts']]);
    const sweep = async () => {
      await triad.served.db.asAdmin('select brief.sweep_briefs()');
      const { data } = await triad.operator
        .from('notifications')
        .select('id')
        .eq('type', 'brief.due')
        .eq('subject_id', trio.operator);
      return (data ?? []).length;
    };
    expect(await sweep()).toBe(0);
    await triad.served.db.asAdmin(`update circle_relationships set started_at = now() - interval '20 days'`);
    expect([await sweep(), await sweep()]).toEqual([1, 1]);
  });
});
