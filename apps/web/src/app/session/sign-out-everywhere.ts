import type { SessionController } from './session-controller.ts';

/**
 * Signs this person out everywhere, here last.
 * @throws {Failure} `offline`; {AuthRefused} when the server refused: nothing was changed here
 */
export async function signOutEverywhere(controller: SessionController): Promise<void> {
  await (await controller.flows()).endSessions('global');
  await controller.signOut();
}
