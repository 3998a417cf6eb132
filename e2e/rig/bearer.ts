import type { Page } from '@playwright/test';

/** What a token says of itself, as far as journeys ask. */
export type Claims = { sub?: string; email?: string; aal?: string; session_id?: string; exp?: number; iat?: number };

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;

/** Reads the token of each call the page makes of records and functions from now on; answers the last one's claims, `{}` before the first. */
export function watchBearer(page: Page): () => Claims {
  let last: Claims = {};
  page.on('request', request => {
    if (!/\/(rest|functions)\/v1\//.test(request.url())) return;
    const token = /^Bearer (\w[\w-]*\.[\w-]+\.[\w-]+)$/.exec(request.headers()['authorization'] ?? '')?.[1];
    if (token) last = claimsOf(token);
  });
  return () => last;
}
