import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { SearchIndex } from './search-index.ts';
import type { SearchRecord } from './search-record.ts';
import { searchRecords } from './search-records.ts';

const record = (id: string, fields: Partial<SearchRecord> = {}): SearchRecord => ({
  id: `action/${id}`,
  kind: 'action',
  recordId: id,
  organizationId: 'north',
  playbookId: null,
  title: `Record ${id}`,
  detail: '',
  body: '',
  ...fields,
});

const atOnce = async (): Promise<void> => undefined;
const wish = { organizationId: 'north', limit: 20 };

async function indexOf(records: readonly SearchRecord[]): Promise<SearchIndex> {
  const index = new SearchIndex();
  await index.update(records, atOnce);
  return index;
}

const found = (index: SearchIndex, text: string): string[] => index.find(text, wish).map(hit => hit.recordId);

describe('finding', () => {
  test('by the beginning of each word, in any order, without letter case or accents', async () => {
    const index = await indexOf([
      record('1', { title: 'Eyewash bottle past its date', detail: 'Bay 4 · Site North' }),
      record('2', { title: 'Straße überprüfen' }),
      record('3', { title: 'Forklift 3', body: 'Oil under the truck' }),
    ]);
    expect(found(index, 'bot eye')).toEqual(['1']);
    expect(found(index, 'STRASSE uber')).toEqual(['2']);
    expect(found(index, 'north')).toEqual(['1']);
    expect(found(index, 'truck oil')).toEqual(['3']);
    expect(found(index, 'oil bottle')).toEqual([]);
    expect(found(index, '  ')).toEqual([]);
  });

  test('a misspelt letter is forgiven where nothing else fits', async () => {
    const index = await indexOf([record('1', { title: 'Extinguisher' }), record('2', { title: 'Ladder' })]);
    expect(found(index, 'extinguihser')).toEqual(['1']);
    expect(found(index, 'laddr')).toEqual(['2']);
  });

  test('the title counts more than the text, the open organisation more than another', async () => {
    const index = await indexOf([
      record('text', { title: 'Weekly round', body: 'pump pump' }),
      record('elsewhere', { title: 'Pump', organizationId: 'south' }),
      record('here', { title: 'Pump' }),
    ]);
    expect(found(index, 'pump')).toEqual(['here', 'elsewhere', 'text']);
  });

  test('only the wanted kinds, and no more than wanted', async () => {
    const index = await indexOf([
      record('1', { title: 'Pump one' }),
      record('2', { title: 'Pump two', id: 'inspection/2', kind: 'inspection' }),
      record('3', { title: 'Pump three' }),
    ]);
    expect(index.find('pump', { ...wish, kinds: ['inspection'] }).map(hit => hit.recordId)).toEqual(['2']);
    expect(index.find('pump', { ...wish, limit: 2 })).toHaveLength(2);
  });
});

describe('staying up to date', () => {
  test('a changed record is found by its new words and not by its old ones; a removed one by none', async () => {
    const index = await indexOf([record('1', { title: 'Ladder' }), record('2', { title: 'Crane' })]);
    await index.update([record('1', { title: 'Scaffold' })], atOnce);
    expect([found(index, 'ladder'), found(index, 'scaffold'), found(index, 'crane')]).toEqual([[], ['1'], []]);
    expect(index.size).toBe(1);
  });

  test('whatever is added, changed and removed, it finds what a fresh index finds', async () => {
    const word = fc.constantFrom('ladder', 'crane', 'pump', 'bay', 'north');
    const rows = fc.uniqueArray(fc.record({ id: fc.nat(8).map(String), title: word, body: word }), {
      selector: ({ id }) => id,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 5 }), word, async (states, query) => {
        const kept = states.map(state => state.map(row => record(row.id, { title: row.title, body: row.body })));
        const index = new SearchIndex();
        for (const state of kept) await index.update(state, atOnce);
        const fresh = await indexOf(kept.at(-1) ?? []);
        const sorted = (one: SearchIndex) => found(one, query).toSorted((a, b) => a.localeCompare(b));
        expect(sorted(index)).toEqual(sorted(fresh));
      }),
    );
  });

  test('two updates at once end in the state of the later one', async () => {
    const index = new SearchIndex();
    const breathe = () => new Promise<void>(resolve => setTimeout(resolve, 0));
    const many = Array.from({ length: 600 }, (_, number) => record(String(number)));
    await Promise.all([index.update(many, breathe), index.update(many.slice(0, 3), breathe)]);
    expect(index.size).toBe(3);
  });
});

