import { randomUUID } from 'node:crypto';
import { derivedId } from '@cairn/base/id.ts';
import type { Cursor, Mutation, PullAnswer, PushAnswer, PushResult } from '@cairn/sync/transport/backend.ts';
import type { TestDatabase } from '@cairn/testing/database.ts';

export type Edit = Pick<Mutation, 't' | 'op'> & Partial<Mutation>;

/** The smallest device that follows docs/sync-protocol.md: cursors, and rows with the scopes they came through. */
export type TestDevice = {
  id: string;
  cursors: Record<string, Cursor>;
  rows: Map<string, { row: Record<string, unknown>; scopes: Set<string> }>;
  /** Pulls until there is no more; returns the answers. */
  pull(limit?: number): Promise<PullAnswer[]>;
  push(...edits: Edit[]): Promise<PushResult[]>;
  has(table: string, id: string): boolean;
};

/** As the app names a row: an answer's id follows from its question. */
const idOf = ({ t, patch }: Edit): string =>
  t === 'inspection_answers' && typeof patch?.['inspection_id'] === 'string'
    ? derivedId(patch['inspection_id'], `answer/${String(patch['question'])}`)
    : randomUUID();

export const mutation = (edit: Edit): Mutation => ({
  mid: randomUUID(),
  id: idOf(edit),
  patch: {},
  base: {},
  bv: 0,
  at: '2026-11-21T09:00:00.000Z',
  ...edit,
});

function take(device: TestDevice, answer: PullAnswer): void {
  const key = (table: string, id: string) => `${table}/${id}`;
  for (const scope of Object.keys(device.cursors)) if (!(scope in answer.scopes)) dropScope(device, scope);
  for (const scope of answer.resets) dropScope(device, scope);
  for (const [table, rows] of Object.entries(answer.rows)) {
    for (const { _s, ...row } of rows) {
      device.rows.set(key(table, row.id), { row, scopes: new Set(_s.map(index => answer.order[index] ?? '?')) });
    }
  }
  for (const [table, stubs] of Object.entries(answer.stubs)) {
    for (const [id, version, scopes] of stubs) {
      const held = device.rows.get(key(table, id));
      if (!held) throw new Error(`a stub of ${table} ${id}, which this device does not hold`);
      held.row['version'] = version;
      held.scopes = new Set(scopes.map(index => answer.order[index] ?? '?'));
    }
  }
  for (const [scope, table, id] of answer.gone) {
    const held = device.rows.get(key(table, id));
    held?.scopes.delete(answer.order[scope] ?? '?');
    if (held?.scopes.size === 0) device.rows.delete(key(table, id));
  }
  device.cursors = answer.scopes;
}

function dropScope(device: TestDevice, scope: string): void {
  for (const [key, held] of device.rows) {
    held.scopes.delete(scope);
    if (held.scopes.size === 0) device.rows.delete(key);
  }
}

function acknowledge(device: TestDevice, edits: Mutation[], results: PushResult[]): void {
  for (const [index, result] of results.entries()) {
    const edit = edits[index];
    if (!edit || result.st === 'rejected') continue;
    const key = `${edit.t}/${edit.id}`;
    const held = device.rows.get(key) ?? { row: { id: edit.id }, scopes: new Set<string>() };
    if (result.st === 'applied') held.row = { ...held.row, ...edit.patch, ...result.d, version: result.v };
    else if (result.row) held.row = result.row;
    device.rows.set(key, held);
  }
}

/** @param db what calls the server's functions as that person */
export function testDevice(db: Pick<TestDatabase, 'rpc'>, person: string): TestDevice {
  const device: TestDevice = {
    id: randomUUID(),
    cursors: {},
    rows: new Map(),
    has: (table, id) => device.rows.has(`${table}/${id}`),
    async pull(limit = 1000) {
      const answers: PullAnswer[] = [];
      for (let more = true; more;) {
        const answer = await db.rpc<PullAnswer>(person, 'sync_pull', {
          p_cursors: device.cursors,
          p_device: device.id,
          p_limit: limit,
        });
        take(device, answer);
        answers.push(answer);
        more = answer.more;
      }
      return answers;
    },
    async push(...edits) {
      const mutations = edits.map(mutation);
      const results: PushResult[] = [];
      for (let rest = mutations.length; rest > 0;) {
        const answer = await db.rpc<PushAnswer>(person, 'sync_push', {
          p_device: device.id,
          p_mutations: JSON.stringify(mutations.slice(results.length)),
        });
        results.push(...answer.results);
        rest = answer.rest ?? 0;
      }
      acknowledge(device, mutations, results);
      return results;
    },
  };
  return device;
}
