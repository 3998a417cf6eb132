import { BackendError, type Backend, type PushAnswer, type ReceiptAnswer } from '@cairn/sync/transport/backend.ts';
import { kindOf } from '@cairn/sync/transport/error-class.ts';
import { withPacked, type PackedAnswer } from '@cairn/sync/transport/packed-rows.ts';
import type { TestDatabase } from './database.ts';
import { makeSnapshotPages } from './snapshot-pages.ts';

/** Pulls of one person between two times at which what stands still is made ready. */
const PULLS_BETWEEN = 4;

type Paging = {
  /** Changes in a page at most: what 2,500 do to a real device, a few do to this one. */
  most?: () => number;
  /** Whether pages are made ahead now and then; a place with fewer than 1,000 rows has none. */
  isReady?: boolean;
  /** ms the next push may go on taking mutations, 0: one group or lone mutation; null: what the server gives. */
  pushBudget?: () => number | null;
};

/** Speaks the wire straight to a test database as one person; files are kept in memory and confirmed at once. */
export function sqlBackend(
  db: TestDatabase,
  userId: string,
  { most, isReady = true, pushBudget = () => null }: Paging = {},
): Backend {
  let pulls = 0;
  const files = new Map<string, { sha256: string; bytes: ArrayBuffer }>();
  const ask = async <A>(sql: string, params: unknown[]): Promise<A> => {
    try {
      const [row] = await db.as(userId, `select ${sql} as answer`, params);
      return row?.['answer'] as A;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      throw new BackendError(kindOf(0, code), `sql ${code}: ${(error as Error).message}`, code);
    }
  };
  const fileOf = (id: string) => {
    const file = files.get(id);
    if (!file) throw new BackendError('refused', `no file ${id}`, 'not_found');
    return file;
  };
  return {
    digest: tables => ask('public.sync_digest($1::text::text[])', [`{${tables.join(',')}}`]),
    repair: ({ scope, table, sums, device, limit }) =>
      ask('public.sync_repair($1, $2, $3::text::jsonb, $4, $5)', [scope, table, JSON.stringify(sums), device, limit]),
    missing: mids => ask('public.sync_missing($1::text::uuid[])', [`{${mids.join(',')}}`]),
    pull: async ({ cursors, device, limit, onHead }) => {
      pulls += 1;
      if (isReady && pulls % PULLS_BETWEEN === 0) await makeSnapshotPages(db, 1, 4);
      const args = [JSON.stringify(cursors), device, most?.() ?? limit];
      const { scopes, more, ...rest } = await ask<PackedAnswer>(
        'public.sync_pull($1::text::jsonb, $2, $3, true, true, true)',
        args,
      );
      // As on a line: the head is here before the rest is, and the rest may never come.
      onHead?.({ scopes, more });
      return withPacked({ scopes, more, ...rest });
    },
    push: (device, mutations) =>
      ask<PushAnswer>(`(select public.sync_push($1, $2::text::jsonb) from set_config('sync.push_budget', $3, true))`, [
        device,
        JSON.stringify(mutations),
        `${pushBudget() ?? ''}`,
      ]),
    submitOrphanedEdits: (organizationId, device, mutations) =>
      ask('public.submit_orphaned_edits($1, $2, $3::text::jsonb)', [organizationId, device, JSON.stringify(mutations)]),
    submitOnBehalf: ({ organizationId, author, device, mutations }) =>
      ask('public.submit_edits_on_behalf($1, $2, $3, $4::text::jsonb)', [
        organizationId,
        author,
        device,
        JSON.stringify(mutations),
      ]),
    receipt: ({ id, device, mids, deviceAt }) =>
      ask<ReceiptAnswer>('public.sync_receipt($1, $2, $3::text::uuid[], $4)', [
        id,
        device,
        `{${mids.join(',')}}`,
        deviceAt,
      ]),
    async upload(file, onProgress) {
      files.set(file.id, { sha256: file.sha256, bytes: file.bytes });
      onProgress(file.bytes.byteLength);
    },
    async confirmUpload(id) {
      const { sha256, bytes } = fileOf(id);
      await db.asService('select public.media_complete($1, $2, $3)', [id, sha256, bytes.byteLength]);
      return { sha256, bytes: bytes.byteLength };
    },
    download: async (_organization, id) => fileOf(id).bytes,
    downloadPart: async ({ mediaId, offset, length }) => fileOf(mediaId).bytes.slice(offset, offset + length),
    onNudge: () => () => {},
  };
}

/** `garbage` answers with nothing of use after the call arrived, `portal` in its place. */
export type Fault = 'none' | 'drop_request' | 'drop_answer' | 'server_error' | 'twice' | 'garbage' | 'portal';

/** A network that goes wrong as `next` says, call by call. */
export function faultyBackend(backend: Backend, next: () => Fault): Backend {
  const through = async <A>(call: () => Promise<A>): Promise<A> => {
    const fault = next();
    if (fault === 'drop_request') throw new BackendError('network', 'dropped');
    if (fault === 'portal') return { results: [] } as A;
    if (fault === 'server_error') throw new BackendError('busy', 'server error', '503');
    if (fault === 'twice') await call();
    const answer = await call();
    if (fault === 'drop_answer') throw new BackendError('network', 'answer lost');
    if (fault === 'garbage') return { results: [] } as A;
    return answer;
  };
  return {
    ...backend,
    pull: (request, signal) => through(() => backend.pull(request, signal)),
    push: (device, mutations, signal) => through(() => backend.push(device, mutations, signal)),
    receipt: async (request, signal) => {
      if (next() !== 'none') throw new BackendError('network', 'dropped');
      return backend.receipt(request, signal);
    },
    upload: (file, onProgress, signal) => through(() => backend.upload(file, onProgress, signal)),
  };
}
