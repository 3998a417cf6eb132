import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverCalls } from '../../apps/web/src/app/session/client/server-calls.ts';
import { PackFixture } from './pack-fixture.ts';
import { serveWorld, type Client, type ServedWorld } from './people-by-client.ts';
import { addRow } from './add-row.ts';
import { REMOTE } from './world-packs.ts';

let served: ServedWorld;
let admin: Client;
beforeAll(async () => {
  served = await serveWorld();
  admin = await served.signIn('admin');
});
afterAll(() => served.stop());

const LISTED = { kind: 'compliance', licence: 'MIT', locale: 'en', industry: 'any', frameworks: [], summary: '' };
const COUNTS = { linked_playbooks: 0, rating_count: 0, rating_sum: 0, publisher: 'X' };

/** A pack of an organisation at an instant; it follows from its versions whether it is active. */
async function addPack(name: string, day: string, organization: string | null, isTemplate: boolean, state: string) {
  const at = { created_at: `2026-11-${day}T08:00:00Z`, updated_at: `2026-11-${day}T08:00:00Z` };
  const about = { name, organization_id: organization, is_template: isTemplate, status: 'draft' };
  const pack = await addRow(served.db, 'policy_packs', { ...LISTED, ...COUNTS, ...about, ...at });
  const version = [pack, state, REMOTE];
  await served.db.asAdmin(
    `insert into pack_versions (pack_id, number, state, contents) values ($1, '1.0.0', $2, $3)`,
    version,
  );
}

test('R7.21 policy packs are read by organisation or active template, newest first, by the call of the app', async () => {
  const { organization } = served.world;
  const fixture = await PackFixture.open(served.db, served.world);
  await addPack('own', '18', organization, false, 'listed');
  await addPack('newest template', '22', fixture.company, true, 'listed');
  await addPack('old template', '10', fixture.company, true, 'listed');
  await addPack('template that is no more', '21', fixture.company, true, 'withdrawn');
  await addPack('kept by others', '20', fixture.company, false, 'listed');
  const names = (packs: { name: string }[]) => packs.map(({ name }) => name);
  const wanted = ['newest template', 'Remote work', 'own', 'old template'];
  // As the app asks: the policies leave out the rest.
  const asked = serverCalls(admin).rows<{ name: string }>({
    table: 'policy_packs',
    filter: {},
    newestBy: 'created_at',
  });
  expect(names(await asked)).toEqual(wanted);
  const { data, error } = await admin
    .from('policy_packs')
    .select('name')
    .or(`organization_id.eq.${organization},and(is_template.eq.true,status.eq.active)`)
    .order('created_at', { ascending: false });
  expect(error).toBeNull();
  expect(names(data ?? [])).toEqual(wanted);
});

test('R3.10 a pack with two linked playbooks is read with every field and their count', async () => {
  const { organization, pack, admin: owner } = served.world;
  const about = { name: 'Second of the pack', organization_id: organization, owner_id: owner };
  const { data: playbook } = await admin.from('playbooks').insert(about).select('id').single();
  const { data: versions } = await admin.from('pack_versions').select('id').eq('pack_id', pack);
  const call = { p_organization: organization, p_version: versions?.[0]?.id, p_playbook: playbook?.id };
  expect(await admin.rpc('install_pack', { ...call, p_variables: {} })).toMatchObject({ error: null });
  const { data } = await admin.from('policy_packs').select('*').eq('id', pack).single();
  expect(data).toEqual({
    id: pack,
    organization_id: null,
    name: 'Remote work',
    summary: '',
    publisher: 'Cairn',
    kind: 'compliance',
    licence: 'CC0-1.0',
    attribution: null,
    locale: 'en',
    industry: 'any',
    frameworks: [],
    is_template: true,
    status: 'active',
    current_version_id: versions?.[0]?.id,
    current_number: '1.0.0',
    forked_from_id: null,
    linked_playbooks: 2,
    rating_count: 1,
    rating_sum: 4,
    created_by: null,
    created_at: expect.stringMatching(/^2026-11-21/),
    updated_at: expect.any(String),
  });
});

test('a pack is installed through the official client, and refused with a code the app has words for', async () => {
  const { data: versions } = await admin.from('pack_versions').select('id').eq('pack_id', served.world.pack);
  const call = { p_organization: served.world.organization, p_version: versions?.[0]?.id, p_playbook: null };
  const again = await admin.rpc('install_pack', { ...call, p_variables: {} });
  expect(again).toMatchObject({ data: { installed: false, documents: 0 }, error: null });
  const other = await served.clients.manager.rpc('install_pack', { ...call, p_variables: {} });
  expect(other.error).toMatchObject({ code: '42501' });
  await served.db.asAdmin('delete from pack_installs where pack_id = $1', [served.world.pack]);
  const unfit = await admin.rpc('install_pack', { ...call, p_variables: { company: '<b>' } });
  expect(unfit.error).toMatchObject({ code: '23514', hint: 'variables' });
});
