import { execFileSync } from 'node:child_process';
import { ROOT } from './root.ts';

/** The journeys run on the built app, as people get it. */
export default function buildApp(): void {
  execFileSync('node', ['tools/build-only.ts'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
