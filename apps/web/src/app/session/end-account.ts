import { Failure } from '@cairn/base/failure.ts';
import type { EndRefusal } from './auth/auth-gate.ts';
import type { SessionController } from './session-controller.ts';

/**
 * Ends the signed-in person's account; once it is gone this device forgets them, sent or not, and signs out.
 *
 * @returns why the server refused, or null when it is done
 * @throws {Failure} see `AccountCalls.endAccount`: nothing was changed on this device
 */
export async function endAccount(controller: SessionController, password: string): Promise<EndRefusal | null> {
  const state = controller.snapshot();
  if (state.status !== 'signed_in') throw new Failure('signed_out', 'endAccount: nobody is signed in');
  const refusal = await (await controller.reach()).endAccount(password);
  if (refusal) return refusal;
  // Noted before anything is removed: a phone that dies now goes on at its next start.
  await controller.accountEnds.note(state.user);
  await controller.signOut();
  await controller.accountEnds.forget(state.user);
  return null;
}
