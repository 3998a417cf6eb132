import { Failure } from '@cairn/base/failure.ts';
import { BackendError } from './backend.ts';

/** What a person is told where a download failed; what is no answer of a server stays as it is. */
export const downloadFailure = (error: unknown): unknown =>
  error instanceof BackendError
    ? new Failure(
        error.kind === 'refused' ? 'not_found' : error.kind === 'auth' ? 'signed_out' : 'offline',
        `download: ${error.code ?? error.kind}`,
        { cause: error },
      )
    : error;
