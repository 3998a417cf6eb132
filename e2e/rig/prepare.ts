import { execFileSync } from 'node:child_process';
import { ROOT } from './root.ts';
import { ServerProcess } from './server-process.ts';

/** The journeys run on the built app, as people get it, and on a server that has had its first start. */
export default async function prepare(): Promise<() => void> {
  execFileSync('node', ['tools/build-only.ts'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  return ServerProcess.prepare();
}
