import type { MiddlewareHandler } from 'hono';

const METHODS = 'GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS';
/** What PostgREST, the limits and GoTrue's lists say in headers. */
const EXPOSED =
  'Content-Range,Content-Location,Preference-Applied,Retry-After,X-Supabase-Api-Version,X-Total-Count,Link';
const MAX_AGE_S = '600';

const CORS_HEADERS = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
];

/** lite 0.10 opens REST and storage to every origin. Only our own and those of CAIRN_ORIGINS may call from a browser. */
export function ownOrigins(allowed: string[]): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('Origin');
    const isAllowed = origin !== undefined && (origin === new URL(c.req.url).origin || allowed.includes(origin));
    const isPreflight = c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') !== undefined;
    if (isPreflight) c.res = new Response(null, { status: 204 });
    else await next();
    for (const name of CORS_HEADERS) c.res.headers.delete(name);
    c.res.headers.append('Vary', 'Origin');
    if (!isAllowed) return;
    c.res.headers.set('Access-Control-Allow-Origin', origin);
    c.res.headers.set('Access-Control-Expose-Headers', EXPOSED);
    if (!isPreflight) return;
    c.res.headers.set('Access-Control-Allow-Methods', METHODS);
    c.res.headers.set('Access-Control-Allow-Headers', c.req.header('Access-Control-Request-Headers') ?? '');
    c.res.headers.set('Access-Control-Max-Age', MAX_AGE_S);
  };
}
