import { Failure } from '@cairn/base/failure.ts';
import type { Json } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { MAX_DOCUMENT_BYTES, PDF_MIME, WORD_MIME, type DocumentMime } from '../media/document-kind.ts';
import { keepFile } from '../media/keep-file.ts';
import { isEditable, MAX_POLICY_CHARS, type PolicyVersion } from './version-states.ts';

/** The file a version's words are in; `policy.is_policy_file` says the same. */
export type PolicyFile = {
  /** Its row in `media`. */
  id: string;
  /** Hex, over its bytes: part of what an acknowledgement stands for. */
  sha256: string;
  bytes: number;
  mime: DocumentMime;
  /** As it was called where it was picked. */
  name: string;
  /** Null for Word, which has none of its own. */
  pages: number | null;
};

/** The file of a version; null for one whose words were written. */
export function policyFileOf({ file }: { file?: Json }): PolicyFile | null {
  if (file === null || typeof file !== 'object' || Array.isArray(file)) return null;
  const { id, sha256, bytes, mime, name, pages } = file;
  if (typeof id !== 'string' || typeof sha256 !== 'string' || typeof bytes !== 'number' || typeof name !== 'string')
    return null;
  if (mime !== PDF_MIME && mime !== WORD_MIME) return null;
  return { id, sha256, bytes, mime, name, pages: typeof pages === 'number' ? pages : null };
}

/** A file that was read, judged and understood, before any write. */
export type ReadDocument = Omit<PolicyFile, 'bytes'> & {
  data: ArrayBuffer;
  /** Its words as Markdown, to be searched and compared; empty where it holds none (a scan). */
  text: string;
};

const MAX_FILE_NAME_LENGTH = 200;

/** A name as it may stand in a row and in a package. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[/\\\p{Cc}]/gu, '_')
    .trim()
    .slice(-MAX_FILE_NAME_LENGTH) || 'document';

export type AttachDocument = {
  versionId: string;
  document: ReadDocument;
  by: string;
  /** Device time, ISO 8601. */ at: string;
};

/**
 * Lets what is being written rest on a file, and queues the file for the server. Write it with `together`.
 *
 * @throws {Failure} `not_found`; `stale_version` once it was sent for approval; `invalid` for a file of no size that is taken
 */
export async function attachDocument(tx: WriteTx, { versionId, document, by, at }: AttachDocument): Promise<void> {
  const version = await editable(tx, versionId);
  const { id, data, text, ...facts } = document;
  const bytes = data.byteLength;
  if (bytes === 0 || bytes > MAX_DOCUMENT_BYTES) throw new Failure('invalid', `attachDocument: ${bytes} bytes`);
  const name = plainName(document.name);
  const { mime, sha256 } = facts;
  await keepFile(
    tx,
    { id, bytes: data, mime, sha256, width: null, height: null },
    { organization_id: version.organization_id, audience: 'policy.approve', name, captured_at: at, captured_by: by },
  );
  await dropFile(tx, version, by);
  const file = { id, bytes, mime, sha256, name, pages: facts.pages };
  await tx.change('policy_versions', versionId, { file, body: text.slice(0, MAX_POLICY_CHARS), source: 'file' });
}

/**
 * Takes the file away; its extracted text is what is written on from.
 *
 * @throws {Failure} `not_found`; `stale_version` once it was sent for approval
 */
export async function detachDocument(tx: WriteTx, versionId: string, by: string): Promise<void> {
  const version = await editable(tx, versionId);
  await dropFile(tx, version, by);
  await tx.change('policy_versions', versionId, { file: null, source: 'written' });
}

async function editable(tx: WriteTx, versionId: string): Promise<PolicyVersion> {
  const version = await tx.get('policy_versions', versionId);
  if (!version || version.deleted_at !== null) throw new Failure('not_found', `no version ${versionId}`);
  if (!isEditable(version.state)) throw new Failure('stale_version', `${versionId} is ${version.state}`);
  return version;
}

/** The file that no version rests on any more goes with whoever brought it; somebody else's stays with those who read drafts. */
async function dropFile(tx: WriteTx, version: PolicyVersion, by: string): Promise<void> {
  const before = policyFileOf(version);
  if (!before) return;
  const versions = await tx.range('policy_versions', 'policy', `${version.policy_id}/`, `${version.policy_id}/\uffff`);
  const isUsed = versions.some(each => each.id !== version.id && policyFileOf(each)?.id === before.id);
  const media = await tx.get('media', before.id);
  if (!isUsed && media?.deleted_at === null && media.captured_by === by) await tx.remove('media', before.id);
}
