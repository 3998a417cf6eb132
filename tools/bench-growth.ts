// npm run bench:growth: the dashboard and a habit's year with five years of daily entries, on the built app.
import { join } from 'node:path';
import { buildWeb } from './build-web.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

await buildWeb();
const main = join(ROOT, 'bench/src/growth-main.ts');
const { code } = await runCommand('node', [main, ...process.argv.slice(2)], { echo: true });
process.exitCode = code;