test('over 10,000 records every key, also a mistyped one, finds what has its words', async () => {
  const words = ['forklift', 'ladder', 'pump', 'valve', 'bay', 'north', 'guard', 'brake', 'hose', 'mast', 'panel'];
  const text = (from: number, count: number) =>
    Array.from({ length: count }, (_, step) => words[(from * 7 + step * (1 + (from % 5))) % words.length]).join(' ');
  const index = await indexOf(
    Array.from({ length: 10_000 }, (_, number) =>
      record(String(number), { title: `${text(number, 3)} ${number}`, body: text(number + 1, 20) }),
    ),
  );
  const keys = ['f', 'fo', 'for', 'fork', 'forklift', 'forklift b', 'forklift bay 9', 'forklfit'];
  const found = keys.map(key => index.find(key, wish));
  for (const hits of found) expect(hits.length).toBeGreaterThan(0);
  expect(found.at(-1)?.every(hit => /forklift/.test(hit.title))).toBe(true);
});

test('inspections, action items, published forms, assets, reports and policies of this device are found, also by asset, site and notes', async () => {
  const store = memoryStore({
    sites: [{ id: 'site', organization_id: 'north', name: 'Site North' }],
    assets: [{ id: 'asset', organization_id: 'north', name: 'Forklift 3', code: 'FL-003' }],
    forms: [
      { id: 'form', organization_id: 'north', name: 'Ladder register', state: 'published' },
      { id: 'draft', organization_id: 'north', name: 'Ladder draft', state: 'draft' },
    ],
    inspections: [
      {
        id: 'check',
        organization_id: 'north',
        form_id: 'form',
        form_version_id: 'version',
        title: 'Pre-use check',
        asset_id: 'asset',
        site_id: 'site',
      },
    ],
    inspection_answers: [
      { id: 'answer', organization_id: 'north', inspection_id: 'check', question: 'mast', note: 'chain is loose' },
    ],
    action_items: [
      { id: 'eyewash', organization_id: 'north', title: 'Eyewash bottle', description: 'past its date' },
      { id: 'gone', organization_id: 'north', title: 'Eyewash removed', deleted_at: '2026-11-21T08:00:00Z' },
    ],
    policies: [{ id: 'policy', organization_id: 'north', title: 'Lockout', code: 'SAF-04', current_version_id: 'v2' }],
    policy_versions: [
      {
        id: 'v2',
        organization_id: 'north',
        policy_id: 'policy',
        title: 'Lockout',
        state: 'published',
        major: 2,
        minor: 0,
        body: 'Isolation card',
      },
      {
        id: 'v1',
        organization_id: 'north',
        policy_id: 'policy',
        title: 'Lockout',
        state: 'superseded',
        major: 1,
        minor: 0,
        body: 'Hydraulics',
      },
    ],
    issue_reports: [
      { id: 'spill', organization_id: 'north', title: 'Oil spilled', description: 'At the charger', site_id: 'site' },
    ],
  });
  const index = await indexOf(await store.read(searchRecords('sam')));
  expect(found(index, 'fl-003').toSorted()).toEqual(['asset', 'check']);
  expect(found(index, 'site north').toSorted()).toEqual(['check', 'spill']);
  expect(found(index, 'oil charger')).toEqual(['spill']);
  expect(found(index, 'loose chain')).toEqual(['check']);
  expect(found(index, 'eyewash')).toEqual(['eyewash']);
  expect(found(index, 'ladder')).toEqual(['form']);
  expect([found(index, 'saf-04'), found(index, 'isolation card'), found(index, 'hydraulics')]).toEqual([
    ['policy'],
    ['policy'],
    [],
  ]);
});

const AT = '2026-11-21T08:00:00Z';

