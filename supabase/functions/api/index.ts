// The one edge function: mounts packages/api and holds no rule of its own. It is deployed under the name of each group of
// calls (account, calendar, media, people, notifications, reports, schedules): the platform gives a function the path behind /functions/v1, its name in
// front, and the routes see it as our own server's do.
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

/** Where people open the app; the project's own address where nobody has said. */
const site = Deno.env.get('CAIRN_URL');

const api = createApi({
  ...(site !== undefined && { site: () => site }),
  url: setting('SUPABASE_URL'),
  publishableKey: setting('SUPABASE_ANON_KEY'),
  secretKey: setting('SUPABASE_SERVICE_ROLE_KEY'),
});

Deno.serve(request => {
  const url = new URL(request.url);
  url.pathname = `/functions/v1${url.pathname.replace(/^\/functions\/v1/, '').replace(/^\/api\//, '/')}`;
  return api.fetch(new Request(url, request));
});
