import { expect, test } from 'vitest';
import { endAccount } from './end-account.ts';
import { deviceAndServer, sam, session } from './session-for-tests.ts';

const remembered = { current_user: sam, auth_session: session };

test('an ended account leaves nothing of the person on this device and signs them out', async () => {
  const { controller, server, settings, engines } = deviceAndServer(remembered);
  await controller.start();
  expect(await endAccount(controller, 'secret')).toBeNull();
  expect(server.forgotten).toEqual(['sam']);
  // A hash of whom, so that local storage brings nothing back.
  expect([...settings.keys()]).toEqual(['ended_accounts']);
  expect(JSON.stringify(settings.get('ended_accounts'))).not.toMatch(/sam/i);
  expect([engines[0]?.running, controller.snapshot().status]).toEqual([false, 'signed_out']);
});

test('a page that dies while it signs an ended account out leaves it to the next one to forget them', async () => {
  const place = deviceAndServer(remembered);
  await place.controller.start();
  place.controller.signOut = () => Promise.reject(new Error('the page died'));
  await expect(endAccount(place.controller, 'secret')).rejects.toThrow('the page died');
  expect(place.server.forgotten).toEqual([]);

  const next = deviceAndServer(Object.fromEntries(place.settings));
  await next.controller.start();
  expect(next.server.forgotten).toEqual(['sam']);
  expect([...next.settings.keys()]).toEqual(['ended_accounts']);
  expect(next.controller.snapshot().status).toBe('signed_out');
});

test('a refusal, and a server that says nothing, end nothing here', async () => {
  const { controller, server, settings } = deviceAndServer(remembered);
  await controller.start();
  server.refusal = { code: 'wrong_password', names: '' };
  expect(await endAccount(controller, 'wrong')).toEqual({ code: 'wrong_password', names: '' });
  expect([server.forgotten, controller.snapshot().status]).toEqual([[], 'signed_in']);
  expect(settings.has('auth_session')).toBe(true);

  const offline = deviceAndServer(remembered);
  offline.server.reachable = false;
  await offline.controller.start();
  await expect(endAccount(offline.controller, 'secret')).rejects.toMatchObject({ code: 'offline' });
  expect(offline.server.forgotten).toEqual([]);
});
