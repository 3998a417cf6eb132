import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { knownOf, poamBackground, poamList } from './poam-list.ts';
import { type Data, type PoamResult, readPoam, startOf } from './poam-file.ts';
import { linkPoamControls, poamActionId, putPoamAway, takePoam } from './take-poam.ts';
import { actionItemsAsPoam, writtenPoam } from './write-poam.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organizationId, me, framework] = [uuid(1), uuid(2), uuid(3)];
const at = '2026-11-21T09:00:00.000Z';

const wrapped = (plan: object): Data => ({ 'plan-of-action-and-milestones': plan });
const ITEM = { uuid: uuid(20), title: 'Disable the panel', description: 'It is open to everybody.' };
const RISK = {
  uuid: uuid(30),
  title: 'Rights',
  description: 'Too many',
  statement: 'Anybody may edit',
  status: 'open',
};
const SMALL = {
  uuid: uuid(10),
  metadata: { title: 'Plan', 'last-modified': at, version: '1.1', 'oscal-version': '1.1.2' },
  'import-ssp': { href: '../ssp.xml' },
  observations: [{ uuid: uuid(40), description: 'Looked', methods: ['EXAMINE'], remarks: 'It opened', collected: at }],
  risks: [{ ...RISK, deadline: '2027-01-01T05:00:00-04:00', 'mitigating-factors': [{ uuid: uuid(31) }] }],
  'poam-items': [
    {
      ...ITEM,
      origins: [{ actors: [{ type: 'party', 'actor-uuid': uuid(50) }] }],
      'related-risks': [{ 'risk-uuid': uuid(30) }],
      'related-observations': [{ 'observation-uuid': uuid(40) }],
    },
  ],
};

function good(document: Data): Extract<PoamResult, { ok: true }> {
  const read = readPoam(JSON.stringify(document));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read;
}

const space = () =>
  memoryStore(
    {
      frameworks: [{ id: framework, organization_id: organizationId, title: 'Basics' }],
      controls: ['ac-6', 'au-2'].map((code, position) => ({
        id: derivedId(framework, `control/${code}`),
        organization_id: organizationId,
        framework_id: framework,
        code,
        label: code.toUpperCase(),
        title: code,
        family: 'X',
        statement: '',
        position,
      })),
    },
    me,
  );

async function taken(store: Store, document: Data) {
  const { plan, document: read } = good(document);
  const result = await store.write('take', tx =>
    takePoam(tx, { organizationId, playbookId: null, plan, document: read, by: me }),
  );
  await store.write('link', tx => linkPoamControls(tx, result.poamId));
  return result;
}

const written = async (store: Store, poamId: string) => store.read(writtenPoam(poamId, at));
const edit = (store: Store, id: string, changes: Partial<Row<'action_items'>>) =>
  store.write('edit', tx => tx.change('action_items', id, changes));
const actions = (store: Store) =>
  store.read({ key: 'all', tables: ['action_items'], read: tx => tx.all('action_items') });

describe('a plan that cannot be taken over says every place where it is wrong', () => {
  const of = (plan: object) => JSON.stringify(wrapped(plan));
  test.each([
    ['{', [{ at: '', code: 'not_json' }]],
    ['[]', [{ at: '', code: 'not_oscal' }]],
    ['{"catalog":{}}', [{ at: '', code: 'is_catalogue' }]],
    [of({ ...SMALL, 'poam-items': [] }), [{ at: 'poam-items', code: 'empty' }]],
    [
      of({ ...SMALL, 'poam-items': Array.from({ length: 401 }, (_, n) => ({ ...ITEM, uuid: uuid(1000 + n) })) }),
      [{ at: 'poam-items', code: 'too_many' }],
    ],
    [
      of({ ...SMALL, uuid: 'x', 'poam-items': [ITEM, { ...ITEM, title: ' ' }, { uuid: 7 }] }),
      [
        { at: 'uuid', code: 'not_uuid' },
        { at: 'poam-items[1].uuid', code: 'twice' },
        { at: 'poam-items[1].title', code: 'not_text' },
        { at: 'poam-items[2].uuid', code: 'not_uuid' },
        { at: 'poam-items[2].title', code: 'missing' },
        { at: 'poam-items[2].description', code: 'missing' },
      ],
    ],
    [of({ ...SMALL, risks: [{ ...RISK, deadline: 'soon' }] }), [{ at: 'risks[0].deadline', code: 'not_a_time' }]],
    [of({ ...SMALL, metadata: {} }), [{ at: 'metadata.title', code: 'missing' }]],
  ])('%#', (json, problems) => {
    expect(readPoam(json)).toEqual({ ok: false, problems });
  });

  test('what is nested without end, or larger than the table takes, is refused', () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    const json = JSON.stringify(wrapped(SMALL)).replace('"../ssp.xml"', deep);
    expect(readPoam(json)).toEqual({ ok: false, problems: [{ at: '', code: 'too_deep' }] });
    expect(readPoam(' '.repeat(2_000_001))).toEqual({ ok: false, problems: [{ at: '', code: 'too_large' }] });
  });
});

