import type { MiddlewareHandler } from 'hono';

/** The scripts of the app, by the paths the build gives them: what a member stored is ours by its origin too, and is none. */
const SCRIPTS = ['/assets/', '/push-worker.js', '/sw.js'];

/** A policy can name a path only behind a host it can spell: no address of IPv6. */
const ownScripts = (host: string): string =>
  /^[\w.-]+(:\d+)?$/.test(host) ? SCRIPTS.map(path => `${host}${path}`).join(' ') : "'self'";

/** The app loads only what we serve; the reader of codes is WebAssembly of ours, which needs its own word; styles may be inline because React sets them; the nudge comes over a socket. */
function contentPolicy(requestUrl: string): string {
  const { protocol, host } = new URL(requestUrl);
  const scripts = ownScripts(host);
  const socket = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`;
  return [
    "default-src 'self'",
    `script-src ${scripts} 'wasm-unsafe-eval'`,
    `connect-src 'self' ${socket}`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    `worker-src ${scripts}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A stored file opened as a page may do nothing at all. */
const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** Headers lite does not send; on every answer, so that a stored file cannot run as a page of ours either. */
export function securityHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    const isFile = c.req.path.startsWith('/storage/');
    headers.set('Content-Security-Policy', isFile ? FILE_POLICY : contentPolicy(c.req.url));
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('Referrer-Policy', 'no-referrer');
    headers.set('X-Frame-Options', 'DENY');
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Permissions-Policy', 'camera=(self), microphone=(self), geolocation=(self)');
  };
}
