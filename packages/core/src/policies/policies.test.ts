import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { acknowledgementId, acknowledgePolicy, openForReading } from './acknowledge.ts';
import { reportCsv } from './acknowledgement-report.ts';
import { importPolicy } from './import-policy.ts';
import { policyHash } from './policy-hash.ts';
import { openedPolicy, policyEntries, policySearch, waitingFor } from './queries.ts';
import { sectionsOf } from './sections.ts';
import { documentDiff } from './word-diff.ts';
import { beginNextVersion, editDraft, nextVersionId, writePolicy } from './write-policy.ts';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const POLICY = '00000000-0000-4000-8000-0000000000b1';
const ONE = '00000000-0000-4000-8000-0000000000c1';
const AT = '2026-11-21T09:00:00.000Z';
const words = { title: 'Lockout', body: '# Purpose\n\nOne lock each.\n\n# Steps\n\n1. Stop\n2. Lock\n' };
const request = { organizationId: ORG, userId: ME };

const here = () =>
  memoryStore(
    {
      organization_members: [
        { id: 'm', organization_id: ORG, user_id: ME, role: 'member', joined_at: '2026-01-01T00:00:00Z' },
      ],
      policies: [
        {
          id: POLICY,
          organization_id: ORG,
          title: 'Lockout',
          state: 'published',
          current_version_id: ONE,
          current_major: 1,
          major_since: '2026-11-20T09:00:00.000Z',
        },
      ],
      policy_versions: [
        {
          id: ONE,
          organization_id: ORG,
          policy_id: POLICY,
          state: 'published',
          major: 1,
          minor: 0,
          ...words,
          content_hash: policyHash(words),
        },
      ],
      acknowledgement_campaigns: [
        {
          id: 'c',
          organization_id: ORG,
          policy_id: POLICY,
          audience: { kind: 'roles', ids: ['member'] },
          due_days: 14,
          starts_at: '2026-11-20T08:00:00.000Z',
        },
      ],
    },
    ME,
  );
const given = { versionId: ONE, userId: ME, at: AT, shown: words, sectionsRead: 2, sections: 2 } as const;
const signed = { ...given, decision: 'acknowledged', signedName: ' Sam Worker ', signature: null } as const;

describe('acknowledging', () => {
  test('what is owed is worked out on the device, opened once, and settled by a word', async () => {
    const store = here();
    const [entry] = waitingFor(await store.read(policyEntries(request)));
    expect(entry?.status).toMatchObject({ state: 'requested', isOwed: true, dueAt: '2026-12-04T09:00:00.000Z' });
    await store.write('t', tx => openForReading(tx, { versionId: ONE, userId: ME, at: AT }));
    await store.write('t', tx => openForReading(tx, { versionId: ONE, userId: ME, at: '2026-11-21T10:00:00.000Z' }));
    expect((await store.read(openedPolicy(POLICY, request)))?.status).toMatchObject({
      state: 'opened',
      acknowledgement: { opened_at: AT },
    });
    await store.write('t', tx => acknowledgePolicy(tx, signed));
    const opened = await store.read(openedPolicy(POLICY, request));
    expect(opened?.status.acknowledgement).toMatchObject({
      id: acknowledgementId(ONE, ME),
      state: 'acknowledged',
      content_hash: policyHash(words),
      signed_name: 'Sam Worker',
      method: 'typed',
      decided_at: AT,
      received_at: null,
    });
    expect(waitingFor(await store.read(policyEntries(request)))).toEqual([]);
  });

  test('another text than the one in force, a word given before, no name or no reason are refused and nothing is kept', async () => {
    const store = here();
    const give = (change: object) => store.write('t', tx => acknowledgePolicy(tx, { ...signed, ...change }));
    await expect(give({ shown: { ...words, body: 'Forged' } })).rejects.toMatchObject({ code: 'stale_version' });
    await expect(give({ signedName: ' ' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(give({ decision: 'declined', reason: '' })).rejects.toMatchObject({ code: 'invalid' });
    expect((await store.read(openedPolicy(POLICY, request)))?.acknowledgements).toEqual([]);
    await give({});
    await expect(give({})).rejects.toMatchObject({ code: 'stale_version' });
  });
});

describe('writing', () => {
  test('a policy begins as a draft, is found by its words, and its next version is begun once', async () => {
    const store = here();
    const facts = {
      organizationId: ORG,
      code: 'CR-1',
      summary: '',
      classification: 'internal',
      reviewMonths: null,
    } as const;
    const id = '00000000-0000-4000-8000-0000000000d1';
    const draft = await store.write('t', tx =>
      writePolicy(tx, { id, ...facts, title: 'Kräne', body: 'Nur mit Schein', source: 'written', by: ME }),
    );
    await store.write('t', tx => editDraft(tx, draft, { title: 'Krane', body: 'Nur mit gültigem Schein' }));
    const entries = await store.read(policyEntries(request));
    expect(policySearch()(entries, 'GULTIG cr-1').map(({ policy }) => policy.title)).toEqual(['Krane']);
    expect(policySearch()(entries, 'gültig lock')).toEqual([]);
    const next = await store.write('t', tx => beginNextVersion(tx, POLICY));
    expect(next).toBe(nextVersionId(POLICY, ONE));
    expect(await store.write('t', tx => beginNextVersion(tx, POLICY))).toBe(next);
    await expect(store.write('t', tx => editDraft(tx, ONE, { body: 'x' }))).rejects.toMatchObject({
      code: 'stale_version',
    });
    await expect(store.write('t', tx => editDraft(tx, next, { title: ' ' }))).rejects.toMatchObject({
      code: 'invalid',
    });
  });
});

describe('what is different', () => {
  test('is told in words as they are read, not as they are marked up', () => {
    const before = '# Steps\n\n1. Isolate **the main supply**.\n2. Fix your lock.\n\nUnchanged.\n';
    const after = '# Steps\n\n1. Isolate every energy source.\n2. Fix your lock.\n3. Try to start.\n\nUnchanged.\n';
    const { blocks, added, removed } = documentDiff(before, after);
    expect(blocks.map(({ kind, op }) => `${kind} ${op}`)).toEqual([
      'heading same',
      'item changed',
      'item same',
      'item added',
      'text same',
    ]);
    expect(blocks[1]?.parts).toEqual([
      { op: 'same', text: 'Isolate ' },
      { op: 'removed', text: 'the main supply' },
      { op: 'added', text: 'every energy source' },
      { op: 'same', text: '.' },
    ]);
    expect([added, removed]).toEqual([6, 3]);
  });

  test('whatever the two texts are, what stayed and went is the one, what stayed and came is the other', () => {
    const text = fc
      .array(fc.constantFrom('lock', 'tag', 'try', '- item', '# Head', '\n', '\n\n', 'a', '| a | b |', '**b**', ' '), {
        maxLength: 30,
      })
      .map(parts => parts.join(' '));
    const read = (markdown: string) =>
      documentDiff(markdown, markdown)
        .blocks.map(block => block.parts.map(part => part.text).join(''))
        .join('\n');
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { blocks } = documentDiff(before, after);
        const side = (left: 'added' | 'removed') =>
          blocks
            .filter(({ op }) => op !== (left === 'added' ? 'removed' : 'added'))
            .map(block =>
              block.parts
                .filter(({ op }) => op === 'same' || op === left)
                .map(part => part.text)
                .join(''),
            )
            .join('\n');
        expect(side('added')).toBe(read(after));
        expect(side('removed').split('\n').toSorted()).toEqual(read(before).split('\n').toSorted());
      }),
    );
  });
});

