import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guestReplyBody, type GuestAnswer, type GuestReplyBody } from '@cairn/core/guests/guest-reply.ts';
import { submissionKey } from '@cairn/core/issue-reports/public-report.ts';
import { announce, BAD_PHOTOS, badKeys, badTokens, PHOTO, sample } from './hostile-reports.ts';
import { serveWorld, type Client, type ServedWorld } from './people-by-client.ts';
import { expectRowsUnchanged } from './unchanged-rows.ts';

/** The whole way of a guest: letter, HTTP, local server, function. They have no account and no client of their own. */
let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld();
});
afterAll(() => served.stop());

type GivenLink = { id: string; token: string; action: string; email: string; mailed: boolean };
const SOON = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
const newKey = () => submissionKey(randomBytes(32));
const file = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });

async function item(): Promise<string> {
  const action = randomUUID();
  const { world, db } = served;
  await db.asAdmin(
    `insert into action_items (id, organization_id, site_id, title, description, media_ids) values ($1, $2, $3, 'Secret work', 'Quietly', '[]')`,
    [action, world.organization, world.north],
  );
  return action;
}
const asked = (action: string, email = `bo-${action}@contractor.example`) => ({
  action_id: action,
  name: 'Bo Builder',
  email,
  until: SOON,
});
async function given(): Promise<GivenLink> {
  const action = await item();
  const { data, error } = await served.clients.manager.functions.invoke('guests/give', { body: asked(action) });
  if (error) throw error;
  return { ...data, action };
}
const statusOf = async (client: Client, service: string, body: object): Promise<number> => {
  const { error, response } = await client.functions.invoke(service, { body });
  return error ? (response?.status ?? 0) : 200;
};
const visit = (name: string, args: object) => served.clients.visitor.rpc(name, args);
const say = (token: unknown, key: unknown, reply: unknown) =>
  visit('submit_guest_reply', { p_token: token, p_key: key, p_reply: reply });
const done = (photos: GuestReplyBody['photos'] = []) =>
  guestReplyBody({ act: 'done', text: 'Fitted', photos, at: '2026-11-21T08:00:00.000Z' });
async function bring(fields: Record<string, string | Blob>): Promise<number> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, value, 'photo.jpg');
  return statusOf(served.clients.visitor, 'guests/photo', form);
}

describe('the email', () => {
  test('goes to the address, names the organisation, holds the link, and no word of the item', async () => {
    const { email, token, mailed } = await given();
    expect(mailed).toBe(true);
    const { data } = await visit('open_guest_link', { p_token: token });
    expect((data as GuestAnswer)?.status).toBe('open');
    const mails: { to: string; subject: string; text: string }[] = await (
      await fetch(`${served.url}/dev/mail.json`)
    ).json();
    const mail = mails.find(({ to }) => to === email);
    expect(mail?.subject).toBe('Work request from acme');
    expect(mail?.text).toContain(`/guest/${token}`);
    expect(mail?.text).not.toMatch(/Secret work|Quietly|Builder/);
  });

  test('is asked for by nobody who may not give the item, and by nobody without an account', async () => {
    const action = await item();
    const { owner, colleague, other, visitor } = served.clients;
    for (const person of [owner, colleague, other])
      expect(await statusOf(person, 'guests/give', asked(action))).toBe(400);
    expect(await statusOf(visitor, 'guests/give', asked(action))).toBe(401);
    for (const body of [{}, { ...asked(action), until: 7 }, { ...asked(action), email: ['a@b.example'] }])
      expect(await statusOf(served.clients.manager, 'guests/give', body)).toBe(400);
    const { id } = await given();
    expect(await statusOf(served.clients.manager, 'guests/again', { id })).toBe(200);
    for (const person of [owner, colleague, other]) expect(await statusOf(person, 'guests/again', { id })).toBe(400);
    expect(await statusOf(visitor, 'guests/again', { id })).toBe(401);
  });
});

describe('photos', () => {
  /** Others write in between: each looks anew. */
  const still = (attempt: () => Promise<void>) => expectRowsUnchanged(() => served)(attempt);

  test('of the item are shown to whoever holds the link, and to nobody with another one', async () => {
    const { token, action, id } = await given();
    const key = newKey();
    expect((await say(token, key, done([announce(PHOTO)]))).error).toBeNull();
    expect(await bring({ key, number: '1', photo: file(PHOTO) })).toBe(200);
    const [row] = await served.db.asAdmin('select media_ids from action_items where id = $1', [action]);
    const media = String((row?.['media_ids'] as string[] | undefined)?.[0]);
    const seen = async (of: string, which = media) => {
      const { data } = await served.clients.visitor.functions.invoke('guests/picture', {
        body: { token: of, media: which },
      });
      return data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : null;
    };
    expect(await seen(token)).toEqual(new Uint8Array(PHOTO));
    const other = await given();
    expect([await seen(other.token), await seen('f'.repeat(64)), await seen(token, served.world.media)]).toEqual([
      null,
      null,
      null,
    ]);
    await served.clients.manager.rpc('revoke_guest_link', { p_id: id });
    expect(await seen(token)).toBeNull();
  });

  test('of another type than a photo, announced truthfully and named photo.jpg, are not kept', async () => {
    const bad = Object.entries(BAD_PHOTOS);
    for (let at = 0; at < bad.length; at += 5) {
      const five = bad.slice(at, at + 5);
      const [{ token }, key] = [await given(), newKey()];
      const result = await say(token, key, done(five.map(([, bytes]) => announce(bytes))));
      expect(result.error).toBeNull();
      await still(async () => {
        for (const [index, [name, bytes]] of five.entries())
          expect([name, await bring({ key, number: String(index + 1), photo: file(bytes) })]).toEqual([name, 415]);
      });
    }
  });

  test('that were not announced, of another content, too large or without a file are turned away', async () => {
    const [{ token }, key] = [await given(), newKey()];
    await say(token, key, done([announce(PHOTO)]));
    const photo = file(PHOTO);
    await still(async () => {
      expect(await bring({ key: newKey(), number: '1', photo })).toBe(404);
      expect(await bring({ key, number: '2', photo })).toBe(404);
      expect(await bring({ key, number: '1', photo: file(PHOTO.with(40, 0)) })).toBe(409);
      expect(await bring({ key, number: '1', photo: file(new Uint8Array(9_000_000)) })).toBe(413);
      expect(await bring({ key, number: '1' })).toBe(400);
      // A report's way in takes no photo of a guest.
      expect(await statusOf(served.clients.visitor, 'reports/photo', formOf({ key, number: '1', photo }))).toBe(404);
    });
  });
});

const formOf = (fields: Record<string, string | Blob>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

test('guessed tokens and bent keys open nothing and change nothing', async () => {
  const still = expectRowsUnchanged(() => served);
  const { token } = await given();
  await still(async () => {
    for (const bad of sample(badTokens(token), 40)) {
      const opened = await visit('open_guest_link', { p_token: bad });
      expect([bad, opened.data]).toEqual([bad, null]);
      expect((await say(bad, newKey(), done())).data).toBeNull();
    }
    for (const key of sample(badKeys, 20)) expect((await say(token, key, done())).error).not.toBeNull();
  });
});

test('a flood by one link ends after ten words', async () => {
  const { token, action } = await given();
  await Promise.all(Array.from({ length: 40 }, () => say(token, newKey(), done())));
  const rows = await served.db.asAdmin('select 1 from comments where subject_id = $1', [action]);
  expect(rows).toHaveLength(10);
});
