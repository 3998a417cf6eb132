/** Why a snapshot gives nothing: not one of ours, of a newer Cairn, cut off or changed, or closed with other words. */
export type RescueProblem = 'foreign' | 'newer' | 'damaged' | 'locked';

/** A snapshot of unsent work that cannot be read; nothing was changed. */
export class RescueRefused extends Error {
  override name = 'RescueRefused';
  readonly problem: RescueProblem;

  constructor(problem: RescueProblem, options?: ErrorOptions) {
    super(`rescue file: ${problem}`, options);
    this.problem = problem;
  }
}
