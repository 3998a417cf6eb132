import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDevice, type Edit } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** Whether a record of others exists is theirs to know: what belongs to it is refused alike with and without it. */
setUpWorld();
let elsewhere: string;
/** A place nobody but managers belongs to, with an inspection of its own. */
let hidden: { site: string; inspection: string; decided: string };
beforeAll(async () => {
  elsewhere = String((await db.asAdmin(`select id from organizations where name = 'other'`))[0]?.['id']);
  hidden = { site: randomUUID(), inspection: randomUUID(), decided: randomUUID() };
  await db.asAdmin('insert into sites (id, organization_id, name) values ($1, $2, $3)', [
    hidden.site,
    world.organization,
    'Quiet',
  ]);
  for (const [id, status] of [
    [hidden.inspection, 'in_progress'],
    [hidden.decided, 'approved'],
  ])
    await db.asAdmin(
      `insert into inspections (id, organization_id, site_id, form_id, form_version_id, title, status, conducted_by)
       values ($1, $2, $3, $4, $5, 'Quiet check', $6, $7)`,
      [id, world.organization, hidden.site, world.form, world.formVersion, status, world.manager],
    );
});

const SHA = 'a'.repeat(64);
type Case = { what: string; edit: (parent: string, organization: string) => Edit; there: () => string[] };
const inspections = () => [hidden.inspection, hidden.decided];
const cases: Case[] = [
  {
    what: 'an answer',
    edit: (inspection_id, organization_id) => ({
      t: 'inspection_answers',
      op: 'insert',
      patch: { organization_id, inspection_id, question: 'q', value: 1 },
    }),
    there: inspections,
  },
  {
    what: 'a comment',
    edit: (subject_id, organization_id) => ({
      t: 'comments',
      op: 'insert',
      patch: {
        organization_id,
        subject_table: 'inspections',
        subject_id,
        body: 'x',
        written_at: '2026-11-21T08:00:00Z',
      },
    }),
    there: inspections,
  },
  {
    what: 'a file',
    edit: (inspection_id, organization_id) => ({
      t: 'media',
      op: 'insert',
      patch: {
        organization_id,
        inspection_id,
        mime: 'image/jpeg',
        bytes: 3,
        sha256: SHA,
        captured_at: '2026-11-21T08:00:00Z',
      },
    }),
    there: inspections,
  },
];

const outsiders = (): [string, string, () => string][] => [
  ['a member of another place', world.colleague, () => world.organization],
  ['an administrator of another organisation', world.stranger, () => world.organization],
  ['the same, who names their own organisation', world.stranger, () => elsewhere],
];

const answerTo = async (person: string, edit: Edit) => {
  const [result] = await testDevice(db, person).push(edit);
  return { ...result, mid: '' };
};

describe.each(cases)('$what of an inspection one may not see', ({ edit, there }) => {
  test('is refused in the same words as of none at all', async () => {
    for (const [, person, organization] of outsiders()) {
      const none = await answerTo(person, edit(randomUUID(), organization()));
      expect(none).toMatchObject({ st: 'rejected' });
      for (const parent of there()) expect(await answerTo(person, edit(parent, organization()))).toEqual(none);
    }
  });

  test('is refused to a direct call before anything was looked at', async () => {
    for (const [, person, organization] of outsiders()) {
      const refusals = [];
      for (const parent of [...there(), randomUUID()]) {
        const { t, patch } = edit(parent, organization());
        const row = { id: randomUUID(), ...patch };
        const columns = Object.keys(row).join(', ');
        const insert = `insert into ${t} (${columns}) select ${columns} from jsonb_populate_record(null::${t}, $1)`;
        const error = await db.as(person, insert, [row]).catch((reason: unknown) => reason as Error);
        refusals.push(error instanceof Error ? error.message : 'written');
      }
      expect(new Set(refusals)).toEqual(new Set([refusals.at(-1)]));
      expect(refusals[0]).toContain('row-level security');
    }
  });
});

const alike = async (edits: Edit[]) => {
  const answers = [];
  for (const edit of edits) answers.push(await answerTo(world.stranger, edit));
  expect(answers[0]).toMatchObject({ st: 'rejected' });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
};

