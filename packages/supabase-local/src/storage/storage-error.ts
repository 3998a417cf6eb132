import { LineBroken } from '../requests/upload-line.ts';

/** What Supabase Storage answers when it refuses; docs/supabase-parity.md names where ours differs. */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly code: string;
  /** The status in the body; over HTTP it is 400, as there, unless `httpStatus` says otherwise. */
  readonly status: number;
  readonly error: string;
  readonly httpStatus: number;

  constructor(
    code: string,
    status: number,
    message: string,
    others: { error?: string; httpStatus?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: others.cause });
    this.code = code;
    this.status = status;
    this.error = others.error ?? code;
    this.httpStatus = others.httpStatus ?? 400;
  }
}

export const noSuchBucket = () =>
  new StorageError('NoSuchBucket', 404, 'Bucket not found', { error: 'Bucket not found' });
export const noSuchKey = () => new StorageError('NoSuchKey', 404, 'Object not found', { error: 'not_found' });
export const keyExists = () =>
  new StorageError('KeyAlreadyExists', 409, 'The resource already exists', { error: 'Duplicate' });
export const bucketExists = () =>
  new StorageError('BucketAlreadyExists', 409, 'The resource already exists', { error: 'Duplicate' });
export const bucketNotEmpty = () =>
  new StorageError('ResourceNotEmpty', 409, 'The bucket you tried to delete is not empty');
export const accessDenied = (message: string) =>
  new StorageError('AccessDenied', 403, message, { error: 'Unauthorized' });
export const invalidKey = (key: string) => new StorageError('InvalidKey', 400, `Invalid key: ${key}`);
export const invalidBucketName = () =>
  new StorageError('InvalidBucketName', 400, 'Bucket name invalid', { error: 'Invalid Input' });
export const invalidRequest = (message: string) => new StorageError('InvalidRequest', 400, message);
export const invalidMimeType = (type: string) =>
  new StorageError('InvalidMimeType', 415, `mime type ${type} is not supported`, { error: 'invalid_mime_type' });
export const tooLarge = () =>
  new StorageError('EntityTooLarge', 413, 'The object exceeded the maximum allowed size', {
    error: 'Payload too large',
  });
export const invalidJwt = (message: string) => new StorageError('InvalidJWT', 400, message);
export const invalidSignature = () => new StorageError('InvalidSignature', 400, 'Invalid signature');
export const slowDown = () =>
  new StorageError('SlowDown', 429, 'Too many requests at once', { error: 'SlowDown', httpStatus: 429 });
export const featureNotEnabled = () =>
  new StorageError('FeatureNotEnabled', 403, 'feature not enabled for this tenant', { httpStatus: 403 });

/** The refusal behind an error of the database; null when it is a fault. */
export function refusalOf(error: unknown): StorageError | null {
  if (error instanceof StorageError) return error;
  if (error instanceof LineBroken) return new StorageError('Aborted', 408, 'The upload broke off', { httpStatus: 408 });
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code === '42501') return accessDenied(error.message);
  if (error.code === '23505') return keyExists();
  if (error.code === '57014')
    return new StorageError('DatabaseTimeout', 544, 'The connection to the database timed out', { httpStatus: 544 });
  // Text the database cannot hold, such as a NUL.
  if (error.code === '22021' || error.code === '22P05')
    return invalidRequest('The request holds characters that cannot be stored');
  return null;
}

export function answerOf({ status, code, error, message, httpStatus }: StorageError): Response {
  return Response.json({ statusCode: String(status), code, error, message }, { status: httpStatus });
}
