// npm run bench:shell: Lighthouse, cold start without network, scrolling and switching, on the built app.
import { join } from 'node:path';
import { BENCH, installPeers } from './install-peers.ts';
import { buildWeb } from './build-web.ts';
import { runCommand } from './run-command.ts';

await installPeers();
await buildWeb();
const { code } = await runCommand('node', [join(BENCH, 'src/shell-main.ts'), ...process.argv.slice(2)], { echo: true });
process.exitCode = code;
