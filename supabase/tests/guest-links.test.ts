import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  guestReplyBody,
  type GuestAct,
  type GuestAnswer,
  type GuestTask,
  type GuestReplyBody,
} from '@cairn/core/guests/guest-reply.ts';
import { compareCodes } from '@cairn/base/order.ts';
import { submissionKey } from '@cairn/core/issue-reports/public-report.ts';
import { change, push, rowOf } from './edits.ts';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

type CreatedLink = { id: string; token: string };
const SOON = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
const GUEST = { p_name: 'Bo Builder', p_email: 'Bo@Contractor.example', p_until: SOON };
const notAllowed = { code: '42501' };
const refused = { code: '22023' };

/** An action item of the administrator's at Site North. */
async function item(more: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const place = { organization_id: world.organization, site_id: world.north, created_by: world.admin };
  const row = { id, ...place, title: 'Mend the brake', description: 'It drags', priority: 'medium', ...more };
  const columns = Object.keys(row).join(', ');
  await db.asAdmin(
    `insert into action_items (${columns}) select ${columns} from jsonb_populate_record(null::action_items, $1)`,
    [row],
  );
  return id;
}
const give = (action: string, by: string | null = world.manager, more: object = {}) =>
  db.rpc<CreatedLink>(by, 'give_guest_link', { p_action: action, ...GUEST, ...more });
const open = (token: string, by: string | null = null) =>
  db.rpc<GuestAnswer>(by, 'open_guest_link', { p_token: token });
const shown = async (token: string) => (await open(token)) as GuestTask;
const newKey = () => submissionKey(randomBytes(32));
const body = (act: GuestAct, text = 'Words', photos: GuestReplyBody['photos'] = []) =>
  guestReplyBody({ act, text, photos, at: new Date().toISOString() });
const say = (token: string, reply: unknown, key: unknown = newKey(), by: string | null = null) =>
  db.rpc<GuestAnswer>(by, 'submit_guest_reply', { p_token: token, p_key: key, p_reply: reply });
const statusOf = async (id: string) => (await rowOf('action_items', id))['status'];
const linksOf = (id: string, by: string | null = world.manager) =>
  db.rpc<{ may_give: boolean; links: Record<string, unknown>[] }>(by, 'action_guest_links', { p_action: id });
const commentsOn = (id: string) => db.asAdmin('select * from comments where subject_id = $1 order by written_at', [id]);
const told = async (id: string) =>
  (
    await db.asAdmin(
      `select user_id, type, params from notifications where subject_id = $1 and type like 'action.guest%'`,
      [id],
    )
  )
    .map(row => `${String(row['user_id'])} ${String(row['type'])} ${(row['params'] as { by?: string }).by}`)
    .toSorted(compareCodes);
async function given(more: Record<string, unknown> = {}): Promise<CreatedLink & { action: string }> {
  const action = await item(more);
  // One address hears five times a day at most.
  const p_email = `bo-${action}@contractor.example`;
  return { action, ...(await give(action, world.manager, { p_email })) };
}