describe('an item of a plan', () => {
  test('has the deadline, the state and the weight of its risks, also of one named by its mitigating factor', () => {
    const facets = [
      { name: 'likelihood', value: 'low' },
      { name: 'impact', value: 'high' },
    ];
    const plan = {
      ...SMALL,
      risks: [{ ...SMALL.risks[0], status: 'remediating', characterizations: [{ facets }] }],
      'poam-items': [{ ...ITEM, 'related-risks': [{ 'risk-uuid': uuid(31) }] }],
    };
    const { plan: read, notes } = good(wrapped(plan));
    const first = { dueAt: '2027-01-01T09:00:00.000Z', status: 'in_progress', priority: 'high' };
    expect(read.entries).toMatchObject([first]);
    expect(notes).toEqual([{ at: 'poam-items[0].related-risks[0]', code: 'no_such_risk' }]);
  });

  test('without a deadline is due when the last of its remediations ends', () => {
    const task = (end: string) => ({ timing: { 'within-date-range': { start: at, end } } });
    const remediations = [
      { tasks: [task('2027-02-01T00:00:00Z'), { timing: { 'on-date': { date: '2027-03-01T00:00:00Z' } } }] },
    ];
    const risks = [{ ...RISK, remediations }];
    expect(good(wrapped({ ...SMALL, risks })).plan.entries[0]?.dueAt).toBe('2027-03-01T00:00:00.000Z');
  });

  test('that is closed, or whose risk is accepted, closes and accepts nothing here, and that is said before', async () => {
    const second = { ...ITEM, uuid: uuid(21), 'related-risks': [{ 'risk-uuid': uuid(32) }] };
    const plan = {
      ...SMALL,
      risks: [
        { ...RISK, status: 'closed' },
        { ...RISK, uuid: uuid(32), status: 'deviation-approved' },
      ],
      'poam-items': [...SMALL['poam-items'], second],
    };
    expect(good(wrapped(plan)).notes.map(({ code }) => code)).toEqual(['ended', 'accepted_risk']);
    const store = space();
    await taken(store, wrapped(plan));
    expect((await actions(store)).map(({ status }) => status).toSorted()).toEqual(['open', 'ready_for_verification']);
  });

  test('is tied to the controls its findings and props name, where a framework has them', async () => {
    const plan = {
      ...SMALL,
      findings: [
        { uuid: uuid(60), target: { type: 'objective-id', 'target-id': 'AC-6.1_obj.a' } },
        { uuid: uuid(61), target: { 'target-id': 'ac-6_smt' } },
      ],
      'poam-items': [
        {
          ...ITEM,
          props: [{ name: 'impacted-control-id', ns: 'https://fedramp.gov/ns/oscal', value: 'au-2' }],
          'related-findings': [{ 'finding-uuid': uuid(60) }, { 'finding-uuid': uuid(61) }],
        },
      ],
    };
    expect(good(wrapped(plan)).plan.entries[0]?.controls).toEqual(['au-2', 'ac-6.1', 'ac-6']);
    const store = space();
    const { poamId } = await taken(store, wrapped(plan));
    const links = await store.read({ key: 'l', tables: ['control_links'], read: tx => tx.all('control_links') });
    expect(links.map(link => [link.target_table, link.target_id])).toEqual(
      Array.from({ length: 2 }, () => ['action_items', poamActionId(poamId, ITEM.uuid)]),
    );
    expect(await written(store, poamId)).toEqual(wrapped(plan));
  });

  test('shows its risk and what was seen on its action item', async () => {
    const store = space();
    const { poamId } = await taken(store, wrapped(SMALL));
    expect(await store.read(poamBackground(poamActionId(poamId, ITEM.uuid)))).toEqual({
      poam: { id: poamId, title: 'Plan' },
      risks: [{ title: 'Rights', text: 'Anybody may edit' }],
      observations: [{ title: '', text: 'Looked\n\nIt opened' }],
    });
  });
});

