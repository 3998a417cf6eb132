import type { SessionController } from './session-controller.ts';

/**
 * Signs this person out everywhere, here last.
 * @param words close unsent work where no password was given on this device
 * @throws {Failure} `offline`; {AuthRefused} when the server refused: nothing was changed here
 */
export async function signOutEverywhere(controller: SessionController, words: string | null = null): Promise<void> {
  await (await controller.flows()).endSessions('global');
  await controller.signOut(words);
}
