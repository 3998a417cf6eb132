import type { DocumentProblem } from './document-kind.ts';

/** Why a part of a document is not taken; its message is for developers. */
export class Unsound extends Error {
  override name = 'Unsound';
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
