import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './error-code.ts';
import { asAccount, canUseFolder, giveToAccount, type PostgresAccount } from './postgres-account.ts';
import { rootFolder } from './root-folder.ts';
import { makeFolder } from './make-folder.ts';
import { StartFailure } from './start-failure.ts';

export type Cluster = { folder: string; password: string };

type ClusterLocation = { dataDir: string; account: PostgresAccount };

function secretFile(path: string, make: () => string): string {
  if (!existsSync(path)) writeFileSync(path, make(), { mode: 0o600, flag: 'wx' });
  return readFileSync(path, 'utf8').trim();
}

function remembered(note: string): string {
  const base = readFileSync(note, 'utf8').trim();
  if (existsSync(base)) return base;
  throw new StartFailure(`The database folder ${base}, which ${note} names, is gone; put it back or remove the note.`);
}

/** As root: where the account can work. Inside the data folder if it can get there, else a folder that is remembered. */
function clusterBase({ dataDir, account }: ClusterLocation): string {
  const note = join(dataDir, 'cluster-folder');
  if (existsSync(note)) return remembered(note);
  if (!account) return dataDir;
  chmodSync(dataDir, 0o711);
  const inside = join(dataDir, 'postgres');
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  giveToAccount(account, inside);
  if (canUseFolder(account, inside)) return inside;
  rmSync(inside, { recursive: true });
  const outside = join(rootFolder('data'), randomUUID());
  mkdirSync(outside, { mode: 0o700 });
  giveToAccount(account, outside);
  writeFileSync(note, `${outside}\n`, { mode: 0o600 });
  return outside;
}

function initialise(binaries: string, base: string, cluster: Cluster, account: PostgresAccount): void {
  const half = `${cluster.folder}.new`;
  const passwordFile = join(base, 'initdb-password');
  rmSync(half, { recursive: true, force: true });
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
  giveToAccount(account, passwordFile);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const login = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const made = spawnSync(join(binaries, 'bin', 'initdb'), ['-D', half, ...locale, ...login], {
    ...asAccount(account),
    encoding: 'utf8',
  });
  rmSync(passwordFile, { force: true });
  if (made.status !== 0) {
    const reason = (made.stderr ?? '').split('\n').find(line => line.includes('error')) ?? String(made.error ?? '');
    throw new StartFailure(`Postgres could not make its data folder: ${reason.trim()}`);
  }
  // initdb that was killed half-way leaves a folder that looks like a cluster: only a finished one gets the name.
  const moved = spawnSync('mv', [half, cluster.folder], asAccount(account));
  if (moved.status !== 0) throw new StartFailure(`The folder ${cluster.folder} could not be written.`);
}

/**
 * The cluster of a data folder, made on first use. Its superuser password lies beside it, readable by its owner only.
 *
 * @throws {StartFailure} when the folder cannot be written or initdb fails
 */
export function openCluster(binaries: string, { dataDir, account }: ClusterLocation): Cluster {
  try {
    makeFolder(dataDir, 0o700);
    const password = secretFile(join(dataDir, 'postgres-password'), () => randomBytes(24).toString('base64url'));
    const base = clusterBase({ dataDir, account });
    const cluster = { folder: join(base, 'cluster'), password };
    if (!existsSync(join(cluster.folder, 'PG_VERSION'))) initialise(binaries, base, cluster, account);
    return cluster;
  } catch (error) {
    const code = errorCode(error);
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST', 'ENOENT'].includes(code)) throw error;
    throw new StartFailure(`The data folder ${dataDir} cannot be written (${code}).`, { cause: error });
  }
}
