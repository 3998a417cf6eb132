import { createHash } from 'node:crypto';
import { virtualDevice } from '@cairn/testing/virtual-platform.ts';
import { describe, expect, test } from 'vitest';
import { SESSION_PLACE } from '../auth/auth-gate.ts';
import { deviceAndServer, sam, session } from '../session-for-tests.ts';

const remembered = { current_user: sam, auth_session: session };
const place = SESSION_PLACE.prefix + SESSION_PLACE.key;

/** Somebody who is signed in, in the words of the gate, with so much unsent. */
async function signedIn(records: number, channel = virtualDevice().openChannel('session')) {
  const page = deviceAndServer(remembered, null, channel);
  page.server.pending = { records, files: 0 };
  await page.controller.start();
  await expect.poll(() => page.server.events).not.toBeNull();
  page.local.set('cairn.appLock.sam', '5');
  page.local.set('cairn.pending', JSON.stringify({ people: { sam: 1 } }));
  page.local.set('cairn.currentOrganization', 'org');
  page.local.set('cairn.theme', 'dark');
  page.sealed.set(place, JSON.stringify({ user: { id: 'sam' } }));
  return page;
}

const left = ({ settings, local, sealed }: Awaited<ReturnType<typeof signedIn>>) => [
  [...settings.keys()],
  [...local.keys()],
  [...sealed.keys()],
];
/** Of a note whom was forgotten there is a hash. */
const NOTHING = [['ended_accounts'], ['cairn.theme'], []];
const hashOfSam = createHash('sha256').update('sam').digest('hex');
const daysAgo = (days: number) => Date.now() - days * 86_400_000;

describe('an account that was deleted elsewhere', () => {
  test('with nothing unsent: all of it goes at once, and that is said', async () => {
    const page = await signedIn(0);
    page.server.events?.ended('sam');
    await expect
      .poll(() => page.controller.snapshot())
      .toEqual({ status: 'signed_out', reason: 'deleted', email: null });
    expect(page.server.forgotten).toEqual(['sam']);
    expect(left(page)).toEqual(NOTHING);
  });

  test('with unsent work: its person is told and asked, nothing goes before they have chosen, also at the next start', async () => {
    const page = await signedIn(3);
    page.server.events?.ended('sam');
    // The library says so too, a moment later.
    page.server.events?.lost();
    const asked = { status: 'account_ended', user: sam, pending: { records: 3, files: 0 } };
    await expect.poll(() => page.controller.snapshot()).toEqual(asked);
    expect([page.server.forgotten, page.engines[0]?.running]).toEqual([[], false]);

    const next = deviceAndServer(Object.fromEntries(page.settings));
    next.server.reachable = false;
    next.server.pending = { records: 3, files: 0 };
    await next.controller.start();
    expect(next.controller.snapshot()).toMatchObject({ ...asked, user: { id: 'sam' } });
    expect(next.engines).toEqual([]);

    await page.controller.accountEnds.forget(sam);
    expect(page.controller.snapshot()).toEqual({ status: 'signed_out', reason: 'deleted', email: null });
    expect(left(page)).toEqual(NOTHING);
  });

  test('what was cut off while it was forgotten is gone on with at the next start, whoever is signed in by then', async () => {
    const eve = { id: 'eve', email: 'eve@example.test', fullName: null };
    const ended_accounts = { people: [{ ...sam, forget: true }] };
    for (const here of [{}, { current_user: sam }, remembered, { current_user: eve, auth_session: session }]) {
      const page = deviceAndServer({ ...here, ended_accounts });
      page.server.verdict = { status: 'unreachable' };
      await page.controller.start();
      expect(page.server.forgotten).toEqual(['sam']);
      const isEve = 'current_user' in here && here.current_user === eve;
      expect([...page.settings.keys()].filter(key => key !== 'ended_accounts')).toEqual(
        isEve ? ['current_user', 'auth_session'] : [],
      );
      expect(JSON.stringify(page.settings.get('ended_accounts'))).not.toMatch(/sam/i);
      expect(page.controller.snapshot().status).toBe(isEve ? 'signed_in' : 'signed_out');
    }
  });

  test('what a phone that died brings back in local storage goes again at the next start; the note goes once nothing was there for long', async () => {
    for (const [seenAt, isBack, isNoted] of [
      [Date.now(), false, true],
      [daysAgo(1), true, true],
      [daysAgo(1), false, false],
    ] as const) {
      const page = deviceAndServer({ ended_accounts: { people: [], forgotten: [{ hash: hashOfSam, seenAt }] } });
      page.local.set('cairn.theme', 'dark');
      if (isBack) page.local.set('cairn.appLock.sam', '5').set('cairn.pending', '{"people":{"sam":1}}');
      await page.controller.start();
      expect([...page.local.keys()]).toEqual(['cairn.theme']);
      expect(page.settings.has('ended_accounts')).toBe(isNoted);
      expect(page.controller.snapshot().status).toBe('signed_out');
    }
  });

  test('the other tabs are told, and let go of it too', async () => {
    const { openChannel } = virtualDevice();
    const [one, two] = [await signedIn(2, openChannel('session')), await signedIn(2, openChannel('session'))];
    one.server.events?.ended('sam');
    await expect.poll(() => two.controller.snapshot().status).toBe('account_ended');
    expect(two.engines[0]?.running).toBe(false);
    await one.controller.accountEnds.forget(sam);
    await expect
      .poll(() => two.controller.snapshot())
      .toEqual({ status: 'signed_out', reason: 'deleted', email: null });
  });

  test("of another person's, or said while nobody is signed in, changes nothing here", async () => {
    const page = await signedIn(1);
    page.server.events?.ended('eve');
    expect(page.controller.snapshot().status).toBe('signed_in');
    await page.controller.signOut();
    page.server.events?.ended('sam');
    expect([page.controller.snapshot().status, page.server.forgotten]).toEqual(['signed_out', []]);
  });
});

describe('a session that was ended elsewhere, in two tabs', () => {
  test('whoever signs in again in one of them is signed in again in the other, and nobody else is', async () => {
    for (const arriving of [sam, { ...sam, id: 'eve' }]) {
      const { openChannel } = virtualDevice();
      const [one, two] = [await signedIn(1, openChannel('session')), await signedIn(1, openChannel('session'))];
      for (const page of [one, two]) page.server.events?.lost();
      await expect.poll(() => two.controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'refused' });
      one.server.signIn = { ok: true, user: arriving, session };
      two.settings.set('current_user', arriving);
      two.settings.set('auth_session', session);
      expect(await one.controller.signIn('sam@example.test', 'secret')).toBeNull();
      const status = arriving === sam ? 'signed_in' : 'signed_out';
      await expect.poll(() => two.controller.snapshot().status).toBe(status);
    }
  });

  test('a refusal of the session of before does not end the one that was begun meanwhile', async () => {
    const page = await signedIn(1);
    page.server.verdict = { status: 'refused' };
    const renewing = page.engines[0]?.options.refreshToken?.();
    page.settings.set('auth_session', { ...session, sessionToken: 'another' });
    await expect(renewing).rejects.toMatchObject({ code: 'offline' });
    expect(page.controller.snapshot().status).toBe('signed_in');
    expect(page.settings.has('auth_session')).toBe(true);
  });
});
