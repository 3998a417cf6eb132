import type { MiddlewareHandler } from 'hono';
import { refuseBody, UPLOAD_LIMIT_BYTES } from '../requests/body-limit.ts';
import type { BytesInFlight } from '../limits/bytes-in-flight.ts';
import type { GateVariables } from '../access/gate.ts';
import { senderOf } from '../requests/sender-of.ts';
import { declaredBytes } from '../requests/reject-truncated-body.ts';

/** What of files carries their bytes; everything else under /storage/v1 is small JSON. */
const OBJECT =
  /^\/storage\/v1\/object\/(?!(?:list|list-v2|sign|upload|move|copy|public|info|authenticated)(?:\/|$))[^/]+\/./;
const SIGNED = /^\/storage\/v1\/object\/upload\/sign\//;
const RESUMABLE = /^\/storage\/v1\/upload\/resumable(?:\/|$)/;

function isUpload(method: string, path: string): boolean {
  if (method === 'PUT') return OBJECT.test(path) || SIGNED.test(path);
  if (method === 'POST') return OBJECT.test(path) || RESUMABLE.test(path);
  return method === 'PATCH' && RESUMABLE.test(path);
}

/**
 * For /storage/v1: bytes of files pass on to the disk as they come, so many at once; all else goes through `whole`. One that does not
 * say how long it is counts as the longest.
 */
export function limitUploadBytes(
  flight: BytesInFlight,
  buffered: MiddlewareHandler<GateVariables>,
): MiddlewareHandler<GateVariables> {
  return async (c, next) => {
    if (!isUpload(c.req.method, c.req.path)) return buffered(c, next);
    const declared = declaredBytes(c) ?? UPLOAD_LIMIT_BYTES;
    const sender = senderOf(c);
    const hold = flight.begin(sender);
    const refuse = (why: 'large' | 'network' | 'all') => {
      c.header('Connection', 'close');
      return refuseBody(c, { why, limit: UPLOAD_LIMIT_BYTES });
    };
    if (!(declared <= UPLOAD_LIMIT_BYTES)) return refuse('large');
    if (!hold.grow(declared)) return refuse(flight.isFull(sender, declared) ? 'network' : 'all');
    try {
      return await next();
    } finally {
      hold.release();
    }
  };
}
