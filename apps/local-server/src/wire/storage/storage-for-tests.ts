import type { Caller } from '@cairn/supabase-local/access/bearer.ts';
import type { TestServer } from '../../server-for-tests.ts';

/** Who makes a link with the secret key. */
export const SERVICE: Caller = { role: 'service_role', claims: null };

/** Buckets as a project may have them: one where everybody has a folder of their own, one of pictures, a public one. */
export const BUCKETS = `
  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
    ('own', 'own', false, null, null),
    ('pictures', 'pictures', false, 1000, '{image/*}'),
    ('open', 'open', true, null, null);
  create policy own_all on storage.objects to authenticated
    using (bucket_id in ('own', 'pictures', 'open') and (storage.foldername(name))[1] = (select auth.uid())::text)
    with check (bucket_id in ('own', 'pictures', 'open') and (storage.foldername(name))[1] = (select auth.uid())::text);`;

type Person = { id: string; token: string };

/** A call the client library would not make, or hides. */
export const rawCall =
  (server: TestServer) =>
  (path: string, person: Person | null, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('apikey', server.secrets.publishableKey);
    if (person) headers.set('Authorization', `Bearer ${person.token}`);
    return fetch(`${server.url}/storage/v1${path}`, { ...init, headers });
  };

export const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
