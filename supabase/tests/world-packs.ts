import type { TestDatabase } from '@cairn/testing/database.ts';
import { addRow } from './add-row.ts';

export const REMOTE = {
  schema: 1,
  variables: [{ key: 'company', label: 'Name of the company' }],
  policies: [{ key: 'remote', title: 'Remote work', body: '## Rules\n\n{{company}} lends the laptop.\n\nLock it.\n' }],
  forms: [{ key: 'desk', name: 'Desk check', definition: { items: [] } }],
  tasks: [{ key: 'list', title: 'List the laptops of {{company}}', steps: ['Count', 'Write down'] }],
};

/** A pack that came with the installation and is offered to everybody, and what `organization` has of it. */
export async function addPack(db: TestDatabase, organization: string, playbook: string, by: string): Promise<string> {
  const fields = { summary: '', kind: 'compliance', licence: 'CC0-1.0', locale: 'en', industry: 'any', frameworks: [] };
  const counts = { linked_playbooks: 0, rating_count: 0, rating_sum: 0 };
  const at = { created_at: '2026-11-21T08:00:00Z', updated_at: '2026-11-21T08:00:00Z' };
  const about = { name: 'Remote work', publisher: 'Cairn', status: 'draft', is_template: true };
  const pack = await addRow(db, 'policy_packs', { ...about, ...fields, ...counts, ...at });
  const [row] = await db.asAdmin(
    `insert into pack_versions (pack_id, number, state, contents) values ($1, '1.0.0', 'listed', $2) returning id`,
    [pack, REMOTE],
  );
  const here = { organization_id: organization, pack_id: pack, ...at };
  const version = String(row?.['id']);
  await addRow(db, 'pack_installs', { ...here, playbook_id: playbook, version_id: version, variables: {} });
  await addRow(db, 'pack_reviews', { ...here, stars: 4, created_by: by });
  const words = { pack_name: 'Remote work', pack_number: '1.0.0', publisher: 'Cairn', licence: 'CC0-1.0' };
  const item = { kind: 'task', item_key: 'list', target_id: playbook };
  await addRow(db, 'pack_items', { ...here, version_id: version, ...words, ...item });
  return pack;
}
