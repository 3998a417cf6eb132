import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { StartFailure } from './start-failure.ts';

/** The account Postgres runs under; null when it is simply ours. */
export type PostgresAccount = { uid: number; gid: number } | null;

const CANDIDATES = ['postgres', 'nobody'];

function numberOf(flag: '-u' | '-g', name: string): number | null {
  const answer = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return answer.status === 0 ? Number(answer.stdout.trim()) : null;
}

/**
 * Postgres refuses to run as root, so root lends it an unprivileged account that every Unix has.
 *
 * @throws {StartFailure} as root on a system without such an account
 */
export function postgresAccount(): PostgresAccount {
  if (process.getuid?.() !== 0) return null;
  for (const name of CANDIDATES) {
    const uid = numberOf('-u', name);
    const gid = numberOf('-g', name);
    if (uid !== null && gid !== null) return { uid, gid };
  }
  throw new StartFailure(
    'Postgres may not run as root and there is no account "postgres" or "nobody" to run it under.',
  );
}

/** What `spawn` needs to run something under the account. */
export const asAccount = (account: PostgresAccount): { uid?: number; gid?: number; cwd: string } => ({
  ...account,
  cwd: '/',
});

/** Whether the account can enter the folder and write there; asked of the system itself, not computed from modes. */
export function canUseFolder(account: PostgresAccount, folder: string): boolean {
  const test = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder], asAccount(account));
  return test.status === 0;
}

export function giveToAccount(account: PostgresAccount, path: string): void {
  if (account) chownSync(path, account.uid, account.gid);
}
