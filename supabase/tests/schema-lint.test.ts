import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await freshDatabase();
  const name = new URL(db.url).pathname.slice(1);
  // The rules on what the API exposes look at the schemas named here (findings/postgrestools-dblint-clean-without-exposed-schemas.sh).
  await db.asAdmin(`alter database ${name} set pgrst.db_schemas = 'public'`);
});
afterAll(() => db.drop());

/** What the Postgres language tools say of the catalogue, by rule. */
function faults(): string[] {
  const args = ['dblint', '--config-path=supabase', `--connection-string=${db.url}`, '--max-diagnostics=none'];
  const { stdout, stderr } = spawnSync('postgrestools', args, { encoding: 'utf8', timeout: 60_000 });
  expect(stdout + stderr).toContain('Command completed');
  return [...`${stdout}\n${stderr}`.matchAll(/^splinter\/(\S+)[^!×i]*[!×i] (.+)$/gm)].map(
    ([, rule, words]) => `${rule}: ${words}`,
  );
}

describe('the catalogue, by the rules of the Postgres language tools', () => {
  test('nothing is wrong with it', () => {
    expect(faults()).toEqual([]);
  });

  test('a table without row-level security and a view on accounts would be found', async () => {
    await db.asAdmin('create table public.lint_trial (id int primary key)');
    await db.asAdmin('grant select on public.lint_trial to anon');
    await db.asAdmin('create view public.lint_accounts as select id, email from auth.users');
    await db.asAdmin('grant select on public.lint_accounts to anon');
    const found = faults().map(fault => fault.split(':')[0]);
    expect(found).toContain('security/rlsDisabledInPublic');
    expect(found).toContain('security/authUsersExposed');
  });
});
