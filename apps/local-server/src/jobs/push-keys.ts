import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import webPush from 'web-push';
import { errorCode } from '@cairn/database/error-code.ts';
import { StartFailure } from '@cairn/database/start-failure.ts';

export type PushKeys = { publicKey: string; privateKey: string };

function parse(text: string, file: string): PushKeys {
  try {
    const { publicKey, privateKey }: Record<keyof PushKeys, unknown> = JSON.parse(text);
    if (typeof publicKey === 'string' && typeof privateKey === 'string') return { publicKey, privateKey };
  } catch (error) {
    throw new StartFailure(`The push keys in ${file} cannot be read; put the file back from a copy.`, { cause: error });
  }
  throw new StartFailure(`The push keys in ${file} are not complete; put the file back from a copy.`);
}

/**
 * The VAPID keys of this installation, made on the first start. Browsers subscribe with the public one: with other keys
 * every subscription is void.
 *
 * @throws {StartFailure} when the folder cannot be written or the file is damaged
 */
export function openPushKeys(folder: string): PushKeys {
  const file = join(folder, 'push-keys.json');
  try {
    if (existsSync(file)) return parse(readFileSync(file, 'utf8'), file);
    const keys = webPush.generateVAPIDKeys();
    writeFileSync(`${file}.new`, JSON.stringify(keys), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return keys;
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(`The data folder ${folder} cannot be written (${errorCode(error)}).`, { cause: error });
  }
}
