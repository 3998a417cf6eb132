import { useTranslation } from 'react-i18next';
import { presenceOf } from '@cairn/core/inspections/prove-presence.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useMutation } from '@tanstack/react-query';
import { peopleNames, type InspectionRecord } from '../inspections/inspection-queries.ts';

/** `hash`: SHA-256 of the manifest. `missing`: photos whose files could not be had. */
export type BundleSummary = { hash: string; missing: number };

/** Packs what proves that somebody was there into one ZIP that can be verified without us; with no signal too. */
export function usePresenceBundle({ inspection, asset }: InspectionRecord) {
  const { t } = useTranslation('presence');
  const store = useStore();
  const { engine } = useSignedIn();
  const fileOf = async (media: string) => {
    const found = await engine.file(media).catch(() => null);
    if (!found) return null;
    const row = await store.read({ key: `media/${media}`, tables: ['media'], read: tx => tx.get('media', media) });
    const bytes = new Uint8Array(found instanceof Blob ? await found.arrayBuffer() : found);
    return { bytes, mime: row?.mime ?? '' };
  };
  const make = async (): Promise<BundleSummary> => {
    const [{ presenceFiles, witnessedFiles }, { sealedPackage }] = await Promise.all([
      import('@cairn/core/on-site/presence-bundle.ts'),
      import('@cairn/core/audit/sealed-package.ts'),
    ]);
    const entries = await store.read(presenceOf(inspection.id));
    const names = await store.read(peopleNames);
    const photos = new Map<string, { bytes: Uint8Array; mime: string }>();
    const wanted = witnessedFiles(entries);
    for (const { media } of wanted) {
      const photo = await fileOf(media);
      if (photo) photos.set(media, photo);
    }
    const conductor = names.get(inspection.conducted_by ?? '') ?? null;
    const files = presenceFiles({ inspection, asset: asset ?? null, conductor, entries, photos, readme: t('readme') });
    const { zip, manifestHash } = sealedPackage(files);
    saveFile(`presence-${inspection.id.slice(0, 8)}.zip`, new Blob([zip], { type: 'application/zip' }));
    return { hash: manifestHash, missing: wanted.length - photos.size };
  };
  // Everything it needs may lie on this device: it does not wait for a network.
  return useMutation({ mutationFn: make, networkMode: 'always' });
}
