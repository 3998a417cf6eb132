import { randomUUID } from 'node:crypto';
import type { Mutation } from '@cairn/sync/transport/backend.ts';
import { type Edit, testDevice } from './device.ts';
import { db, world } from './set-up-world.ts';

/** Sends edits in somebody's name, in one go and from a device that holds nothing. */
export const push = async (person: string, ...edits: (Edit | Promise<Edit>)[]) =>
  testDevice(db, person).push(...(await Promise.all(edits.map(edit => Promise.resolve(edit)))));

/** A row as a device would have it; empty where there is none. */
export async function rowOf(table: string, id: string): Promise<Record<string, unknown>> {
  const [found] = await db.asAdmin(`select to_jsonb(x) as row from ${table} x where id = $1`, [id]);
  return Object(found?.['row']);
}

/** An edit of a row as it stands now. */
export async function change(t: Edit['t'], id: string, patch: Mutation['patch']): Promise<Edit> {
  const row = await rowOf(t, id);
  const base = Object.fromEntries(Object.keys(patch).map(name => [name, row[name]]));
  return { t, id, op: 'update', patch, base, bv: Number(row['version']) };
}

/** Where what is made in the world is at home. */
export const place = () => ({ organization_id: world.organization, site_id: world.north });

export const photo = (more: Mutation['patch'] = {}): Edit => ({
  t: 'media',
  id: randomUUID(),
  op: 'insert',
  patch: {
    ...place(),
    kind: 'photo',
    mime: 'image/png',
    bytes: 10,
    sha256: 'a'.repeat(64),
    captured_at: '2026-11-21T08:00:00Z',
    ...more,
  },
});
