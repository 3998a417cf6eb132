import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mutation } from './device.ts';
import { serveWorld, type Client, type ServedWorld } from './people-by-client.ts';

/** Photos of handed-over work: their bytes come before or after an administrator decides, and are hashed before a phone frees them. */
let served: ServedWorld;
let admin: Client;
beforeAll(async () => {
  served = await serveWorld();
  admin = await served.signIn('admin');
});
afterAll(() => served.stop());
const setRemoved = (person: string, isRemoved: boolean) =>
  served.db.asAdmin(
    'update organization_members set deleted_at = case when $2 then now() end where user_id = $1 and organization_id = $3',
    [person, isRemoved, served.world.organization],
  );
beforeEach(() => setRemoved(served.world.colleague, true));

const picture = () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(randomUUID())]);

function photo(bytes: Buffer, id: string = randomUUID()) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const taken = { captured_at: '2026-11-21T08:00:00Z', captured_by: served.world.colleague };
  const patch = {
    organization_id: served.world.organization,
    site_id: served.world.south,
    kind: 'photo',
    mime: 'image/jpeg',
    bytes: bytes.byteLength,
    sha256,
    ...taken,
  };
  return mutation({ t: 'media', id, op: 'insert', patch });
}
type Photo = ReturnType<typeof photo>;

async function submitWork(work: Photo, client = served.clients.colleague) {
  const call = { p_organization: served.world.organization, p_device: null, p_mutations: [work] };
  const { data, error } = await client.rpc('submit_orphaned_edits', call);
  if (error) throw new Error(error.message);
  return data;
}

async function decide(work: Photo, accept: boolean) {
  const call = { p_user: served.world.colleague, p_mids: [work.mid], p_accept: accept };
  const { error } = await admin.rpc('decide_orphaned_edits', { p_organization: served.world.organization, ...call });
  if (error) throw new Error(error.message);
}

const pathOf = ({ id }: Photo) => `${served.world.organization}/${id}`;
async function send(work: Photo, bytes: Buffer, client = served.clients.colleague) {
  const { error } = await client.storage.from('media').upload(pathOf(work), bytes, { contentType: 'image/jpeg' });
  return error;
}

async function confirm({ id }: Photo, client = served.clients.colleague) {
  const { data, response } = await client.functions.invoke('media/confirm', { body: { id } });
  return data ?? { status: response?.status, ...(await response?.json()) };
}

const stored = (work: Photo) => served.db.asAdmin('select 1 from storage.objects where name = $1', [pathOf(work)]);
const stateOf = async ({ id }: Photo) =>
  (await served.db.asAdmin('select state from media where id = $1', [id]))[0]?.['state'];

test('bytes that come after the work was accepted are confirmed by who brings them', async () => {
  const bytes = picture();
  const work = photo(bytes);
  await submitWork(work);
  await decide(work, true);
  expect(await confirm(work, admin)).toMatchObject({ status: 404, code: 'not_uploaded' });
  expect(await send(work, bytes)).toBeNull();
  expect(await confirm(work)).toMatchObject({ state: 'complete', sha256: work.patch['sha256'] });
  expect(await stateOf(work)).toBe('complete');
});

test('bytes that come before are hashed at once, and complete with the acceptance of the work', async () => {
  const bytes = picture();
  const work = photo(bytes);
  await submitWork(work);
  expect(await confirm(work)).toMatchObject({ status: 404, code: 'not_uploaded' });
  await send(work, bytes);
  expect(await confirm(work)).toMatchObject({
    state: 'in_review_queue',
    sha256: work.patch['sha256'],
    bytes: bytes.byteLength,
  });
  expect(await confirm(work, admin)).toMatchObject({ status: 404, code: 'not_found' });
  await decide(work, true);
  expect(await stateOf(work)).toBe('complete');
  expect(await confirm(work, admin)).toMatchObject({ state: 'complete' });
});

test('bytes nobody had read when the work was accepted are not complete before somebody has', async () => {
  const bytes = picture();
  const work = photo(bytes);
  await submitWork(work);
  await send(work, bytes);
  await decide(work, true);
  expect(await stateOf(work)).toBe('pending');
  expect(await confirm(work, admin)).toMatchObject({ state: 'complete' });
});

test('what was found right and lies there no more is not complete', async () => {
  const bytes = picture();
  const work = photo(bytes);
  await submitWork(work);
  await send(work, bytes);
  expect(await confirm(work)).toMatchObject({ state: 'in_review_queue' });
  await served.db.asAdmin('delete from storage.objects where name = $1', [pathOf(work)]);
  await decide(work, true);
  expect(await stateOf(work)).toBe('pending');
});

test('a file accepted while its bytes were being read is complete when they are', async () => {
  const bytes = picture();
  const work = photo(bytes);
  await submitWork(work);
  await send(work, bytes);
  await decide(work, true);
  const found = 'select id from storage.objects where name = $1';
  const [object] = await served.db.asAdmin(found, [pathOf(work)]);
  const read = [work.id, object?.['id'], work.patch['sha256'], bytes.byteLength];
  const checkWith = (hash: unknown) =>
    served.db.asAdmin('select media_checked($1, $2, $3, $4) as now', read.with(2, hash));
  expect(await checkWith('b'.repeat(64))).toEqual([{ now: 'in_review_queue' }]);
  expect(await checkWith(work.patch['sha256'])).toEqual([{ now: 'complete' }]);
  expect(await stateOf(work)).toBe('complete');
});