test('findings, controls, rules of work and what was said are found, each in its organisation', async () => {
  const store = memoryStore({
    findings: [
      {
        id: 'finding',
        organization_id: 'north',
        title: 'Two people never trained',
        body: 'Rota of March',
        subject_table: 'controls',
        subject_id: 'ac-2',
        raised_at: AT,
      },
    ],
    frameworks: [{ id: 'low', organization_id: 'north', title: 'Baseline' }],
    controls: [
      {
        id: 'ac-2',
        organization_id: 'north',
        framework_id: 'low',
        code: 'ac-2',
        label: 'AC-2',
        title: 'Account Management',
        family: 'Access Control',
        position: 1,
        statement: 'Define and document the types of accounts.',
      },
    ],
    workflow_rules: [
      { id: 'rule', organization_id: 'north', title: 'Escalate a failed brake', trigger: 'inspection.failed' },
    ],
    tasks: [{ id: 'task', organization_id: 'north', title: 'Order hoses' }],
    comments: [
      {
        id: 'said',
        organization_id: 'north',
        subject_table: 'tasks',
        subject_id: 'task',
        body: 'Ask Hydrotek first',
        written_at: AT,
      },
      {
        id: 'taken back',
        organization_id: 'north',
        subject_table: 'tasks',
        subject_id: 'task',
        body: 'Nonsense',
        written_at: AT,
        deleted_at: '2026-11-21T08:00:00Z',
      },
    ],
  });
  const index = await indexOf(await store.read(searchRecords('sam')));
  expect(found(index, 'trained')).toEqual(['finding']);
  expect(found(index, 'rota march')).toEqual(['finding']);
  expect(found(index, 'account ac')).toEqual(['ac-2']);
  expect(found(index, 'baseline').toSorted()).toEqual(['ac-2', 'low']);
  expect(found(index, 'escalate')).toEqual(['rule']);
  expect(found(index, 'hydrotek')).toEqual(['task']);
  expect(found(index, 'nonsense')).toEqual([]);
});

test("goals, habits and one's circle are found by their person alone; colleagues in each company one shares with them", async () => {
  const store = memoryStore({
    organizations: [{ id: 'home', name: 'Sam', kind: 'private' }],
    organization_members: [
      { id: 'boss', organization_id: 'north', user_id: 'sam', role: 'manager' },
      { id: 'colleague', organization_id: 'north', user_id: 'ada', role: 'member' },
      { id: 'elsewhere', organization_id: 'south', user_id: 'ada', role: 'member' },
      { id: 'guest', organization_id: 'south', user_id: 'sam', role: 'member' },
    ],
    people: [
      { id: 'ada', display_name: 'Ada Lovelace' },
      { id: 'sam', display_name: 'Sam' },
    ],
    goals: [
      {
        id: 'run',
        user_id: 'sam',
        title: 'Run ten kilometres',
        area: 'health-wellness-foundation',
        why: 'For my back',
      },
      { id: 'hers', user_id: 'ada', title: 'Run a marathon', area: 'health-wellness-foundation' },
    ],
    goal_milestones: [{ id: 'five', user_id: 'sam', goal_id: 'run', title: 'Half the distance' }],
    habits: [
      { id: 'walk', user_id: 'sam', name: 'Walk at noon', started_on: '2026-11-01' },
      { id: 'her walk', user_id: 'ada', name: 'Walk at night', started_on: '2026-11-01' },
    ],
    circle_relationships: [
      {
        id: 'coach',
        role: 'mentor_coach',
        subject_id: 'sam',
        helper_id: 'tom',
        helper_name: 'Tom Berg',
        subject_name: 'Sam',
      },
      {
        id: 'helped',
        role: 'mentor_coach',
        subject_id: 'eve',
        helper_id: 'sam',
        helper_name: 'Sam',
        subject_name: 'Eve Stone',
      },
      {
        id: 'over',
        role: 'mentor_coach',
        subject_id: 'sam',
        helper_id: 'max',
        helper_name: 'Max Gone',
        subject_name: 'Sam',
        state: 'ended',
      },
    ],
  });
  const records = await store.read(searchRecords('sam'));
  const index = await indexOf(records);
  expect(found(index, 'run')).toEqual(['run']);
  expect(found(index, 'half back')).toEqual(['run']);
  expect(records.find(({ recordId }) => recordId === 'run')?.organizationId).toBe('home');
  expect(found(index, 'walk')).toEqual(['walk']);
  expect([found(index, 'berg'), found(index, 'stone'), found(index, 'gone')]).toEqual([['coach'], ['helped'], []]);
  expect(index.find('lovelace', wish).map(hit => `${hit.recordId} ${hit.organizationId}`)).toEqual([
    'ada north',
    'ada south',
  ]);
  expect(found(index, 'sam')).toEqual([]);
});
