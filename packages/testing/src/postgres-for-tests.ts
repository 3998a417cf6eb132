import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '@cairn/database/embedded-postgres.ts';
import { applyMigrations } from '@cairn/database/migrate.ts';
import { prepareDatabase } from '@cairn/database/prepare-database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../supabase/migrations', import.meta.url));
export const TEMPLATE = 'cairn_template';

/** A file's server and its own statements hold some thirty, of each worker; those of a file before it may still be closing. */
const MAX_CONNECTIONS = 200;

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the superuser of this run's Postgres; its database is the template's neighbour. */
    postgresUrl: string;
  }
}

/** vitest globalSetup: one Postgres for the run, and a template database with everything a new server has. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-tests-'));
  const server = await startPostgres({ dataDir, maxConnections: MAX_CONNECTIONS });
  const stop = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const admin = postgres(server.url, { max: 1, onnotice: () => {} });
    // What a power cut would take is of no interest here; waiting for the disk at each commit was a good part of the time.
    await admin.unsafe('alter role postgres set synchronous_commit = off');
    await admin.unsafe(`create database ${TEMPLATE}`);
    await admin.end();
    const template = new URL(server.url);
    template.pathname = `/${TEMPLATE}`;
    await prepareDatabase(template.href);
    await applyMigrations(template.href, MIGRATIONS);
    project.provide('postgresUrl', server.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