describe('a guest link', () => {
  test('is given by whoever manages the item or made it, and by nobody else; only hashes of its token are kept', async () => {
    const mine = await item({ created_by: world.worker });
    const foreign = await item();
    for (const person of [world.worker, world.colleague, world.auditor, world.stranger, null])
      await expect(give(foreign, person)).rejects.toMatchObject(notAllowed);
    await expect(give(randomUUID())).rejects.toMatchObject(notAllowed);
    await expect(give(await item({ deleted_at: new Date() }))).rejects.toMatchObject(notAllowed);
    expect(await give(mine, world.worker)).toMatchObject({ email: 'bo@contractor.example', organization: 'acme' });
    const { token } = await give(foreign);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const [kept] = await db.asAdmin(
      `select string_agg(t::text, ' ') as all from (select t::text from intake.guest_token t union all select l::text from intake.guest_link l
       union all select e::text from audit_entries e union all select n::text from audit.pending_entry n) t`,
    );
    expect(String(kept?.['all'])).not.toContain(token);
    expect(String(kept?.['all'])).toContain(createHash('sha256').update(token).digest('hex'));
    for (const person of [world.manager, world.worker, world.stranger, null])
      for (const table of ['guest_link', 'guest_token', 'guest_word', 'guest_photo'])
        await expect(db.as(person, `select * from intake.${table}`)).rejects.toMatchObject(notAllowed);
  });

  test('is given by no manager of other sites alone', async () => {
    const role = (name: string, limited: boolean) =>
      db.asAdmin(
        'update organization_members set role = $1, site_limited = $2 where user_id = $3 and organization_id = $4',
        [name, limited, world.colleague, world.organization],
      );
    await role('manager', true);
    await expect(give(await item(), world.colleague)).rejects.toMatchObject(notAllowed);
    expect(await give(await item({ site_id: world.south }), world.colleague)).toMatchObject({ organization: 'acme' });
    await role('member', false);
  });

  test('needs a person, a day within a year, an open item, and that nobody else outside has it', async () => {
    const action = await item();
    for (const [more, hint] of [
      [{ p_name: ' ' }, 'person'],
      [{ p_name: 'x'.repeat(101) }, 'person'],
      [{ p_email: 'not an address' }, 'person'],
      [{ p_email: 'a@b.example, c@d.example' }, 'person'],
      [{ p_email: 'a@b.example\nBcc: c@d.example' }, 'person'],
      [{ p_until: '2020-01-01' }, 'until'],
      [{ p_until: '2199-01-01' }, 'until'],
    ] as const)
      await expect(give(action, world.manager, more)).rejects.toMatchObject({ ...refused, hint });
    await give(action);
    await expect(give(action)).rejects.toMatchObject({ ...refused, hint: 'other' });
    const ended = await item({ status: 'closed' });
    await expect(give(ended)).rejects.toMatchObject({ ...refused, hint: 'state' });
  });

  test('shows the item, its place and who asks, and nothing else of the organisation', async () => {
    const { action, token } = await given({ due_at: '2026-12-01T12:00:00Z', media_ids: [world.media] });
    await db.asAdmin(`update media set state = 'complete' where id = $1`, [world.media]);
    const [by] = await db.asAdmin('select display_name from people where id = $1', [world.manager]);
    expect(await open(token)).toEqual({
      status: 'open',
      step: 'asked',
      organization: 'acme',
      by: by?.['display_name'],
      name: 'Bo Builder',
      title: 'Mend the brake',
      description: 'It drags',
      due_at: '2026-12-01T12:00:00+00:00',
      site: 'North',
      until: SOON,
      needs_photo: false,
      photos: [{ id: world.media, mime: expect.any(String) }],
      replies: [],
    });
    const [link] = (await linksOf(action)).links;
    expect(link).toMatchObject({ state: 'given', status: 'open', opened_at: expect.any(String) });
    const place = async (media: string) =>
      (await db.asAdmin('select guest_picture($1, $2) as at', [token, media]))[0]?.['at'];
    expect(await place(world.media)).toBe(`${world.organization}/${world.media}`);
    // A photo that is not the item's stays closed, also to a true link.
    await db.asAdmin(`update action_items set media_ids = '[]' where id = $1`, [action]);
    expect(await place(world.media)).toBeNull();
  });

  test('shows no photo that its giver may not see, or that belongs to another place, whoever named it', async () => {
    await db.asAdmin(`update media set state = 'complete' where id = $1`, [world.media]);
    const place = async (token: string) =>
      (await db.asAdmin('select guest_picture($1, $2) as at', [token, world.media]))[0]?.['at'];
    // Of South, where neither the photo nor whoever made the item belongs to North; the manager sees both.
    const action = randomUUID();
    const patch = {
      organization_id: world.organization,
      site_id: world.south,
      title: 'Mine',
      status: 'open',
      priority: 'low',
    };
    await testDevice(db, world.colleague).push({
      t: 'action_items',
      op: 'insert',
      id: action,
      patch: { ...patch, media_ids: [world.media] },
    });
    for (const by of [world.colleague, world.manager]) {
      const { id, token } = await give(action, by, { p_email: `${by}@contractor.example` });
      expect([(await shown(token)).photos, await place(token)]).toEqual([[], null]);
      await db.rpc(by, 'revoke_guest_link', { p_id: id });
    }
    // Moved to where the photo is, by somebody who sees both; whoever gave the link still does not.
    const { token } = await give(action, world.colleague, { p_email: 'third@contractor.example' });
    await db.asAdmin('update action_items set site_id = $2 where id = $1', [action, world.north]);
    expect([(await shown(token)).photos, await place(token)]).toEqual([[], null]);
  });

  test('is seen by whoever sees its item, its address by whoever may give it', async () => {
    const action = await item();
    await give(action);
    expect(await linksOf(action, world.worker)).toMatchObject({ may_give: false, links: [{ email: null }] });
    expect(await linksOf(action)).toMatchObject({ may_give: true, links: [{ email: 'bo@contractor.example' }] });
    await expect(linksOf(action, world.stranger)).rejects.toMatchObject(notAllowed);
    await expect(linksOf(action, null)).rejects.toMatchObject(notAllowed);
  });

  test('that is wrong opens nothing; one that is over says why, and neither shows nor takes anything', async () => {
    const photo = { media_ids: [world.media] };
    await db.asAdmin(`update media set state = 'complete' where id = $1`, [world.media]);
    const [revoked, expired, ended, gone, declined] = [
      await given(photo),
      await given(photo),
      await given(photo),
      await given(photo),
      await given(photo),
    ];
    await db.rpc(world.manager, 'revoke_guest_link', { p_id: revoked.id });
    await db.asAdmin(`update intake.guest_link set until = current_date - 3 where id = $1`, [expired.id]);
    await db.asAdmin(`update action_items set status = 'closed' where id = $1`, [ended.action]);
    await db.asAdmin(`update action_items set deleted_at = now() where id = $1`, [gone.action]);
    await say(declined.token, body('decline'));
    for (const [{ token, action }, status] of [
      [revoked, 'revoked'],
      [expired, 'expired'],
      [ended, 'ended'],
      [gone, 'ended'],
      [declined, 'declined'],
    ] as const) {
      const before = (await commentsOn(action)).length;
      expect([await open(token), await say(token, body('done'))]).toEqual([
        { status: status },
        { status: status, accepted: false },
      ]);
      expect((await commentsOn(action)).length).toBe(before);
      expect(await db.asAdmin('select guest_picture($1, $2) as at', [token, world.media])).toEqual([{ at: null }]);
    }
    for (const token of ['f'.repeat(64), '', 'x'.repeat(100_000), revoked.id])
      expect([await open(token), await say(token, body('accept'))]).toEqual([null, null]);
  });

  test('is sent again with a token of its own, changed to another day, and taken back, by whoever may give it', async () => {
    const { id, token, action } = await given();
    for (const person of [world.worker, world.stranger, null]) {
      await expect(db.rpc(person, 'send_guest_link_again', { p_id: id })).rejects.toMatchObject(notAllowed);
      await expect(db.rpc(person, 'change_guest_link', { p_id: id, p_until: SOON })).rejects.toMatchObject(notAllowed);
      await expect(db.rpc(person, 'revoke_guest_link', { p_id: id })).rejects.toMatchObject(notAllowed);
    }
    const second = await db.rpc<CreatedLink>(world.admin, 'send_guest_link_again', { p_id: id });
    expect(second.token).not.toBe(token);
    expect([(await shown(token)).step, (await shown(second.token)).step]).toEqual(['asked', 'asked']);
    await db.asAdmin(`update intake.guest_link set until = current_date - 3 where id = $1`, [id]);
    await expect(db.rpc(world.admin, 'send_guest_link_again', { p_id: id })).rejects.toMatchObject(refused);
    await db.rpc(world.admin, 'change_guest_link', { p_id: id, p_until: SOON });
    expect((await shown(token)).until).toBe(SOON);
    await db.rpc(world.admin, 'revoke_guest_link', { p_id: id });
    expect([await open(token), await open(second.token)]).toEqual([{ status: 'revoked' }, { status: 'revoked' }]);
    await expect(db.rpc(world.admin, 'change_guest_link', { p_id: id, p_until: SOON })).rejects.toMatchObject(refused);
    // Free again for somebody else.
    expect(await give(action, world.manager, { p_email: 'next@contractor.example' })).toMatchObject({
      token: expect.any(String),
    });
  });

  test('causes no more emails to one address than invitations may', async () => {
    const more = { p_email: 'flooded@contractor.example' };
    for (let n = 0; n < 5; n += 1) await give(await item(), world.manager, more);
    await expect(give(await item(), world.manager, more)).rejects.toMatchObject({ code: 'PT429' });
  });
});

