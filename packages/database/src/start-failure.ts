/**
 * An expected reason why the database or the server cannot start. Its message is one sentence for the person at the
 * terminal, without a stack, a password or a connection string.
 */
export class StartFailure extends Error {
  override name = 'StartFailure';
}