test('an edit with the same id and another hash has nobody’s bytes removed', async () => {
  const bytes = picture();
  const work = photo(bytes);
  const bring = async (by: Client, upload: Photo) => {
    const call = { p_organization: served.world.organization, p_author: served.world.colleague, p_device: null };
    const { error } = await by.rpc('submit_edits_on_behalf', { ...call, p_mutations: [upload] });
    expect(error).toBeNull();
  };
  // The same administrator carried the true file, so that what lies there is their own upload.
  await bring(admin, work);
  await send(work, bytes, admin);
  expect(await confirm(work, admin)).toMatchObject({ state: 'in_review_queue' });
  const posing = photo(picture(), work.id);
  await bring(admin, posing);
  expect(await confirm(posing, admin)).toMatchObject({ status: 404, code: 'not_found' });
  expect(await stored(work)).toHaveLength(1);
  await decide(posing, false);
  expect(await confirm(work, admin)).toMatchObject({ state: 'in_review_queue' });
});

test("nobody brings bytes under the name of a colleague's pending photo by handing over an edit with its id", async () => {
  const bytes = picture();
  const theirs = photo(bytes);
  await setRemoved(served.world.colleague, false);
  const pushed = await served.clients.colleague.rpc('sync_push', { p_device: null, p_mutations: [theirs] });
  expect(pushed.data).toMatchObject({ results: [{ st: 'applied' }] });
  const { manager } = served.clients;
  await setRemoved(served.world.manager, true);
  await submitWork(photo(picture(), theirs.id), manager);
  expect(await send(theirs, picture(), manager)).not.toBeNull();
  const call = { p_organization: served.world.organization, p_author: served.world.manager, p_device: null };
  await admin.rpc('submit_edits_on_behalf', { ...call, p_mutations: [photo(picture(), theirs.id)] });
  const { data } = await admin.rpc('my_files_on_behalf');
  expect(data).not.toContain(pathOf(theirs));
  expect(await send(theirs, bytes)).toBeNull();
  expect(await confirm(theirs)).toMatchObject({ state: 'complete' });
  await setRemoved(served.world.manager, false);
});

test('wrong bytes make place for the right ones, in the review queue as well', async () => {
  const bytes = picture();
  const work = photo(bytes);
  await submitWork(work);
  await send(work, picture());
  expect(await confirm(work)).toMatchObject({ status: 409, code: 'hash_mismatch' });
  expect(await stored(work)).toEqual([]);
  await send(work, bytes);
  expect(await confirm(work)).toMatchObject({ state: 'in_review_queue' });
});

test('what was refused once may still be accepted, and its bytes may still come; declined work takes none', async () => {
  const bytes = picture();
  const work = photo(bytes);
  await submitWork(work);
  await served.db.asAdmin(`update sync.orphaned_edit set state = 'refused' where mid = $1`, [work.mid]);
  expect(await send(work, bytes)).toBeNull();
  expect(await confirm(work)).toMatchObject({ state: 'in_review_queue' });
  await decide(work, false);
  expect(await confirm(work)).toMatchObject({ status: 404, code: 'not_found' });
});

test('a photo whose author was removed between its row and its bytes arrives whole', async () => {
  const bytes = picture();
  const work = photo(bytes);
  await setRemoved(served.world.colleague, false);
  const call = { p_device: null, p_mutations: [work] };
  const pushed = await served.clients.colleague.rpc('sync_push', call);
  expect(pushed.data).toMatchObject({ results: [{ st: 'applied' }] });
  await setRemoved(served.world.colleague, true);
  expect(await send(work, bytes)).toBeNull();
  expect(await confirm(work)).toMatchObject({ state: 'complete' });
});

test('nobody is told of a file of others by naming its id, nor has it removed', async () => {
  const bytes = picture();
  const work = photo(bytes);
  await submitWork(work);
  await send(work, bytes);
  expect(await confirm(work, served.clients.other)).toMatchObject({ status: 404, code: 'not_found' });
  expect(await confirm(work, served.clients.visitor)).toMatchObject({ status: 401 });

  // The same id handed over by somebody else who was removed, with another hash.
  const { manager } = served.clients;
  await setRemoved(served.world.manager, true);
  const named = photo(picture(), work.id);
  await submitWork(named, manager);
  expect(await confirm(named, manager)).toMatchObject({ status: 404, code: 'not_found' });
  expect(await stored(work)).toHaveLength(1);
  await decide(work, true);
  expect(await confirm(named, manager)).toMatchObject({ status: 404, code: 'not_found' });
  expect(await confirm(work)).toMatchObject({ state: 'complete' });
  await setRemoved(served.world.manager, false);
});
