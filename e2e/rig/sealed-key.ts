import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import type { Page } from '@playwright/test';
import { storedIn } from './device-database.ts';

/** What a password has closed on the device, byte for byte as it lies in its database. */
export type SealedKey = { salt: Uint8Array; iv: Uint8Array; body: Uint8Array };

/** The data key of whoever is signed in, as it lies in `meta`. */
export async function sealedKey(page: Page): Promise<SealedKey> {
  const kept = (await storedIn(page, 'meta')).find(({ name }) => name === 'data_key');
  if (!kept) throw new Error('no data key lies on this device');
  return kept['value'] as SealedKey;
}

/** Opens it with Node's own cryptography: PBKDF2, SHA-256, so many rounds, then AES-GCM with 256 bits. */
export function openSealedKey({ salt, iv, body }: SealedKey, password: string, rounds: number): Buffer {
  const key = pbkdf2Sync(password, Buffer.from(salt), rounds, 32, 'sha256');
  const bytes = Buffer.from(body);
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
}
