import type { SessionController } from './session-controller.ts';

/**
 * Removes a sample organisation; this device lets go of it with the pull that follows.
 * @throws {Failure} `not_allowed`, `offline`
 */
export async function removeSampleData(controller: SessionController, organizationId: string): Promise<void> {
  await (await controller.reach()).removeSampleData(organizationId);
  const state = controller.snapshot();
  if (state.status === 'signed_in') state.engine.syncNow();
}
