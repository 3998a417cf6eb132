// npm run bench:form: opening and answering a form of 300 questions with 2,750 answers, on the built app.
import { join } from 'node:path';
import { buildWeb } from './build-web.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

await buildWeb();
const main = join(ROOT, 'bench/src/form-main.ts');
const { code } = await runCommand('node', [main, ...process.argv.slice(2)], { echo: true });
process.exitCode = code;