describe('bringing a plan again', () => {
  test('makes nothing twice, also as a later edition under another uuid', async () => {
    const store = space();
    expect(await taken(store, wrapped(SMALL))).toMatchObject({ added: 1, known: 0, left: 0 });
    expect(await taken(store, wrapped(SMALL))).toMatchObject({ added: 0, known: 1, left: 0 });
    const later = { ...SMALL, uuid: uuid(11), 'poam-items': [...SMALL['poam-items'], { ...ITEM, uuid: uuid(22) }] };
    const { plan, document } = good(wrapped(later));
    expect(await store.read(knownOf(organizationId, plan, document))).toEqual({ added: 1, known: 1 });
    expect(await taken(store, wrapped(later))).toMatchObject({ added: 1, known: 1 });
    expect(await taken(store, wrapped({ ...later, 'poam-items': [{ ...ITEM, uuid: uuid(22) }] }))).toMatchObject({
      left: 1,
    });
    expect(await actions(store)).toHaveLength(2);
    expect(await store.read(poamList(organizationId))).toHaveLength(1);
  });

  test('follows what the edition says otherwise, and leaves what people wrote here', async () => {
    const store = space();
    const { poamId } = await taken(store, wrapped(SMALL));
    const id = poamActionId(poamId, ITEM.uuid);
    await edit(store, id, { title: 'Ours', status: 'in_progress' });
    const [item] = SMALL['poam-items'];
    await taken(store, wrapped({ ...SMALL, 'poam-items': [{ ...item, description: 'Known to all.' }] }));
    expect((await actions(store))[0]).toMatchObject({
      title: 'Ours',
      status: 'in_progress',
      description: 'Known to all.',
    });
  });

  test('also after it was put away; its action items stayed', async () => {
    const store = space();
    const { poamId } = await taken(store, wrapped(SMALL));
    await store.write('away', tx => putPoamAway(tx, poamId));
    expect(await store.read(poamList(organizationId))).toEqual([]);
    expect(await taken(store, wrapped(SMALL))).toMatchObject({ added: 0, known: 1 });
    await expect(store.write('again', tx => putPoamAway(tx, uuid(99)))).rejects.toMatchObject({ code: 'not_found' });
  });
});

const words = fc.string({ minLength: 1, maxLength: 30 }).map(text => `w${text.replaceAll('\u0000', '')}`);
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(date => `${date.toISOString().slice(0, 19)}+00:00`);
const anything = fc.dictionary(fc.constantFrom('links', 'remarks', 'x-own', 'origins'), fc.jsonValue({ maxDepth: 3 }));
const anyRisk = fc.record(
  {
    title: words,
    description: words,
    statement: words,
    deadline: time,
    status: fc.constantFrom(
      'open',
      'investigating',
      'remediating',
      'deviation-requested',
      'deviation-approved',
      'closed',
      'own-word',
    ),
  },
  { requiredKeys: ['title', 'description', 'statement', 'status'] },
);
const anyItem = fc.record({
  title: words,
  description: words,
  rest: anything,
  risks: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
});

const anyPlan = fc
  .record({
    risks: fc.array(anyRisk, { maxLength: 4 }),
    items: fc.array(anyItem, { minLength: 1, maxLength: 4 }),
    rest: anything,
  })
  .map(({ risks, items, rest }) =>
    wrapped({
      ...rest,
      uuid: uuid(10),
      metadata: { title: 'Plan', 'last-modified': '2020-01-01T00:00:00Z', version: '1', 'oscal-version': '1.1.2' },
      risks: risks.map((risk, n) => ({ uuid: uuid(30 + n), ...risk })),
      'poam-items': items.map(({ rest: more, risks: about, ...item }, n) => ({
        ...more,
        uuid: uuid(20 + n),
        ...item,
        'related-risks': about.map(index => ({ 'risk-uuid': uuid(30 + index) })),
      })),
    }),
  );

const anyEdit = fc.record(
  {
    title: words,
    description: fc.option(words),
    due_at: fc.option(time.map(text => new Date(text).toISOString())),
    priority: fc.constantFrom('low', 'medium', 'high', 'critical'),
    status: fc.constantFrom(
      'open',
      'in_progress',
      'needs_revision',
      'ready_for_verification',
      'closed',
      'risk_accepted',
      'duplicate',
      'not_valid',
    ),
  },
  { requiredKeys: [] },
);

