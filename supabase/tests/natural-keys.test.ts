import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { addRow } from './add-row.ts';
import { change, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** Where only one row may be of something, nobody takes its place under an id of their own making. */
setUpWorld();

const applied = [{ st: 'applied' }];
const underived = [{ st: 'rejected', code: '23514' }];
const scheduled = (more: object = {}) =>
  addRow(db, 'inspections', {
    ...place(),
    form_id: world.form,
    form_version_id: world.formVersion,
    title: 'Forklift',
    status: 'scheduled',
    ...more,
  });
const answer = (inspection_id: string, value: string, id = derivedId(inspection_id, 'answer/q1')) => ({
  t: 'inspection_answers' as const,
  op: 'insert' as const,
  id,
  patch: { organization_id: world.organization, inspection_id, question: 'q1', value },
});
const start = { status: 'in_progress', started_at: '2026-11-21T08:00:00Z' };

describe('an answer', () => {
  test('under an id that does not follow from its question is refused, so the inspector’s own has its place', async () => {
    const id = await scheduled();
    expect(await push(world.manager, change('inspections', id, start))).toMatchObject(applied);
    expect(await push(world.manager, answer(id, 'broken', randomUUID()))).toMatchObject(underived);
    expect(await push(world.manager, answer(id, 'fine'))).toMatchObject(applied);
  });

  test('to a planned inspection that nobody began is not given beforehand, whoever is at the place', async () => {
    const team = await addRow(db, 'teams', { organization_id: world.organization, name: 'Lifting' });
    await addRow(db, 'team_members', { organization_id: world.organization, team_id: team, user_id: world.worker });
    for (const more of [{}, { assigned_team: team }]) {
      const id = await scheduled(more);
      expect(await push(world.worker, answer(id, 'broken'))).toMatchObject([{ st: 'rejected', code: '42501' }]);
      expect(await push(world.worker, change('inspections', id, start), answer(id, 'fine'))).toMatchObject([
        ...applied,
        ...applied,
      ]);
      expect(await rowOf('inspection_answers', derivedId(id, 'answer/q1'))).toMatchObject({ value: 'fine' });
    }
  });
});

test('a draft under an id that does not follow from its form is refused, and shuts nobody out', async () => {
  const form_id = await addRow(db, 'forms', { organization_id: world.organization, name: 'Ladders' });
  const draft = (id: string) => ({
    t: 'form_drafts' as const,
    op: 'insert' as const,
    id,
    patch: { organization_id: world.organization, form_id, definition: { items: [] } },
  });
  expect(await push(world.admin, draft(randomUUID()))).toMatchObject(underived);
  expect(await push(world.manager, draft(derivedId(form_id, 'draft')))).toMatchObject(applied);
});

/** Tables whose second key is no danger: what it names is one person's, the server's, or a word that people choose and change. */
const HARMLESS = {
  own: ['notification_choices', 'user_preferences', 'wellness_settings'],
  server: [
    'approval_requests',
    'circle_relationships',
    'inspections',
    'issue_reports',
    'notification_types',
    'notifications',
    'organization_activations',
    'organization_members',
    'organizations',
    'pack_items',
    'role_permissions',
    'subscription_tiers',
    'triad_brief_copies',
    'triad_brief_lines',
    'triad_briefs',
    'user_roles',
  ],
  /** By those who manage the place, of whom any may change the row. */
  managed: [
    'assets',
    'form_versions',
    'playbook_members',
    'playbooks',
    'policy_variables',
    'site_maps',
    'site_members',
    'team_members',
  ],
  /** A strand is a random id of its device. */
  random: ['presence_entries'],
};

test('of every other table with a second key the id is checked, whatever it is', async () => {
  const found = await db.asAdmin(
    `select distinct t.name from sync.tables t
     join pg_index i on i.indrelid = ('public.' || t.name)::regclass and i.indisunique and not i.indisprimary
     where not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any (i.indkey) and a.attname = 'id')
       and pg_get_indexdef(i.indexrelid) !~ '[(]id[)]::text'
       and not exists (select from pg_trigger g join pg_proc p on p.oid = g.tgfoid
         where g.tgrelid = i.indrelid and g.tgqual is null and p.prosrc like '%this id follows from another record%')
     order by 1`,
  );
  expect(found.map(row => row['name'])).toEqual(Object.values(HARMLESS).flat().toSorted());
});
