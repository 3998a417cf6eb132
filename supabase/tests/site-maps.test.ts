import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const BYTES = 4096;
type Fields = Record<string, unknown>;

/** A file and the map it is, as a device sends them: together. */
async function add(person: string, { file = {}, map = {} }: { file?: Fields; map?: Fields } = {}) {
  const here = { organization_id: world.organization, site_id: world.north };
  const [media, id] = [randomUUID(), randomUUID()];
  const device = testDevice(db, person);
  const fields = { kind: 'file', mime: 'application/vnd.pmtiles', bytes: BYTES, sha256: 'b'.repeat(64) };
  const taken = { captured_at: '2026-11-21T08:00:00Z', captured_by: person };
  const shows = { tiles: 'vector', west: 9.9, south: 53.5, east: 10.1, north: 53.6, min_zoom: 8, max_zoom: 14 };
  const answers = await device.push(
    { t: 'media', id: media, op: 'insert', patch: { ...here, ...fields, ...taken, ...file } },
    {
      t: 'site_maps',
      id,
      op: 'insert',
      patch: { ...here, media_id: media, name: 'Yard', bytes: BYTES, ...shows, ...map },
    },
  );
  return { answer: answers[1], id, media, device };
}

describe('maps of sites', () => {
  test('whoever looks after the assets of a site adds one; those of the site have it, others do not', async () => {
    const { answer, id } = await add(world.manager);
    expect(answer).toMatchObject({ st: 'applied' });
    const seen = (person: string) => db.as(person, 'select name from site_maps where id = $1', [id]);
    expect(await seen(world.worker)).toEqual([{ name: 'Yard' }]);
    for (const person of [world.colleague, world.stranger]) expect(await seen(person)).toEqual([]);
  });

  test('nobody else adds one', async () => {
    for (const person of [world.worker, world.colleague, world.stranger])
      expect((await add(person)).answer).toMatchObject({ st: 'rejected' });
  });

  test.each<[string, { file?: Fields; map?: Fields }]>([
    ['a photo', { file: { kind: 'photo', mime: 'image/jpeg' } }],
    ['a file of another size', { map: { bytes: BYTES + 1 } }],
    ['a file that is not there', { map: { media_id: randomUUID() } }],
    ['more than a phone should fetch', { file: { bytes: 100_000_001 }, map: { bytes: 100_000_001 } }],
    ['a place that is none', { map: { west: 12, east: 9 } }],
    ['a place outside the earth', { map: { north: 91 } }],
    ['tiles of no kind', { map: { tiles: 'terrain' } }],
    ['no name', { map: { name: ' ' } }],
  ])('%s is no map', async (_, given) => {
    expect((await add(world.manager, given)).answer).toMatchObject({ st: 'rejected' });
  });

  test('a file of another site is no map of this one', async () => {
    const given = { file: { site_id: world.south } };
    expect((await add(world.manager, given)).answer).toMatchObject({ st: 'rejected' });
  });

  test('it may be renamed and taken away, but stays the map that it is', async () => {
    const { id, device } = await add(world.manager);
    const base = { name: 'Yard', max_zoom: 14 };
    const edit = (patch: Fields, person = device) =>
      person.push({ t: 'site_maps', id, op: 'update', bv: 1, patch, base });
    expect((await edit({ max_zoom: 20 }))[0]).toMatchObject({ st: 'rejected', code: '42501' });
    expect((await edit({ name: 'Mine' }, testDevice(db, world.worker)))[0]).toMatchObject({ st: 'rejected' });
    expect((await edit({ name: 'North yard' }))[0]).toMatchObject({ st: 'applied' });
    const [gone] = await device.push({ t: 'site_maps', id, op: 'delete', bv: 2, patch: {}, base: {} });
    expect(gone).toMatchObject({ st: 'applied' });
    expect(await db.as(world.worker, 'select id from site_maps where id = $1', [id])).toEqual([]);
  });

  test('a site has no more than can be told apart', async () => {
    await db.asAdmin('delete from site_maps');
    await db.asAdmin(
      `with f as (insert into media (id, organization_id, site_id, kind, mime, bytes, sha256, captured_at)
         select gen_random_uuid(), $1, $2, 'file', 'application/vnd.pmtiles', 9, repeat('c', 64), now() from generate_series(1, 20) returning id)
       insert into site_maps (organization_id, site_id, media_id, name, bytes, tiles, west, south, east, north, min_zoom, max_zoom)
         select $1, $2, f.id, 'x', 9, 'image', 1, 1, 2, 2, 1, 2 from f`,
      [world.organization, world.north],
    );
    expect((await add(world.manager)).answer).toMatchObject({ st: 'rejected', code: '23514' });
  });
});
