import { expect, test } from 'vitest';
import { AuthRefused, type AuthFlows } from '../../shared/auth/auth-flows.ts';
import { deviceAndServer, sam, session } from './session-for-tests.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

const eve = { id: 'eve', email: 'eve@example.test', fullName: null };
const result = { user: sam, session, secondStep: false };

test('whoever came in by a code is signed in and remembered', async () => {
  const { controller, settings, engines } = deviceAndServer();
  await controller.start();
  await controller.establishSession(result);
  expect(controller.snapshot()).toMatchObject({ status: 'signed_in', user: sam, verified: true });
  expect(settings.get('current_user')).toEqual(sam);
  expect(engines.map(({ running }) => running)).toEqual([true]);
});

test('a link of the same person keeps their engine; one of somebody else stops it first', async () => {
  const { controller, engines } = deviceAndServer({ current_user: sam, auth_session: session });
  await controller.start();
  await controller.establishSession(result);
  expect(engines.map(({ options, running }) => [options.owner, running])).toEqual([['sam', true]]);
  await controller.establishSession({ ...result, user: eve });
  expect(engines.map(({ options, running }) => [options.owner, running])).toEqual([
    ['sam', false],
    ['eve', true],
  ]);
});

test('a password that is right, with a second step owed, signs nobody in', async () => {
  const { controller, server, settings } = deviceAndServer();
  server.signIn = { ok: false, failure: { kind: 'second_step' } };
  await controller.start();
  expect(await controller.signIn('sam@example.test', 'secret')).toEqual({ kind: 'second_step' });
  expect(controller.snapshot()).toMatchObject({ status: 'signed_out' });
  expect([...settings.keys()]).toEqual([]);
});

test('R7.08 signing out everywhere tells the server first; refused, nobody is signed out here', async () => {
  const { controller, server } = deviceAndServer({ current_user: sam, auth_session: session });
  const scopes: string[] = [];
  server.flows = {
    endSessions: async (scope: string) => {
      scopes.push(scope);
      if (scopes.length === 1) throw new AuthRefused({ kind: 'network' });
    },
  } as AuthFlows;
  await controller.start();
  await expect(signOutEverywhere(controller)).rejects.toMatchObject({ refusal: { kind: 'network' } });
  expect(controller.snapshot()).toMatchObject({ status: 'signed_in' });
  await signOutEverywhere(controller);
  expect(scopes).toEqual(['global', 'global']);
  expect(controller.snapshot()).toMatchObject({ status: 'signed_out', reason: 'left' });
});
