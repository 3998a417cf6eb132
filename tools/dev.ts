// npm run dev: the local server on 4310 and Vite with hot reload on 5173, which passes backend calls on.
import { spawn } from 'node:child_process';
import { ROOT } from './root.ts';

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
const vite = spawn('vite', ['apps/web', '--port', '5173', '--strictPort'], { cwd: ROOT, stdio: 'inherit' });
process.on('exit', () => vite.kill());
await import('../apps/local-server/src/main.ts');
