/** The backend did not give what was asked of it; `status` is the HTTP status it answered with. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError';
  readonly status: number;

  constructor(what: string, status: number) {
    super(`${what}: ${status}`);
    this.status = status;
  }
}
