// npm run ui: every component in every state, with switches for the look, on http://127.0.0.1:5174.
import { createServer } from 'vite';
import { ROOT } from './root.ts';

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
const server = await createServer({
  configFile: `${ROOT}/packages/ui/catalogue/vite.config.ts`,
  server: { host: '127.0.0.1', port: Number(process.env['PORT'] ?? 5174), strictPort: true },
});
await server.listen();
server.printUrls();
