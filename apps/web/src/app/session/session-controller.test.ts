import { afterEach, describe, expect, test, vi } from 'vitest';
import { deviceAndServer, sam, session } from './session-for-tests.ts';
import { pendingWork } from './pending-work.ts';

const remembered = { current_user: sam, auth_session: session };

describe('start', () => {
  test('a device that remembers nobody is signed out and asks no server', async () => {
    const { controller, server } = deviceAndServer();
    await controller.start();
    expect(controller.snapshot()).toEqual({ status: 'signed_out', reason: 'none', email: null });
    expect(server.asked).toEqual([]);
  });

  test('R4.08 a remembered person is signed in from stored data with no network', async () => {
    const { controller, server, engines } = deviceAndServer(remembered);
    server.reachable = false;
    await controller.start();
    expect(controller.snapshot()).toMatchObject({ status: 'signed_in', user: sam, verified: false });
    expect(engines.map(engine => [engine.options.owner, engine.running])).toEqual([['sam', true]]);
    expect(server.asked).toEqual([]);
  });

  test('the server is asked afterwards, and its word makes the session verified', async () => {
    const { controller } = deviceAndServer(remembered);
    await controller.start();
    await expect.poll(() => controller.snapshot()).toMatchObject({ status: 'signed_in', verified: true });
  });

  test('an unreachable server ends no session', async () => {
    const { controller, server } = deviceAndServer(remembered);
    server.verdict = { status: 'unreachable' };
    await controller.start();
    await expect.poll(() => server.asked).toEqual(['verify']);
    expect(controller.snapshot()).toMatchObject({ status: 'signed_in', verified: false });
  });

  test('a session the server refuses ends; the engine stops and the person is still known', async () => {
    const { controller, server, settings, engines } = deviceAndServer(remembered);
    server.verdict = { status: 'refused' };
    await controller.start();
    await expect
      .poll(() => controller.snapshot())
      .toEqual({
        status: 'signed_out',
        reason: 'refused',
        email: 'sam@example.test',
      });
    await expect.poll(() => [...settings.keys()]).toEqual(['current_user']);
    await expect.poll(() => engines[0]?.running).toBe(false);
  });

  test('whoever signed out in another window is told that, not that a session expired', async () => {
    const { controller, server, settings } = deviceAndServer(remembered);
    await controller.start();
    await expect.poll(() => server.events).not.toBeNull();
    settings.delete('auth_session');
    settings.delete('current_user');
    server.events?.lost();
    await expect.poll(() => controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'elsewhere' });
  });

  test('a refused session is forgotten before its engine has stopped: a page opened meanwhile lets nobody in', async () => {
    const { controller, server, settings, engines } = deviceAndServer(remembered);
    await controller.start();
    const [engine] = engines;
    if (!engine) throw new Error('nobody is signed in');
    engine.stop = () => new Promise(() => undefined);
    server.verdict = { status: 'refused' };
    engine.options.refreshToken?.().catch(() => undefined);
    await expect.poll(() => [...settings.keys()]).toEqual(['current_user']);
  });

  test('once somebody else signed in elsewhere in this browser nothing is asked here in their name, and whoever was here is out', async () => {
    const { controller, server } = deviceAndServer(remembered);
    await controller.start();
    await expect.poll(() => controller.snapshot()).toMatchObject({ verified: true });
    server.holder = sam.id;
    await (await controller.reach()).push.remove('own');
    server.holder = 'eve';
    await expect(controller.reach()).rejects.toMatchObject({ code: 'signed_out' });
    await expect(controller.flows()).resolves.toBeTruthy();
    expect(server.asked.filter(each => each.startsWith('push'))).toEqual(['push.remove own']);
    expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'refused', email: sam.email });
  });

  test("a stored session of somebody else does not open this person's work", async () => {
    const { controller, server } = deviceAndServer(remembered);
    server.verdict = { status: 'valid', user: { ...sam, id: 'eve' }, session };
    await controller.start();
    await expect.poll(() => controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'refused' });
  });
});

describe('sign-in', () => {
  test.each([
    ['', 'secret'],
    ['   ', 'secret'],
    ['sam@example.test', ''],
  ])('R8.26 e-mail %j with password %j is asked for both and sends nothing', async (email, password) => {
    const { controller, server } = deviceAndServer();
    await controller.start();
    expect(await controller.signIn(email, password)).toEqual({ kind: 'missing' });
    expect(server.asked).toEqual([]);
  });

  test('R5.04 R5.05 the e-mail is sent trimmed and in small letters, the password as it was typed', async () => {
    const { controller, server, settings } = deviceAndServer();
    await controller.start();
    expect(await controller.signIn('  Sam@Example.TEST ', ' Secret ')).toBeNull();
    expect(server.asked).toEqual(['signIn sam@example.test  Secret ']);
    expect(controller.snapshot()).toMatchObject({ status: 'signed_in', verified: true });
    expect([...settings.keys()].toSorted()).toEqual(['auth_session', 'current_user']);
  });

  test('without a network it says so, and works once the network is back', async () => {
    const { controller, server } = deviceAndServer();
    server.reachable = false;
    await controller.start();
    expect(await controller.signIn('sam@example.test', 'secret')).toEqual({ kind: 'network' });
    server.reachable = true;
    expect(await controller.signIn('sam@example.test', 'secret')).toBeNull();
  });
});

