import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isPictureType } from '@cairn/base/file-beginning.ts';
import { MAX_FILE_BYTES } from '@cairn/core/media/file-limits.ts';
import type { ReceiptAnswer } from '@cairn/sync/transport/backend.ts';
import { mutation, testDevice } from './device.ts';
import { change, place, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const sha256 = 'b'.repeat(64);
const photo = () =>
  mutation({
    t: 'media',
    op: 'insert',
    patch: { ...place(), kind: 'photo', mime: 'image/jpeg', bytes: 3, sha256, captured_at: '2026-11-21T08:00:00Z' },
  });
const receipt = (id: string, mids: string[], person = world.worker) =>
  db.rpc<ReceiptAnswer>(person, 'sync_receipt', {
    p_id: id,
    p_device: null,
    p_mids: mids,
    p_device_at: '2026-11-21T09:00:00Z',
  });
const complete = (id: string, hash = sha256, bytes = 3) =>
  db.asService('select media_complete($1, $2, $3) as answer', [id, hash, bytes]);

describe('receipts', () => {
  test('a receipt waits until every mutation and every file has arrived, then counts records', async () => {
    const [file, action, edit] = [
      photo(),
      mutation({ t: 'action_items', op: 'insert', patch: { ...place(), title: 'A' } }),
      mutation({ t: 'action_items', op: 'insert' }),
    ];
    await testDevice(db, world.worker).push(file, action);
    const again = mutation({
      t: 'action_items',
      id: action.id,
      op: 'update',
      patch: { title: 'B' },
      base: { title: 'A' },
      bv: 1,
    });
    await testDevice(db, world.worker).push(again);
    const id = randomUUID();
    expect(await receipt(id, [file.mid, action.mid, edit.mid])).toEqual({
      complete: false,
      missing_mids: [edit.mid],
      missing_media: [file.id],
    });
    await complete(file.id);
    const given = await receipt(id, [file.mid, action.mid, again.mid]);
    const [at] = await db.asAdmin(
      `select to_jsonb(max(k.at)) as words, (select to_jsonb(completed_at) from media where id = $2) as files
       from sync.mutation k where k.mid = any ($1::uuid[])`,
      [`{${[file.mid, action.mid, again.mid].join(',')}}`, file.id],
    );
    expect(given).toMatchObject({
      complete: true,
      id,
      // Not when the receipt was asked for: when what it covers arrived.
      received_at: at?.['words'],
      files_at: at?.['files'],
      contents: { media: 1, action_items: 1 },
      device_at: '2026-11-21T09:00:00+00:00',
    });
    expect(given.complete && given.no).toMatch(/^R-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await receipt(id, [])).toEqual(given);
  });

  test('the received time of a receipt is the one its inspection shows, however late it is asked for', async () => {
    const device = testDevice(db, world.worker);
    const id = randomUUID();
    const check = { ...place(), form_id: world.form, form_version_id: world.formVersion, title: 'Check' };
    const begun = mutation({ t: 'inspections', op: 'insert', id, patch: { ...check, conducted_by: world.worker } });
    await device.push(begun);
    const done = mutation(
      await change('inspections', id, { status: 'finalised', finished_at: '2026-11-21T08:59:58Z' }),
    );
    expect(await device.push(done)).toMatchObject([{ st: 'applied' }]);
    const shown = await receipt(randomUUID(), [begun.mid, done.mid]);
    expect(shown).toMatchObject({ complete: true, files_at: null, contents: { inspections: 1 } });
    expect(shown.complete && shown.received_at).toBe((await rowOf('inspections', id))['received_at']);
  });

  test('nobody reads the receipt of somebody else, nor vouches for their mutations', async () => {
    const action = mutation({ t: 'action_items', op: 'insert', patch: { ...place(), title: 'A' } });
    await testDevice(db, world.worker).push(action);
    const id = randomUUID();
    await receipt(id, [action.mid]);
    await expect(receipt(id, [], world.manager)).rejects.toMatchObject({ code: '42501' });
    expect(await receipt(randomUUID(), [action.mid], world.manager)).toMatchObject({
      complete: false,
      missing_mids: [action.mid],
    });
  });
});

describe('files', () => {
  const upload = (person: string | null, name: string) =>
    db.as(person, `insert into storage.objects (bucket_id, name) values ('media', $1) returning name`, [name]);
  const list = (person: string | null, name: string) =>
    db.as(person, `select name from storage.objects where name = $1`, [name]);

  test('media is complete only with the announced hash and size, and only the server says so', async () => {
    const file = photo();
    await testDevice(db, world.worker).push(file);
    await expect(complete(file.id, 'c'.repeat(64))).rejects.toMatchObject({ code: 'P0001', message: 'hash_mismatch' });
    await expect(complete(file.id, sha256, 4)).rejects.toMatchObject({ message: 'hash_mismatch' });
    await expect(complete(randomUUID())).rejects.toMatchObject({ code: 'P0002' });
    await expect(db.as(world.worker, 'select media_complete($1, $2, 3)', [file.id, sha256])).rejects.toMatchObject({
      code: '42501',
    });
    expect((await complete(file.id))[0]?.['answer']).toEqual({ id: file.id, state: 'complete', sha256, bytes: 3 });
    const [result] = await testDevice(db, world.worker).push({
      t: 'media',
      id: file.id,
      op: 'update',
      patch: { sha256: 'd'.repeat(64) },
      base: { sha256 },
      bv: 2,
    });
    expect(result).toMatchObject({ st: 'rejected', code: '42501' });
  });

  test('a file larger than the server takes is refused before a byte of it goes', async () => {
    const file = photo();
    const [result] = await testDevice(db, world.worker).push({ ...file, patch: { ...file.patch, bytes: 262_144_001 } });
    expect(result).toMatchObject({ st: 'rejected', code: '23514' });
    const [bucket] = await db.asAdmin(
      `select file_size_limit::int as most from storage.buckets where id = 'media'`,
      [],
    );
    expect(bucket).toEqual({ most: MAX_FILE_BYTES });
  });

  test('a device cannot announce a file as complete', async () => {
    const file = photo();
    await testDevice(db, world.worker).push({ ...file, patch: { ...file.patch, state: 'complete' } });
    expect(await db.asAdmin('select state, captured_by from media where id = $1', [file.id])).toEqual([
      { state: 'pending', captured_by: world.worker },
    ]);
  });

  test('bytes are brought for an announced file and seen by who sees its row', async () => {
    const file = photo();
    await testDevice(db, world.worker).push(file);
    const name = `${world.organization}/${file.id}`;
    await expect(upload(world.worker, `${world.organization}/${randomUUID()}`)).rejects.toMatchObject({
      code: '42501',
    });
    for (const person of [world.stranger, world.colleague, null])
      await expect(upload(person, name)).rejects.toMatchObject({ code: '42501' });
    expect(await upload(world.worker, name)).toHaveLength(1);
    for (const person of [world.worker, world.manager]) expect(await list(person, name)).toHaveLength(1);
    for (const person of [world.stranger, world.colleague, null]) expect(await list(person, name)).toEqual([]);
    expect(
      await db.as(world.worker, 'update storage.objects set name = $1 where name = $2 returning 1', ['x', name]),
    ).toEqual([]);
    expect(await db.as(world.worker, 'delete from storage.objects where name = $1 returning 1', [name])).toEqual([]);
  });

  test('a stored file is replaced by nobody, a service that holds every right included; a restore brings it anew', async () => {
    const file = photo();
    await testDevice(db, world.worker).push(file);
    const name = `${world.organization}/${file.id}`;
    await upload(world.worker, name);
    for (const change of [`version = 'other'`, `name = 'elsewhere'`, `bucket_id = 'box'`])
      for (const ask of [db.asService, db.asAdmin])
        await expect(ask(`update storage.objects set ${change} where name = $1`, [name])).rejects.toMatchObject({
          code: '42501',
        });
    await db.asService('update storage.objects set last_accessed_at = now() where name = $1', [name]);
    await db.asService('delete from storage.objects where name = $1', [name]);
    expect(
      await db.asService(
        `insert into storage.objects (bucket_id, name, version) values ('media', $1, 'new') returning 1`,
        [name],
      ),
    ).toHaveLength(1);
  });

  test("one may listen to the topics of one's own scopes only", async () => {
    const joins = async (person: string | null, topic: string) => {
      const probe = await db.asAdmin(`select set_config('realtime.topic', $1, false)`, [topic]);
      expect(probe).toHaveLength(1);
      await db.asAdmin(`insert into realtime.messages (topic, extension) values ($1, 'broadcast')`, [topic]);
      const rows = await db.as(
        person,
        `with topic as materialized (select set_config('realtime.topic', $1, true)) select 1 from topic, realtime.messages where topic = $1`,
        [topic],
      );
      return rows.length > 0;
    };
    expect(await joins(world.worker, `scope:site:${world.north}`)).toBe(true);
    expect(await joins(world.colleague, `scope:site:${world.north}`)).toBe(false);
    expect(await joins(null, `scope:site:${world.north}`)).toBe(false);
    expect(await joins(world.worker, `scope:user:${world.colleague}`)).toBe(false);
  });
});

describe('photos', () => {
  const TYPES = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp', 'image/bmp', 'image/tiff'].concat(
    ['image/avif', 'image/heic', 'image/heif'],
    ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'image/', '', ' image/png ; x=1', 'IMAGE/PNG'],
  );

  test('the database and the app know the same types of pictures', async () => {
    for (const type of TYPES) {
      const [row] = await db.asAdmin('select inspection.is_picture_type($1) as is', [type]);
      expect([type, row?.['is']]).toEqual([type, isPictureType(type)]);
    }
  });

  test('a photo is of a type of pictures, and what is none does not become one', async () => {
    const page = photo();
    const file = mutation({ ...photo(), patch: { ...photo().patch, kind: 'file', mime: 'text/html' } });
    const pushed = await testDevice(db, world.worker).push(
      { ...page, patch: { ...page.patch, mime: 'text/html' } },
      file,
    );
    expect(pushed.map(({ st }) => st)).toEqual(['rejected', 'applied']);
    await expect(db.asAdmin(`update media set kind = 'photo' where id = $1`, [file.id])).rejects.toMatchObject({
      code: '23514',
    });
    expect(await rowOf('media', page.id)).toEqual({});
  });
});
