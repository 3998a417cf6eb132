// The one edge function: mounts packages/api and holds no rule of its own. A function named `api` answers below
// /functions/v1/api, so its name is taken out of the path before the routes see it.
import { createApi } from '../../../packages/api/src/routes.ts';

declare const Deno: {
  env: { get(name: string): string | undefined };
  serve(handler: (request: Request) => Response | Promise<Response>): unknown;
};

function setting(name: string): string {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`api: ${name} is not set`);
  return value;
}

const api = createApi({
  url: setting('SUPABASE_URL'),
  publishableKey: setting('SUPABASE_ANON_KEY'),
  secretKey: setting('SUPABASE_SERVICE_ROLE_KEY'),
});

Deno.serve(request => {
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/^(\/functions\/v1)?\/api\//, '/functions/v1/');
  return api.fetch(new Request(url, request));
});
