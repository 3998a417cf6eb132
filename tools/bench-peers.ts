// npm run bench:peers: what goes wrong and how long it takes, beside other sync libraries, on three networks.
import { join } from 'node:path';
import { BENCH, installPeers } from './install-peers.ts';
import { runCommand } from './run-command.ts';

await installPeers();
const { code } = await runCommand('node', [join(BENCH, 'src/peers-main.ts'), ...process.argv.slice(2)], { echo: true });
process.exitCode = code;
