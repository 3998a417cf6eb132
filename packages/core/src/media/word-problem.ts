import type { DocumentProblem } from './document-kind.ts';

/** Why a part of a document is not taken; its message is for developers. */
export class DocumentError extends Error {
  override name = 'DocumentError';
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