test('a version, a draft and a member of a playbook: the same with and without the form or playbook', async () => {
  const of =
    (t: Edit['t'], patch: (id: string) => Record<string, unknown>) =>
    (id: string): Edit => ({ t, op: 'insert', patch: patch(id) });
  const version = of('form_versions', form_id => ({
    form_id,
    organization_id: elsewhere,
    number: 9,
    definition: { items: [] },
  }));
  const draft = of('form_drafts', form_id => ({ form_id, organization_id: elsewhere, definition: { items: [] } }));
  const member = of('playbook_members', playbook_id => ({
    playbook_id,
    organization_id: elsewhere,
    user_id: world.stranger,
  }));
  await alike([version(randomUUID()), version(world.form)]);
  await alike([draft(randomUUID()), draft(world.form)]);
  await alike([member(randomUUID()), member(world.playbook)]);
});

test('nobody finds out who belongs to an organisation, or which places it has, by naming them in its records', async () => {
  const task = (assignee_id: string): Edit => ({
    t: 'action_items',
    op: 'insert',
    patch: { organization_id: world.organization, title: 'x', assignee_id },
  });
  await alike([task(randomUUID()), task(world.worker), task(world.stranger)]);
  const report = (site_id: string): Edit => ({
    t: 'issue_reports',
    op: 'insert',
    patch: { organization_id: world.organization, site_id, title: 'x', reported_at: '2026-11-21T08:00:00Z' },
  });
  await alike([report(randomUUID()), report(world.north)]);
  const plan = {
    form_id: world.form,
    title: 'x',
    recurrence: 'FREQ=DAILY',
    start_day: '2026-11-21',
    due_time: '09:00',
    zone: 'Europe/Berlin',
  };
  const schedule = (assigned_to: string): Edit => ({
    t: 'schedules',
    op: 'insert',
    patch: { organization_id: world.organization, ...plan, assigned_to },
  });
  await alike([schedule(randomUUID()), schedule(world.worker)]);
});

test('every table that is written by push alone refuses a direct call before anything of it has looked', async () => {
  const open = await db.asAdmin(
    `select p.tablename from pg_policies p
     where p.schemaname = 'public' and p.cmd = 'INSERT' and p.with_check like '%pushing()%' and not exists (
       select from pg_trigger t where t.tgrelid = format('public.%I', p.tablename)::regclass and t.tgname = 'a0_require_push')
     order by 1`,
  );
  expect(open).toEqual([]);
});

test('a word on a policy and a version of one: the same with and without them, directly and by push', async () => {
  const acknowledgement = (version_id: string): Edit => ({
    t: 'policy_acknowledgements',
    op: 'insert',
    patch: { organization_id: elsewhere, version_id, user_id: world.stranger, opened_at: '2026-11-21T08:00:00Z' },
  });
  const version = (policy_id: string): Edit => ({
    t: 'policy_versions',
    op: 'insert',
    patch: { organization_id: elsewhere, policy_id, title: 'x', body: 'x' },
  });
  await alike([
    acknowledgement(randomUUID()),
    acknowledgement(world.policyVersion),
    acknowledgement(world.policyDraft),
  ]);
  await alike([version(randomUUID()), version(world.policy)]);
  const direct = [world.policy, randomUUID()].map(async policy_id => {
    const row = { id: randomUUID(), organization_id: elsewhere, policy_id, title: 'x', body: 'x', content_hash: '' };
    const columns = Object.keys(row).join(', ');
    const insert = `insert into policy_versions (${columns}) select ${columns} from jsonb_populate_record(null::policy_versions, $1)`;
    return db
      .as(world.stranger, insert, [row])
      .catch((error: unknown) => (error instanceof Error ? error.message : ''));
  });
  const [real, none] = await Promise.all(direct);
  expect(real).toEqual(none);
  expect(real).toContain('row-level security');
});

test('who may see an inspection is still told what is wrong', async () => {
  const answer = cases[0]?.edit(hidden.decided, world.organization);
  expect(answer && (await answerTo(world.admin, answer))).toMatchObject({
    code: '42501',
    msg: 'the inspection is decided',
  });
  const foreign = cases[0]?.edit(world.inspection, world.organization);
  expect(foreign && (await answerTo(world.worker, foreign))).toMatchObject({ st: 'applied' });
});