afterEach(() => vi.useRealTimers());

describe('sign-out', () => {
  test('R4.07 forgets person, session and choices on this device', async () => {
    const { controller, settings, engines, server } = deviceAndServer({
      ...remembered,
      selected_organization: { organizationId: 'o' },
      selected_playbook: { playbookId: 'p' },
    });
    await controller.start();
    await controller.signOut();
    expect([...settings.keys()]).toEqual([]);
    await expect.poll(() => server.asked).toContain('signOut');
    expect(engines[0]?.running).toBe(false);
    expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'left' });
  });

  test('a device that cannot forget keeps the person signed in and their work going out; the next try works', async () => {
    const { controller, engines } = deviceAndServer(remembered);
    await controller.start();
    const { settings, dataKeys } = controller.opened();
    await dataKeys.keep('sam', 'secret');
    const { remove } = settings;
    settings.remove = () => Promise.reject(new Error('the disk is gone'));
    await expect(controller.signOut()).rejects.toThrow('the disk is gone');
    expect(controller.snapshot()).toMatchObject({ status: 'signed_in', user: sam });
    expect(engines.map(({ running }) => running)).toEqual([false, true]);
    // Their work was closed with it, and is opened again.
    expect(await dataKeys.held('sam')).not.toBeNull();
    settings.remove = remove;
    await controller.signOut();
    expect(await dataKeys.held('sam')).toBeNull();
    expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'left' });
    expect(engines.map(({ running }) => running)).toEqual([false, false]);
  });

  test('works with no network too', async () => {
    const { controller, server } = deviceAndServer(remembered);
    server.reachable = false;
    await controller.start();
    await controller.signOut();
    expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'left' });
  });

  test('ends at once on a network that says nothing; whoever signs in next waits for the library to let go', async () => {
    const { controller, server, settings } = deviceAndServer(remembered);
    await controller.start();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.leaving = promise;
    await controller.signOut();
    expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'left' });
    expect([...settings.keys()]).toEqual([]);
    const signingIn = controller.signIn('sam@example.test', 'secret');
    await expect.poll(() => server.asked).toContain('signOut');
    expect(server.asked).not.toContain('signIn sam@example.test secret');
    resolve();
    expect(await signingIn).toBeNull();
  });

  test('a library that does not load within three seconds leaves no session behind', async () => {
    const { controller, server, sealed } = deviceAndServer(remembered);
    sealed.set('cairn.auth.cairn.session', '{}');
    server.loading = new Promise(() => undefined);
    await controller.start();
    vi.useFakeTimers();
    await controller.signOut();
    expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'left' });
    await vi.advanceTimersByTimeAsync(3000);
    expect([...sealed.keys()]).toEqual([]);
  });

  test("the library's own word of the sign-out does not turn it into a refused session", async () => {
    const { controller, server } = deviceAndServer(remembered);
    await controller.start();
    await expect.poll(() => server.events).not.toBeNull();
    const seen: unknown[] = [];
    controller.subscribe(() => seen.push(controller.snapshot()));
    const leaving = controller.signOut();
    server.events?.lost();
    await leaving;
    expect(seen).toEqual([{ status: 'signed_out', reason: 'left', email: 'sam@example.test' }]);
  });

  test('unsent work is counted before anybody leaves', async () => {
    const { controller, server } = deviceAndServer(remembered);
    server.pending = { records: 3, files: 2 };
    await controller.start();
    expect(await pendingWork(controller)).toEqual({ records: 3, files: 2 });
  });
});

describe('a token refused in the middle of sending', () => {
  test('is renewed and kept', async () => {
    const { controller, engines, settings } = deviceAndServer(remembered);
    await controller.start();
    await engines[0]?.options.refreshToken?.();
    expect(settings.get('auth_session')).toEqual(session);
  });

  test("renewed for somebody another tab signed in, it is no session of this person's, and theirs stays", async () => {
    const { controller, server, settings, engines } = deviceAndServer({ current_user: sam, auth_session: session });
    await controller.start();
    await expect.poll(() => controller.snapshot()).toMatchObject({ verified: true });
    const eve = { id: 'eve', email: 'eve@example.test', fullName: null };
    const hers = { ...session, sessionToken: 'hers' };
    settings.set('current_user', eve).set('auth_session', hers);
    server.verdict = { status: 'valid', user: eve, session: hers };
    await expect(engines[0]?.options.refreshToken?.()).rejects.toMatchObject({ code: 'signed_out' });
    expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'refused', email: sam.email });
    expect(engines[0]?.running).toBe(false);
    expect([settings.get('current_user'), settings.get('auth_session')]).toEqual([eve, hers]);
  });

  test('ends the session only when the server refuses to renew it', async () => {
    const { controller, engines, server } = deviceAndServer(remembered);
    server.verdict = { status: 'unreachable' };
    await controller.start();
    await expect(engines[0]?.options.refreshToken?.()).rejects.toMatchObject({ code: 'offline' });
    expect(controller.snapshot().status).toBe('signed_in');
    server.verdict = { status: 'refused' };
    await expect(engines[0]?.options.refreshToken?.()).rejects.toMatchObject({ code: 'signed_out' });
    expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'refused' });
  });
});
