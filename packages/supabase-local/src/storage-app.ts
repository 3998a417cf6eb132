import { join } from 'node:path';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import type { Sql } from 'postgres';
import { errorCode } from '@cairn/database/error-code.ts';
import { UNREACHABLE } from './database/database.ts';
import { FileStore } from './storage/file-store.ts';
import type { GateVariables } from './access/gate.ts';
import { pathOf, type Log } from './log/log.ts';
import type { Secrets } from './access/secrets.ts';
import { bucketRoutes } from './storage/bucket-routes.ts';
import { linkRoutes } from './storage/link-routes.ts';
import { listRoutes } from './storage/list-routes.ts';
import { objectRoutes } from './storage/object-routes.ts';
import { ResumableUploads } from './storage/resumable-uploads.ts';
import { resumableRoutes } from './storage/resumable-routes.ts';
import { asAsker, type Storage } from './storage/storage-context.ts';
import { answerOf, featureNotEnabled, refusalOf, StorageError } from './storage/storage-error.ts';
import { transferRoutes } from './storage/transfer-routes.ts';
import { createUrlSigner } from './storage/url-signer.ts';

/** @param folder the data folder. Removes what uploads that broke off have left */
export async function openStorage(folder: string, sql: Sql, secrets: Secrets, log: Log): Promise<Storage> {
  const files = new FileStore(join(folder, 'files'));
  const uploads = new ResumableUploads(join(folder, 'uploads'));
  await files.sweep();
  await uploads.sweep(Date.now());
  return { sql, secrets, log, files, uploads, signer: createUrlSigner(secrets.jwtSecret) };
}

/** What may be asked without a key: it is public, or the link itself is the key. */
const OPEN =
  /^\/storage\/v1\/(object\/(public|info\/public|sign)|render\/image\/(public|sign)|upload\/resumable\/sign|object\/upload\/sign)\//;

const needsKey =
  ({ publishableKey, secretKey }: Secrets): MiddlewareHandler<GateVariables> =>
  async (c, next) => {
    const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
    const keys = [c.req.header('apikey') ?? c.req.query('apikey'), bearer];
    const hasKey = keys.some(key => key === publishableKey || key === secretKey);
    if (c.get('caller').claims || hasKey || OPEN.test(c.req.path)) return next();
    return answerOf(
      new StorageError('AccessDenied', 401, 'Invalid API key', { error: 'Unauthorized', httpStatus: 401 }),
    );
  };

/** Neither names nor words of a person are logged. */
function failed(error: Error, c: Context, log: Log): Response {
  const refusal = refusalOf(error);
  if (refusal) return answerOf(refusal);
  if (UNREACHABLE.has(errorCode(error))) {
    const busy = new StorageError('DatabaseError', 503, 'The database cannot be reached', { httpStatus: 503 });
    const answer = answerOf(busy);
    answer.headers.set('Retry-After', '1');
    return answer;
  }
  const place = pathOf(c.req.url).split('/').slice(0, 4).join('/');
  log.error({ method: c.req.method, path: place, err: error }, 'request failed');
  return answerOf(
    new StorageError('InternalError', 500, 'Internal Server Error', { error: 'Internal', httpStatus: 500 }),
  );
}

const noRoute = (c: Context) =>
  answerOf(
    new StorageError('NotFound', 404, `Route ${c.req.method}:${pathOf(c.req.url)} not found`, {
      error: 'Not Found',
      httpStatus: 404,
    }),
  );

/** Storage as Supabase answers it, below `/storage/v1`; the gate has looked at the bearer before. */
export function storageApp(storage: Storage): Hono<GateVariables> {
  const app = new Hono<GateVariables>();
  app.onError((error, c) => failed(error, c, storage.log));
  app.use('*', needsKey(storage.secrets), (c, next) => asAsker(c, next));
  app.route('/upload/resumable', resumableRoutes(storage));
  app.all('/object/list-v2/*', noRoute);
  app.all('/render/image/*', () => answerOf(featureNotEnabled()));
  for (const routes of [bucketRoutes, linkRoutes, transferRoutes, listRoutes, objectRoutes])
    app.route('/', routes(storage));
  app.all('*', noRoute);
  return app;
}
