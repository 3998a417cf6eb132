import { buildWeb } from './build-web.ts';

// Whoever started us is gone: end as if told to.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));

console.log('Starting Cairn …');
await buildWeb();
await import('../apps/local-server/src/main.ts');