describe('a word of a guest', () => {
  test('moves the item to its check and never further; a member closes it, sends it back, and the link opens again', async () => {
    const { action, token } = await given();
    expect(await say(token, body('accept'))).toMatchObject({ step: 'accepted' });
    expect(await statusOf(action)).toBe('in_progress');
    expect(await say(token, body('done', 'New pads fitted'))).toMatchObject({ step: 'checking' });
    expect(await rowOf('action_items', action)).toMatchObject({ status: 'ready_for_verification', done_by: null });
    expect(await say(token, body('done', 'Once more'))).toMatchObject({ step: 'checking' });
    expect(await statusOf(action)).toBe('ready_for_verification');
    await push(world.manager, change('action_items', action, { status: 'needs_revision' }));
    expect(await shown(token)).toMatchObject({ step: 'again' });
    await say(token, body('done', 'And bled'));
    const [closed] = await push(world.manager, change('action_items', action, { status: 'closed' }));
    expect(closed).toMatchObject({ st: 'applied' });
    expect(await open(token)).toEqual({ status: 'ended' });
  });

  test('is kept under their name, in the comments and the activity, and told to those who follow; done is asked of who checks', async () => {
    const { action, token } = await given({ assignee_id: world.worker });
    await say(token, body('accept'));
    await say(token, body('done', 'New pads fitted'));
    expect(await commentsOn(action)).toMatchObject([
      { body: 'New pads fitted', outside_name: 'Bo Builder', author_id: null, organization_id: world.organization },
    ]);
    const activity = await db.rpc<Record<string, unknown>[]>(world.manager, 'record_activity', {
      p_table: 'action_items',
      p_id: action,
    });
    expect(activity.map(({ by, outside, after }) => [by, outside, after])).toEqual([
      [null, 'Bo Builder', 'ready_for_verification'],
      [null, 'Bo Builder', 'in_progress'],
    ]);
    // Who made it checks it, and heard of that already.
    const accepted = [world.admin, world.manager, world.worker].map(id => `${id} action.guest_accepted Bo Builder`);
    const done = [world.manager, world.worker].map(id => `${id} action.guest_done Bo Builder`);
    expect(await told(action)).toEqual([...accepted, ...done].toSorted(compareCodes));
    const others = `select type, user_id from notifications where subject_id = $1 and type in ('comment.added', 'record.moved', 'action.to_verify')`;
    expect(await db.asAdmin(others, [action])).toEqual([{ type: 'action.to_verify', user_id: world.admin }]);
    // What a member does afterwards is theirs again.
    await push(world.manager, change('action_items', action, { status: 'needs_revision' }));
    const [last] = await db.rpc<Record<string, unknown>[]>(world.manager, 'record_activity', {
      p_table: 'action_items',
      p_id: action,
    });
    expect(last).toMatchObject({ by: world.manager, outside: null });
  });

  test('that is a no gives the item back to where it was, with the reason', async () => {
    const { action, token } = await given({ assignee_id: world.worker, status: 'assigned' });
    await say(token, body('accept'));
    expect(await say(token, body('decline', 'No time before June'))).toEqual({ status: 'declined', accepted: true });
    expect(await statusOf(action)).toBe('assigned');
    expect(await commentsOn(action)).toMatchObject([{ body: 'No time before June', outside_name: 'Bo Builder' }]);
    expect(await linksOf(action)).toMatchObject({ links: [{ state: 'declined', status: 'declined' }] });
  });

  test('counts once however often and however close together it is sent, and another under its key is refused', async () => {
    const { action, token } = await given();
    const [key, reply] = [newKey(), body('done', 'Once')];
    await Promise.all(Array.from({ length: 6 }, () => say(token, reply, key)));
    expect(await say(token, reply, key)).toMatchObject({ step: 'checking' });
    expect(await commentsOn(action)).toHaveLength(1);
    await expect(say(token, body('done', 'Another'), key)).rejects.toMatchObject(refused);
    const other = await given();
    await expect(say(other.token, reply, key)).rejects.toMatchObject(refused);
  });

  test('of nobody who is signed in is taken: what comes by a link has no account', async () => {
    const { token } = await given();
    for (const person of [world.manager, world.stranger]) {
      await expect(open(token, person)).rejects.toMatchObject(notAllowed);
      await expect(say(token, body('accept'), newKey(), person)).rejects.toMatchObject(notAllowed);
    }
  });

  test('whose item asks for evidence needs a photo, which becomes its evidence', async () => {
    const { action, token } = await given({ evidence_required: true });
    await expect(say(token, body('done'))).rejects.toMatchObject(refused);
    expect(await shown(token)).toMatchObject({ needs_photo: true });
    const key = newKey();
    const photo = { bytes: 3, sha256: 'a'.repeat(64) };
    expect(await say(token, body('done', 'With a photo', [photo]), key)).toMatchObject({ step: 'checking' });
    const announced = async (n: number, of = key) =>
      (await db.asAdmin('select guest_reply_photo($1, $2) as photo', [of, n]))[0]?.['photo'];
    expect(await announced(1)).toMatchObject({ ...photo, stored: false });
    expect([await announced(2), await announced(1, newKey())]).toEqual([null, null]);
    for (let n = 0; n < 2; n += 1) await db.asAdmin(`select save_guest_photo($1, 1, 'image/jpeg', 4, 4)`, [key]);
    const row = await rowOf('action_items', action);
    expect(row['media_ids']).toHaveLength(1);
    expect((await commentsOn(action))[0]).toMatchObject({ media_ids: row['media_ids'] });
    const [closed] = await push(world.manager, change('action_items', action, { status: 'closed' }));
    expect(closed).toMatchObject({ st: 'applied' });
  });

  test('brings no more photos once the link is taken back; what never came is tidied up', async () => {
    const { id, token } = await given();
    const key = newKey();
    await say(token, body('done', 'With a photo', [{ bytes: 3, sha256: 'a'.repeat(64) }]), key);
    await db.rpc(world.manager, 'revoke_guest_link', { p_id: id });
    expect(await db.asAdmin('select guest_reply_photo($1, 1) as photo', [key])).toEqual([{ photo: null }]);
    await db.asAdmin(`update intake.guest_reply set created_at = now() - interval '8 days' where link_id = $1`, [id]);
    const stray = async (removed: string[]) =>
      (await db.asAdmin('select * from orphaned_public_photos($1)', [removed])).map(row =>
        String(row['orphaned_public_photos']),
      );
    const names = await stray([]);
    expect(names).toEqual([expect.stringMatching(new RegExp(`^${world.organization}/[0-9a-f-]{36}$`))]);
    expect(await stray(names)).toEqual([]);
  });

  const photo = { bytes: 3, sha256: 'a'.repeat(64) };
  const good = { act: 'done', text: 'x', replied_at: '2026-11-21T08:00:00Z' };
  test.for([
    null,
    ['done'],
    { ...good, act: 'close' },
    { ...good, act: 'closed' },
    { ...good, status: 'closed' },
    { ...good, text: '' },
    { ...good, text: ' \n\u202e ' },
    { ...good, text: 'x'.repeat(4001) },
    { ...good, text: 'x'.repeat(30_000) },
    { ...good, text: { a: 1 } },
    { ...good, replied_at: 'infinity' },
    { ...good, replied_at: '2026-13-41T08:00:00Z' },
    { ...good, photos: Array.from({ length: 6 }, () => photo) },
    { ...good, photos: [{ ...photo, bytes: 8_000_001 }] },
    { ...good, photos: [{ ...photo, name: '../x' }] },
    { ...good, act: 'decline', photos: [photo] },
    { act: 'accept', text: 'x', replied_at: good.replied_at },
  ])('%j is refused, and nothing changes', async reply => {
    const { action, token } = await given();
    await expect(say(token, reply)).rejects.toMatchObject(refused);
    await expect(say(token, good, 'no key')).rejects.toMatchObject(refused);
    expect(await commentsOn(action)).toEqual([]);
    expect(await shown(token)).toMatchObject({ step: 'asked', replies: [] });
  });

  test('that holds a script is words, and what steers a screen is taken out of it', async () => {
    const { action, token } = await given();
    await say(token, body('done', '<script>alert(1)</script>\u202e\u0007 done'));
    expect(await commentsOn(action)).toMatchObject([{ body: '<script>alert(1)</script> done' }]);
  });

  test('the eleventh of ten minutes has to wait', async () => {
    const { action, token } = await given();
    for (let n = 0; n < 10; n += 1) await say(token, body('done', `Word ${n}`));
    await expect(say(token, body('done'))).rejects.toMatchObject({ code: 'PT429' });
    expect(await commentsOn(action)).toHaveLength(10);
  });
});

