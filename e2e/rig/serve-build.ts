import { startServer } from '@cairn/local-server/server.ts';
import { readSettings } from '@cairn/local-server/start/settings.ts';

/** The product's own server over another folder of built files than the clone's: so that a journey can deploy a build. */
const server = await startServer({ ...readSettings(process.env), dist: process.env['CAIRN_E2E_DIST'] ?? '' });
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
