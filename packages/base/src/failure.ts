/** Every way an operation of ours can fail; screens switch on it, so it is closed. */
export type FailureCode =
  | 'not_found'
  | 'not_allowed'
  | 'stale_version'
  | 'offline'
  | 'storage_full'
  | 'invalid'
  /** Larger, or more entangled, than anything of its kind may be: nothing of it was kept. */
  | 'too_large'
  | 'stalled'
  | 'signed_out';

/**
 * An expected failure that crosses a package boundary.
 * A broken invariant is a plain Error instead: nothing should catch it by kind.
 */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: FailureCode;

  /** @param message for developers and logs: names the operation and ids, never a person's words. */
  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
