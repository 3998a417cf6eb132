import { checks, runChecks } from './checks.ts';

const only = process.argv.slice(2);
const chosen = only.length > 0 ? checks.filter(check => only.includes(check.name)) : checks;
const { failed } = await runChecks(chosen);
process.exit(failed > 0 ? 1 : 0);
