import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { ROOT } from './root.ts';

/** Names the prepared folder to the processes of the test runner. */
const PREPARED = 'CAIRN_E2E_PREPARED';

/** The real local server as a process of its own, on a data folder of its own; can be killed and started again. */
export class ServerProcess {
  readonly port: number;
  readonly data: string;
  private child: ChildProcess | null = null;
  private output = '';
  /** Another folder of built files than the clone's; null for that one. */
  private readonly dist: string | null;

  private constructor(port: number, data: string, dist: string | null = null) {
    this.port = port;
    this.data = data;
    this.dist = dist;
  }

  /** Starts where a first start ends: on a copy of the folder `prepare` made, when there is one. */
  static async start({ dist = null }: { dist?: string | null } = {}): Promise<ServerProcess> {
    const data = mkdtempSync(join(tmpdir(), 'cairn-e2e-'));
    const prepared = process.env[PREPARED];
    // `cp -a`, because the database's files belong to its own account and must go on doing so.
    if (prepared) execFileSync('cp', ['-a', `${prepared}/.`, data]);
    const server = new ServerProcess(await freePort(), data, dist);
    await server.up();
    return server;
  }

  /** Makes the folder every journey begins with, by a real first start; answers what removes it. */
  static async prepare(): Promise<() => void> {
    const server = new ServerProcess(await freePort(), mkdtempSync(join(tmpdir(), 'cairn-e2e-first-')));
    await server.up();
    await server.end('SIGTERM');
    process.env[PREPARED] = server.data;
    return () => rmSync(server.data, { recursive: true, force: true });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async up(): Promise<void> {
    process.once('exit', this.leaveNothing);
    const main = this.dist === null ? 'apps/local-server/src/main.ts' : 'e2e/rig/serve-build.ts';
    const child = spawn('node', ['--disable-warning=ExperimentalWarning', main], {
      cwd: ROOT,
      env: {
        ...process.env,
        ...(this.dist !== null && { CAIRN_E2E_DIST: this.dist }),
        PORT: String(this.port),
        HOST: '127.0.0.1',
        CAIRN_DATA: this.data,
        NODE_ENV: 'production',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const take = (chunk: Buffer) => (this.output += chunk.toString());
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    this.child = child;
    await this.answers(child);
  }

  private readonly leaveNothing = (): void => void this.child?.kill('SIGKILL');

  private async answers(child: ChildProcess): Promise<void> {
    const giveUp = Date.now() + 60_000;
    while (Date.now() < giveUp) {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${this.output}`);
      const answer = await fetch(`${this.url}/healthz`).catch(() => null);
      if (answer?.ok) return;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    throw new Error(`The server did not answer within 60 s:\n${this.output}`);
  }

  /** Like a power cut for the server process; its database process may live on. */
  async killHard(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.data, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = null;
    process.off('exit', this.leaveNothing);
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}
