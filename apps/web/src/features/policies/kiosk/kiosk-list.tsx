import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { whoOwes, type Kiosk, type KioskPerson } from '@cairn/core/policies/kiosk.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SearchInput } from '@cairn/ui/controls/search-input.tsx';
import { Card, RowFace, rowClass } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { KioskHeading } from './kiosk-heading.tsx';
import type { KioskMemory } from './kiosk-memory.ts';

type Props = { kiosk: Kiosk; memory: KioskMemory; isOffline: boolean; onPick: (person: KioskPerson) => void };

/** Who still owes it; whoever comes finds their name. */
export function KioskList({ kiosk, memory, isOffline, onPick }: Props) {
  const { t } = useTranslation('kiosk');
  const [typed, setTyped] = useState('');
  const wanted = { placeId: memory.placeId, answered: memory.serverState.answered };
  const owing = whoOwes(kiosk.people, { ...wanted, typed: '' });
  const found = whoOwes(kiosk.people, { ...wanted, typed });
  return (
    <div className="parts">
      <div className="stack">
        <KioskHeading>{t('who')}</KioskHeading>
        <p className="muted num">
          {t('owing', { count: owing.length })}
          {kiosk.waiting > 0 && ` · ${t('waiting', { count: kiosk.waiting })}`}
        </p>
      </div>
      {isOffline && <Banner title={t('offline')} />}
      {owing.length > 0 && (
        <SearchInput label={t('search')} clearLabel={t('clear')} value={typed} onChange={setTyped} />
      )}
      {found.length === 0 && (
        <EmptyState title={t(owing.length === 0 ? 'nobody' : 'notFound')}>
          {t(owing.length === 0 ? 'nobodyText' : 'notFoundText')}
        </EmptyState>
      )}
      {found.length > 0 && (
        <Card flush>
          <VirtualRows
            rows={found}
            estimate={64}
            label={t('list')}
            renderRow={person => (
              <button type="button" className={rowClass} onClick={() => onPick(person)}>
                <RowFace start={<Avatar name={person.name ?? '–'} />} title={person.name ?? t('unnamed')} />
              </button>
            )}
          />
        </Card>
      )}
    </div>
  );
}
