// npm run bench:policies: reports, publishing, and the list and the search on a device, with 200 policies and 5,000 people.
import { join } from 'node:path';
import { buildWeb } from './build-web.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

await buildWeb();
const main = join(ROOT, 'bench/src/policies-main.ts');
const { code } = await runCommand('node', [main, ...process.argv.slice(2)], { echo: true });
process.exitCode = code;