describe('a plan that is written again', () => {
  test('is, untouched, the file that was brought: every field of it, known to us or not', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, async plan => {
        const document = JSON.parse(JSON.stringify(plan)) as Data;
        const store = space();
        const { poamId } = await taken(store, document);
        expect(await written(store, poamId)).toEqual(document);
      }),
    );
  });

  test('says of every action item what it is now, whatever was changed, and the rest as before', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, fc.array(anyEdit, { minLength: 4, maxLength: 4 }), async (plan, edits) => {
        const store = space();
        const { poamId } = await taken(store, JSON.parse(JSON.stringify(plan)) as Data);
        for (const [index, row] of (await actions(store)).entries()) await edit(store, row.id, edits[index] ?? {});
        const read = good((await written(store, poamId)) ?? {});
        const now = await actions(store);
        const before = good(JSON.parse(JSON.stringify(plan)) as Data).plan.entries;
        for (const entry of read.plan.entries) {
          const row = now.find(({ source_question: from }) => from === entry.uuid);
          expect({ ...entry, status: null }).toMatchObject({
            title: row?.title.trim(),
            description: row?.description?.trim() === row?.title.trim() ? null : (row?.description?.trim() ?? null),
            dueAt: row?.due_at ?? null,
            priority: row?.priority,
          });
          const formerStatus = before.find(({ uuid: of }) => of === entry.uuid)?.status ?? 'open';
          expect(entry.status).toBe(row?.status === startOf(formerStatus) ? formerStatus : row?.status);
        }
        // What we wrote is a plan we would take over again, and brings nothing new.
        expect(await taken(store, (await written(store, poamId)) ?? {})).toMatchObject({ added: 0 });
      }),
    );
  });

  test('has a description that follows the title where it only repeated it', async () => {
    const store = space();
    const formerStatus = { ...ITEM, title: 'Log it', description: 'Log it' };
    const { poamId } = await taken(store, wrapped({ ...SMALL, 'poam-items': [formerStatus] }));
    await edit(store, poamActionId(poamId, ITEM.uuid), { title: 'Log it daily' });
    const { plan } = good((await written(store, poamId)) ?? {});
    expect(plan.entries).toMatchObject([{ title: 'Log it daily', description: null }]);
  });

  test('has the day of its change where something changed, and the risk its state and deadline', async () => {
    const store = space();
    const { poamId } = await taken(store, wrapped(SMALL));
    await edit(store, poamActionId(poamId, ITEM.uuid), { status: 'closed', due_at: '2027-05-01T00:00:00Z' });
    const [item] = SMALL['poam-items'];
    expect(await written(store, poamId)).toEqual(
      wrapped({
        ...SMALL,
        metadata: { ...SMALL.metadata, 'last-modified': at },
        risks: [{ ...SMALL.risks[0], status: 'closed', deadline: '2027-05-01T00:00:00.000Z' }],
        'poam-items': [item],
      }),
    );
  });

  test('of action items that came from no plan can be read, and brings none of them twice', async () => {
    const store = space();
    expect(await store.read(actionItemsAsPoam({ organizationId, title: 'Ours', at }))).toBeNull();
    await store.write('make', async tx => {
      const rest = { organization_id: organizationId, source_type: 'manual' as const };
      await tx.put('action_items', {
        id: uuid(70),
        ...rest,
        title: 'Mend',
        status: 'duplicate',
        priority: 'critical',
        due_at: at,
      });
      await tx.put('action_items', {
        id: uuid(71),
        ...rest,
        title: 'Look',
        description: 'Twice',
        status: 'open',
        priority: 'low',
      });
    });
    const plan = (await store.read(actionItemsAsPoam({ organizationId, title: 'Ours', at }))) ?? {};
    expect(good(plan).plan.entries).toMatchObject([
      { title: 'Mend', description: null, status: 'duplicate', priority: 'critical', dueAt: at },
      { title: 'Look', description: 'Twice', status: 'open', priority: 'low', dueAt: null },
    ]);
    expect(JSON.stringify(plan)).toMatch(/"uuid":"[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect(await taken(store, plan)).toMatchObject({ added: 0, known: 2 });
    expect(await actions(store)).toHaveLength(2);
  });

  const file = fileURLToPath(
    new URL('../../../../../shared/data/oscal/ifa_plan-of-action-and-milestones.json', import.meta.url),
  );
  test.runIf(existsSync(file))('is the example of NIST, to the letter', async () => {
    const document = JSON.parse(readFileSync(file, 'utf8')) as Data;
    const store = space();
    const { poamId, added } = await taken(store, document);
    expect(added).toBe(2);
    expect(JSON.stringify(await written(store, poamId))).toBe(JSON.stringify(document));
    expect((await taken(store, document)).added).toBe(0);
    const [first] = await actions(store);
    expect(first).toMatchObject({ due_at: '2024-01-01T09:00:00.000Z', priority: 'high', status: 'open' });
  });
});
