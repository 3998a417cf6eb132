import type { SessionController } from './session-controller.ts';

/** Work on this device that no server has acknowledged: what the signed-in person is asked about before leaving. */
export async function pendingWork(controller: SessionController): Promise<{ records: number; files: number }> {
  const state = controller.snapshot();
  return state.status === 'signed_in' ? controller.opened().pendingOf(state.user.id) : { records: 0, files: 0 };
}
