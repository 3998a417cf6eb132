import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { provenance } from '@cairn/core/marketplace/pack-update.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { licenceKey } from './pack-head.tsx';
import type { Pack } from '@cairn/core/marketplace/pack.ts';
import './marketplace.css';

type Props = { targetId: string; renderPack: (packId: string, face: ReactNode) => ReactNode };

/** Where a record came from, under which licence; nothing where people of the organisation made it. Known without signal. */
export function ProvenanceLine({ targetId, renderPack }: Props) {
  const { t } = useTranslation('marketplace');
  const live = useLive(provenance(targetId));
  if (live.status === 'loading' || live.answer === null) return null;
  const { pack_id: packId, pack_name: name, pack_number: number, publisher, licence, attribution } = live.answer;
  const text = t('from.text', { number, publisher, licence: t(`licence.${licenceKey(licence as Pack['licence'])}`) });
  return (
    <p className="sm muted market-head">
      {renderPack(packId, t('from.pack', { name }))} {[text, attribution].filter(Boolean).join(' · ')}
    </p>
  );
}
