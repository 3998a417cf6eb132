import { expect, test } from 'vitest';
import type { AuthFlows } from '../../../shared/auth/auth-flows.ts';
import { deviceAndServer, sam, session } from '../session-for-tests.ts';

const eve = { id: 'eve', email: 'eve@example.test', fullName: null };
const result = { user: sam, session, secondStep: false };
const flows = (given: Partial<AuthFlows>) => given as AuthFlows;

test('a password with a second step behind it opens the data key once both are given, on nobody else', async () => {
  for (const [user, isKept] of [
    [sam, true],
    [eve, false],
  ] as const) {
    const { controller, server } = deviceAndServer();
    server.signIn = { ok: false, failure: { kind: 'second_step' } };
    await controller.start();
    await controller.signIn('Sam@example.test', 'secret');
    await controller.establishSession({ ...result, user });
    expect(await controller.opened().dataKeys.has(user.id)).toBe(isKept);
  }
});

test('the password of a sign-up, and one that replaces a forgotten one, open the data key of who arrives', async () => {
  const { controller, server } = deviceAndServer();
  server.flows = flows({ signUp: async () => null, setPassword: async () => undefined });
  await controller.start();
  const asked = { fullName: 'Sam', email: 'sam@example.test', password: 'first', language: 'en', returnTo: '' };
  await (await controller.flows()).signUp(asked);
  await controller.establishSession(result);
  expect(await controller.opened().dataKeys.open('sam', 'first')).toBeDefined();
  await controller.signOut();
  await (await controller.flows()).setPassword('second');
  await controller.establishSession(result);
  expect(await controller.opened().dataKeys.open('sam', 'second')).toBeDefined();
});

test('a password changed while signed in opens the data key from then on; one that was refused does not', async () => {
  const { controller, server } = deviceAndServer();
  let answer: () => Promise<void> = () => Promise.reject(new Error('weak'));
  server.flows = flows({ setPassword: () => answer() });
  await controller.start();
  await controller.signIn('sam@example.test', 'first');
  await expect((await controller.flows()).setPassword('123')).rejects.toThrow('weak');
  expect(await controller.opened().dataKeys.open('sam', 'first')).toBeDefined();
  answer = async () => undefined;
  await (await controller.flows()).setPassword('second');
  expect(await controller.opened().dataKeys.open('sam', 'second')).toBeDefined();
});

test('whoever came by a code alone has no password here; what they leave is closed with words of their own', async () => {
  const { controller, server } = deviceAndServer();
  await controller.start();
  await controller.establishSession(result);
  expect(await controller.opened().dataKeys.has('sam')).toBe(false);
  await controller.signOut('words of my own');
  expect([server.kept, server.returned]).toEqual([['sam words of my own'], ['sam']]);
});

test('unsent work is closed when somebody leaves or another comes in, and brought back before their engine starts', async () => {
  const { controller, server, engines } = deviceAndServer();
  await controller.start();
  await controller.signIn('sam@example.test', 'secret');
  await controller.establishSession({ ...result, user: eve });
  expect([server.kept, server.returned]).toEqual([['sam'], ['sam', 'eve']]);
  expect(await controller.opened().dataKeys.held('sam')).toBeNull();
  await controller.signOut();
  await controller.signIn('sam@example.test', 'secret');
  expect(server.returned).toEqual(['sam', 'eve', 'sam']);
  expect(engines.map(({ options }) => options.owner)).toEqual(['sam', 'eve', 'sam']);
});
