import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { appCached } from './app-cached.ts';
import { lastingPort } from './free-port.ts';
import { PHONE, Phone } from './phone.ts';
import type { InstalledApp } from './prepared.ts';
import { ServerProcess } from './server-process.ts';

/** What a device knows of its person and of itself: each journey begins without. */
const OF_ONE_DEVICE = ['IndexedDB', 'Local Storage', 'Session Storage', 'Network', 'DevToolsActivePort'];

/**
 * Installs the app once, as a first visit does, on a profile that the phones of one runner's process begin with: fetching and
 * compiling all of it is a fifth of a journey's time. A profile serves one address only, so the port stays with it.
 */
export async function installApp(data: string): Promise<InstalledApp> {
  const server = ServerProcess.at(await lastingPort(), data);
  await server.up();
  const phone = await Phone.open(PHONE);
  await phone.page.goto(`${server.url}/auth`);
  await appCached(phone.page);
  await phone.shutDown();
  await server.rest();
  for (const name of OF_ONE_DEVICE)
    for (const folder of [phone.profile, join(phone.profile, 'Default')])
      rmSync(join(folder, name), { recursive: true, force: true });
  return { port: server.port, profile: phone.profile };
}
