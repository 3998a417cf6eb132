import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import type { Conflict } from '@cairn/sync/engine.ts';
import { Button } from '@cairn/ui/button.tsx';
import { Pill } from '@cairn/ui/pill.tsx';
import { SkeletonRows } from '@cairn/ui/skeleton.tsx';
import { Card, List } from '@cairn/ui/surface.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { useNow } from '../../shared/use-now.ts';
import { useSyncStatus } from '../../shared/use-sync-status.ts';
import { AvailableOffline } from './available-offline.tsx';
import { ConflictCard } from './conflict-card.tsx';
import { ConflictHistory } from './conflict-history.tsx';
import { ContactCard } from './contact-card.tsx';
import { FailedRow } from './failed-card.tsx';
import { Headline, workWords } from './headline.tsx';
import { answerNames, underNames } from './item-names.ts';
import { LockedWork } from './locked-work.tsx';
import type { AddressOf } from './outbox-item.tsx';
import { linesOf, parentsOf, type Parent } from './outbox-lines.ts';
import { OutboxList } from './outbox-list.tsx';
import { ReceiptList } from './receipt-list.tsx';
import { isTooLate } from './refusal-words.ts';
import { RescueCard } from './rescue-card.tsx';
import { StorageCard, WorksOffline } from './storage-card.tsx';
import { useConflicts, useOutbox, useReceipts } from './use-engine-lists.ts';
import { refusedWork, waitingWork, type Refused } from './waiting-work.ts';
import { WaitsForWifi } from './waits-for-wifi.tsx';
import './sync.css';

const everybody: Query<Map<string, Row<'people'>>> = {
  key: 'sync/people',
  tables: ['people'],
  read: async tx => new Map((await tx.all('people')).map(person => [person.id, person])),
};

/** What this phone holds that the server has not, what needs the person, and what has arrived. */
export function SyncScreen({ addressOf, given }: { addressOf: AddressOf; given?: ReactNode }) {
  const { t, i18n } = useTranslation('sync');
  const status = useSyncStatus();
  const told = useOutbox();
  const conflicts = useConflicts() ?? [];
  const people = useLive(everybody);
  const names = people.status === 'ready' ? people.answer : new Map<string, Row<'people'>>();
  const now = useNow();
  const parents = useLive(parentsOf(told ?? []));
  const named = useLive(answerNames(told ?? [], i18n.language));
  const outbox = told && underNames(told, named.status === 'ready' ? named.answer : new Map());
  const known: ReadonlyMap<string, Parent> = parents.status === 'ready' ? parents.answer : new Map();
  const lines = linesOf(outbox ?? [], known);
  const waits = workWords(waitingWork(outbox ?? []), t);

  return (
    <div className="sync-page">
      <div className="page-head">
        <h1 className="h1">{t('title')}</h1>
        <SendNow isStaying={status?.offlineByChoice ?? false} />
      </div>
      {status && outbox ? <Headline status={status} outbox={outbox} /> : <SkeletonRows label={t('loading')} rows={2} />}
      {status && <WaitsForWifi status={status} />}
      <div className="sync-columns">
        <div>
          <LockedWork />
          <NeedsYou
            failed={refusedWork(outbox ?? [])}
            conflicts={conflicts.filter(({ resolved }) => !resolved)}
            people={names}
            parents={known}
            addressOf={addressOf}
          />
          <div className="sect">
            <h2 className="h3">{t('outbox.title')}</h2>
            {waits && <span className="count">{waits}</span>}
          </div>
          {lines.length > 0 && <OutboxList lines={lines} parents={known} addressOf={addressOf} />}
          {lines.length === 0 && <NothingHere isKnown={outbox !== null} text={t('outbox.empty')} />}
          {given}
          <Received now={now} />
          <ConflictHistory conflicts={conflicts} people={names} />
        </div>
        <div>
          {status && <ContactCard status={status} />}
          <RescueCard waiting={(outbox ?? []).length > 0 || conflicts.some(({ resolved }) => !resolved)} />
          <WorksOffline />
          <AvailableOffline />
          <StorageCard />
        </div>
      </div>
    </div>
  );
}

/** While somebody wants to stay offline, sending means not to stay so any more. */
function SendNow({ isStaying }: { isStaying: boolean }) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const send = () => {
    if (isStaying) engine.offlineChoice.choose(false);
    engine.syncNow();
  };
  return <Button onClick={send}>{t(isStaying ? 'goOnline' : 'sendNow')}</Button>;
}

type NeedsYouProps = {
  failed: readonly Refused[];
  conflicts: readonly Conflict[];
  people: ReadonlyMap<string, Row<'people'>>;
  parents: ReadonlyMap<string, Parent>;
  addressOf: AddressOf;
};

/** Conflicts first, then what was refused. Nothing here is decided by itself. */
function NeedsYou({ failed, conflicts, people, parents, addressOf }: NeedsYouProps) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const count = conflicts.length + failed.length;
  const mayPass = failed.filter(items => !items.every(isTooLate));
  const parentIn = (items: Refused) => items.map(({ key }) => parents.get(key)).find(parent => parent !== undefined);
  if (count === 0) return null;
  return (
    <>
      <div className="sect">
        <h2 className="h3">{t('needsYou')}</h2>
        <Pill tone="warn">{count}</Pill>
      </div>
      <div className="needs">
        {conflicts.map(conflict => (
          <ConflictCard key={conflict.id} conflict={conflict} people={people} />
        ))}
        {failed.length > 0 && (
          <Card flush label={t('failed.title')}>
            <List>
              {failed.map(items => (
                <FailedRow key={items[0].under} items={items} parent={parentIn(items)} addressOf={addressOf} />
              ))}
            </List>
          </Card>
        )}
        {mayPass.length > 1 && <Button onClick={() => void engine.retryAll()}>{t('failed.retryAll')}</Button>}
      </div>
    </>
  );
}

function Received({ now }: { now: Date }) {
  const { t } = useTranslation('sync');
  const receipts = useReceipts();
  return (
    <>
      <div className="sect">
        <h2 className="h3">{t('received')}</h2>
      </div>
      {receipts && receipts.length > 0 ? (
        <ReceiptList receipts={receipts} now={now} />
      ) : (
        <NothingHere isKnown={receipts !== null} text={t('receipt.none')} />
      )}
    </>
  );
}

/** That there is nothing is said once it is known: work that waits must never look lost, not for a moment. */
function NothingHere({ isKnown, text }: { isKnown: boolean; text: string }) {
  const { t } = useTranslation('sync');
  if (!isKnown) return <SkeletonRows label={t('loading')} rows={1} />;
  return (
    <Card>
      <p className="muted">{text}</p>
    </Card>
  );
}
