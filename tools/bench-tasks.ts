// npm run bench:tasks: my day, a filter and the board with 10,000 tasks on the device, on the built app.
import { join } from 'node:path';
import { buildWeb } from './build-web.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

await buildWeb();
const main = join(ROOT, 'bench/src/tasks-main.ts');
const { code } = await runCommand('node', [main, ...process.argv.slice(2)], { echo: true });
process.exitCode = code;
