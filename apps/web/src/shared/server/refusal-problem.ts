import { Failure } from '@cairn/base/failure.ts';
import { ServerRefusal } from './server-calls.ts';

export type RefusalProblem<Hint extends string> = 'offline' | 'notAllowed' | 'refused' | Hint;

/** Which of an area's sentences says why the server did not do it: the hint it gave where the area has words for that. */
export function refusalProblem<Hint extends string>(error: unknown, hints: readonly Hint[]): RefusalProblem<Hint> {
  if (error instanceof Failure) return 'offline';
  if (!(error instanceof ServerRefusal)) throw error;
  const hint = hints.find(each => each === error.hint);
  if (hint) return hint;
  return error.code === '42501' ? 'notAllowed' : 'refused';
}
