import { buildWeb } from './build-web.ts';
import { checkBundle } from './check-bundle.ts';

const outcome = await buildWeb({ force: !process.argv.includes('--quiet') });
if (!process.argv.includes('--quiet')) console.log(outcome === 'built' ? 'Built apps/web/dist.' : 'Nothing to build.');
const { lines, over } = checkBundle();
for (const line of lines) console.log(line);
process.exitCode = over.length > 0 ? 1 : 0;
