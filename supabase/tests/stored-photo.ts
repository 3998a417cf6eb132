import { createHash, randomUUID } from 'node:crypto';
import type { SeparateServer } from './bystander.ts';

/** Puts a photo of these bytes into an organisation, as somebody who belongs to it captured it. @returns the id of its row */
export async function storePhoto(
  { db, url, secretKey }: Pick<SeparateServer, 'db' | 'url' | 'secretKey'>,
  { id: captor, organization }: { id: string; organization: string },
  bytes: Buffer,
): Promise<string> {
  const id = randomUUID();
  await db.asAdmin(
    `insert into media (id, organization_id, kind, mime, bytes, sha256, state, captured_at, captured_by)
     values ($1, $2, 'photo', 'image/jpeg', $3, $4, 'complete', now(), $5)`,
    [id, organization, bytes.byteLength, createHash('sha256').update(bytes).digest('hex'), captor],
  );
  const headers = { apikey: secretKey, authorization: `Bearer ${secretKey}`, 'content-type': 'image/jpeg' };
  const path = `${url}/storage/v1/object/media/${organization}/${id}`;
  const stored = await fetch(path, { method: 'POST', headers, body: new Uint8Array(bytes) });
  if (!stored.ok) throw new Error(`the photo was not stored: ${stored.status}`);
  return id;
}
