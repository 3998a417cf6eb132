import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { repairLinks } from './postgres-binaries.ts';
import { readPostmaster } from './postmaster.ts';
import { withConnection } from './prepare-database.ts';

let root: string;
let running: EmbeddedPostgres | null = null;
const isRoot = process.getuid?.() === 0;

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  running = await startPostgres({ dataDir });
  return running;
}

async function stop(): Promise<void> {
  await running?.stop();
  running = null;
}

const ask = (url: string, text: string) => withConnection(url, async sql => [...(await sql.unsafe(text))]);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cairn-pg-'));
  chmodSync(root, 0o755);
});

afterEach(async () => {
  await stop();
  rmSync(root, { recursive: true, force: true });
});

describe('the embedded Postgres', () => {
  test('starts in a folder with a space in its name and keeps its rows over a restart', async () => {
    const dataDir = join(root, 'a folder');
    const first = await start(dataDir);
    await ask(first.url, 'create table kept as select 42 as answer');
    await stop();
    const second = await start(dataDir);
    expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('writes through to the disk and listens on the loopback interface only', async () => {
    const { url } = await start(join(root, 'data'));
    const settings = await ask(
      url,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
              current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets`,
    );
    expect(settings).toEqual([{ fsync: 'on', commit: 'on', listen: '127.0.0.1', sockets: '' }]);
  });

  test('asks for a password that only its owner can read', async () => {
    const dataDir = join(root, 'data');
    const { url } = await start(dataDir);
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
    await expect(ask(url.replace(/:[^:@]+@/, ':guess@'), 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('a Postgres left running by a killed process is stopped, and what it acknowledged is there', async () => {
    const dataDir = join(root, 'data');
    const script = fileURLToPath(new URL('./postgres-to-be-killed.ts', import.meta.url));
    const child = spawn(process.execPath, [script, dataDir], { stdio: 'inherit' });
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');

    const { url } = await start(dataDir);
    expect(await ask(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('a pid file that names a process of somebody else does not stop the start, nor is that process touched', async () => {
    const dataDir = join(root, 'data');
    await start(dataDir);
    await stop();
    const other = spawn('sleep', ['60']);
    const cluster = clusterOf(dataDir);
    writeFileSync(join(cluster, 'postmaster.pid'), `${other.pid}\n${cluster}\n1\n5432\n\n\n\nready\n`);

    await start(dataDir);
    expect(readPostmaster(cluster)?.pid).not.toBe(other.pid);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
    other.kill();
  });

  test.runIf(isRoot)(
    'as root, below a folder only root can enter, it works from a folder that is remembered',
    async () => {
      const closed = join(root, 'closed');
      mkdirSync(closed, { mode: 0o700 });
      const dataDir = join(closed, 'data');
      const first = await start(dataDir);
      await ask(first.url, 'create table kept as select 42 as answer');
      await stop();
      const second = await start(dataDir);
      expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      await stop();
      rmSync(readFileSync(join(dataDir, 'cluster-folder'), 'utf8').trim(), { recursive: true });
      await expect(start(dataDir)).rejects.toThrow('is gone');
    },
  );

  test('an unusable data folder is explained in one sentence', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(start(join(root, 'file', 'data'))).rejects.toThrow(/cannot be written \(ENOTDIR\)\.$/);
  });
});

test('links that a blocked install script left out are made once and left alone after', () => {
  const native = join(root, 'native');
  mkdirSync(join(native, 'lib'), { recursive: true });
  writeFileSync(join(native, 'lib', 'libpq.so.5.17'), 'library');
  const links = [{ source: 'native/lib/libpq.so.5.17', target: 'native/lib/libpq.so.5' }];
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  repairLinks(native);
  repairLinks(native);
  expect(readFileSync(join(native, 'lib', 'libpq.so.5'), 'utf8')).toBe('library');
});

function clusterOf(dataDir: string): string {
  const inside = join(dataDir, 'postgres', 'cluster');
  return existsSync(inside) ? inside : join(dataDir, 'cluster');
}
