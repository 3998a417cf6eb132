import { useCallback, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import type { PackContents, PackTexts } from '@cairn/core/evidence/evidence-pack.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { fileBytes } from '../../shared/files/file-bytes.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useToday } from '../../shared/format/use-today.ts';

/** `hash`: SHA-256 of the manifest, which the audit log keeps. `missing`: files that had not arrived. */
export type PackSummary = { hash: string; files: number; missing: number };

const EVIDENCE_COLUMNS = [
  'number',
  'title',
  'description',
  'revision',
  'periodFrom',
  'periodTo',
  'effective',
  'expires',
  'collected',
  'received',
  'owner',
  'reviewer',
  'reviewed',
  'about',
  'files',
] as const;
const POLICY_COLUMNS = ['number', 'title', 'version', 'content', 'files'] as const;
const CONTROL_COLUMNS = ['framework', 'label', 'title', 'family', 'coverage', 'evidence'] as const;

function usePackTexts(): PackTexts {
  const { t } = useTranslation('evidence');
  return {
    evidence: EVIDENCE_COLUMNS.map(name => t(`pack.column.${name}`)),
    controls: CONTROL_COLUMNS.map(name => t(`pack.column.${name}`)),
    policies: POLICY_COLUMNS.map(name => t(`pack.column.${name}`)),
    coverage: { proven: t('pack.proven'), addressed: t('pack.addressed'), gap: t('pack.gap') },
    missing: t('pack.missing'),
    readme: t('pack.readme'),
  };
}

type FileRef = { id: string; bytes: number };
/** What evidence shows, and what policies are. */
const filesIn = ({ evidence, policies }: PackContents): FileRef[] => [
  ...evidence.flatMap(({ files }) => files),
  ...policies.map(({ file }) => file),
];

/** Every file of a package that can be had: from this device, else from the server; `onFile` after each. */
function useFetchFiles() {
  const { engine } = useSignedIn();
  return useCallback(
    async (files: readonly FileRef[], onFile: (done: number) => void) => {
      const bytes = new Map<string, Uint8Array>();
      for (const [index, file] of files.entries()) {
        const found = await fileBytes(engine, file).catch(() => null);
        // What never arrived is named in the index instead.
        if (found) bytes.set(file.id, new Uint8Array(found));
        onFile(index + 1);
      }
      return bytes;
    },
    [engine],
  );
}

/** Packs all accepted evidence into one ZIP that can be verified without us, and tells the audit log its hash. */
export function useEvidencePack() {
  const store = useStore();
  const calls = useServerCalls();
  const { organization } = useSpace();
  const today = useToday();
  const words = usePackTexts();
  const fetchFiles = useFetchFiles();
  const [progress, setProgress] = useState<{ done: number; all: number } | null>(null);
  const make = async (): Promise<PackSummary> => {
    const [{ packContents, packFiles, MAX_EVIDENCE_PACK_BYTES }, { sealedPackage }] = await Promise.all([
      import('@cairn/core/evidence/evidence-pack.ts'),
      import('@cairn/core/audit/sealed-package.ts'),
    ]);
    const contents = await store.read(packContents(organization.id, today));
    const wanted = filesIn(contents);
    const size = wanted.reduce((sum, file) => sum + file.bytes, 0);
    if (size > MAX_EVIDENCE_PACK_BYTES) throw new Failure('invalid', `useEvidencePack: ${size} bytes`);
    setProgress({ done: 0, all: wanted.length });
    const bytes = await fetchFiles(wanted, done => setProgress({ done, all: wanted.length }));
    const { zip, manifestHash } = sealedPackage(packFiles(contents, bytes, words));
    const noted = { p_organization: organization.id, p_sha256: manifestHash, p_files: bytes.size };
    await calls.call('note_evidence_pack', noted);
    saveFile(`evidence-${today}.zip`, new Blob([zip], { type: 'application/zip' }));
    return { hash: manifestHash, files: bytes.size, missing: wanted.length - bytes.size };
  };
  return { ...useMutation({ mutationFn: make, onSettled: () => setProgress(null) }), progress };
}
