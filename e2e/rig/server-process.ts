import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { installedPort, preparedData } from './prepared.ts';
import { ROOT } from './root.ts';

/** Whether a server of this process listens at the port at which the app is installed already. */
let isPortTaken = false;

/** A folder for data, with what another holds where one is given. */
export function copyOf(data: string | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-e2e-'));
  // `cp -a`, because the database's files belong to its own account and must go on doing so.
  if (data) execFileSync('cp', ['-a', `${data}/.`, folder]);
  return folder;
}

type StartOptions = {
  dist?: string | null;
  /** Environment variables of the server, such as `CAIRN_SMS`. */
  settings?: Record<string, string>;
};

/** The real local server as a process of its own, on a data folder of its own; can be killed and started again. */
export class ServerProcess {
  readonly port: number;
  readonly data: string;
  private child: ChildProcess | null = null;
  private output = '';
  /** Another folder of built files than the clone's; null for that one. */
  private readonly dist: string | null;
  private readonly settings: Record<string, string>;

  private constructor(port: number, data: string, { dist = null, settings = {} }: StartOptions = {}) {
    this.port = port;
    this.data = data;
    this.dist = dist;
    this.settings = settings;
  }

  /** Starts where a first start ends: on a copy of the folder `prepare` made, when there is one. */
  static async start({ dist = null, settings = {} }: StartOptions = {}): Promise<ServerProcess> {
    const data = copyOf(preparedData());
    const known = dist === null && !isPortTaken ? installedPort() : undefined;
    const server = new ServerProcess(known ?? (await freePort()), data, { dist, settings });
    if (server.port === installedPort()) isPortTaken = true;
    await server.up();
    return server;
  }

  /** One at a port and on a folder of the caller's choice, not running yet. */
  static at(port: number, data: string): ServerProcess {
    return new ServerProcess(port, data);
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
        // One demo person signs in with each journey.
        CAIRN_RATE_LIMIT_FACTOR: '10',
        ...this.settings,
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
    await this.rest();
    if (this.port === installedPort()) isPortTaken = false;
    rmSync(this.data, { recursive: true, force: true });
  }

  /** Ends, and leaves its data. */
  async rest(): Promise<void> {
    await this.end('SIGTERM');
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