test('a text is cut where it is read in parts; a lone title on top cuts nothing', () => {
  expect(sectionsOf(words.body).map(({ title }) => title)).toEqual(['Purpose', 'Steps']);
  expect(sectionsOf('# All\n\nIntro\n\n## One\n\nx\n\n## Two & <b>\n\ny').map(({ title }) => title)).toEqual([
    'All',
    'One',
    'Two & <b>',
  ]);
  expect(sectionsOf('Only words').map(({ id, title }) => [id, title])).toEqual([['section-1', '']]);
  expect(sectionsOf('')).toEqual([]);
});

describe('bringing Markdown in', () => {
  test('front matter with and without an opening fence is read; lettered lists become numbered ones', () => {
    const old =
      'name: Access Policy\nacronym: AOTP\nmajorRevisions:\n  - date: Jun 1 2018\n    comment: Initial document\nsatisfies:\n  TSC:\n    - CC6.1\n    - CC6.1\n    - a b\nreviewer: x\n---\n# Purpose\n\na. First\n\n    i. Inner\n';
    expect(importPolicy(old, 'access.md')).toEqual({
      ok: true,
      title: 'Access Policy',
      code: 'AOTP',
      changelog: 'Initial document, Jun 1 2018',
      body: '# Purpose\n\n1. First\n\n   1. Inner\n',
      satisfies: [{ framework: 'TSC', name: 'CC6.1' }],
      notes: ['lists', 'front_matter_left'],
    });
    expect(importPolicy('---\r\ntitle: Leave\r\n---\r\n\r\nTake it.\r\n', 'leave.md')).toMatchObject({
      title: 'Leave',
      body: 'Take it.\n',
      notes: [],
    });
    expect(importPolicy('Plain words\n\n---\n\nmore', 'work_at-height.md')).toMatchObject({
      title: 'Work at height',
      body: 'Plain words\n\n---\n\nmore\n',
    });
    expect(importPolicy('# Heading\n\nx', 'a.md')).toMatchObject({ title: 'Heading' });
  });

  test.each([
    ['a\0b', 'not_text'],
    ['---\ntitle: x\n---\n  ', 'empty'],
    ['---\na: [1\n---\nx', 'front_matter'],
    ['x'.repeat(400_001), 'too_large'],
    [
      '---\na: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\ne: &e [*d,*d]\nf: [*e,*e]\n---\nx',
      'front_matter',
    ],
  ])('%# what cannot be brought in says why', (file, problem) => {
    expect(importPolicy(file, 'x.md')).toEqual({ ok: false, problem });
  });
});

test('a report as CSV keeps commas, quotes and lines, and hands a spreadsheet no formula', () => {
  const people = [
    { user_id: ME, name: '=HYPERLINK("x")', state: 'declined' as const, owed: true, reason: 'No,\nnever' },
  ];
  const csv = reportCsv(people, [
    { title: 'Person', value: person => person.name ?? '' },
    { title: 'Reason', value: person => person.reason ?? '' },
  ]);
  expect(csv).toBe('\uFEFFPerson,Reason\r\n"\'=HYPERLINK(""x"")","No,\nnever"\r\n');
});
