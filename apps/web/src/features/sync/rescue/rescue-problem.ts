import { BackendError } from '@cairn/sync/transport/backend.ts';
import { RescueRefused, type RescueProblem } from '@cairn/sync/recovery/snapshot-refused.ts';

/** What went wrong, as a key of `problem` in the texts of this area. */
export type ProblemKey = RescueProblem | 'offline' | 'refused' | 'other';

/** The sentence for what a rescue file, or the server it was brought to, did not do. A bug of ours is reported too. */
export function rescueProblem(error: unknown): ProblemKey {
  if (error instanceof RescueRefused) return error.problem;
  if (error instanceof BackendError) return error.kind === 'refused' ? 'refused' : 'offline';
  globalThis.reportError(error);
  return 'other';
}