test('no device says something under the name of a guest', async () => {
  const { action } = await given();
  const row = { organization_id: world.organization, subject_table: 'action_items', subject_id: action, body: 'Mine' };
  const id = randomUUID();
  const patch = { ...row, author_id: world.worker, written_at: new Date().toISOString(), outside_name: 'Bo Builder' };
  await push(world.worker, { t: 'comments', op: 'insert', id, patch });
  expect(await rowOf('comments', id)).toMatchObject({ author_id: world.worker, outside_name: null });
});

test('giving, sending again, another day, taking back and each word stand in the audit log', async () => {
  const { action, id, token } = await given();
  await db.rpc(world.manager, 'send_guest_link_again', { p_id: id });
  await db.rpc(world.manager, 'change_guest_link', { p_id: id, p_until: SOON });
  for (const act of ['accept', 'done'] as const) await say(token, body(act));
  await db.rpc(world.manager, 'revoke_guest_link', { p_id: id });
  await db.rpc(world.manager, 'revoke_guest_link', { p_id: id });
  const entries = await db.asAdmin(
    `select act, actor_id, detail from audit_entries where subject_id = $1 order by seq`,
    [action],
  );
  expect(entries.map(({ act, actor_id: actor }) => [act, actor])).toEqual([
    ['guest_link.made', world.manager],
    ['guest_link.sent_again', world.manager],
    ['guest_link.until_changed', world.manager],
    ['guest_link.accepted', null],
    ['guest_link.done', null],
    ['guest_link.revoked', world.manager],
  ]);
  expect(entries.every(({ detail }) => (detail as { name: string }).name === 'Bo Builder')).toBe(true);
});
