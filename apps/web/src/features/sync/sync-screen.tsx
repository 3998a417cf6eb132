import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conflict, OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import type { Query } from '@cairn/sync/store.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { useSyncStatus } from '../../shared/sync/use-sync-status.ts';
import { AvailableOffline } from './storage/available-offline.tsx';
import { OpenConflicts } from './conflicts/conflict-group.tsx';
import { ConflictHistory } from './conflicts/conflict-history.tsx';
import { ContactCard } from './status/contact-card.tsx';
import { FailedList } from './outbox/failed-card.tsx';
import type { People } from './conflicts/field-text.ts';
import { Headline, workText } from './status/headline.tsx';
import { itemNames, underNames, type ItemNames } from './outbox/item-names.ts';
import { LockedOutbox } from './rescue/locked-outbox.tsx';
import { NotRead } from './lists/not-read.tsx';
import type { AddressResolver } from './outbox/open-record.tsx';
import { linesOf, parentsOf, subjectsOf, type Parents } from './lists/outbox-lines.ts';
import { OutboxList } from './outbox/outbox-list.tsx';
import { ReceiptList } from './outbox/receipt-list.tsx';
import { isTooLate, isWithoutBytes } from './outbox/refusal-text.ts';
import { RescueCard } from './rescue/rescue-card.tsx';
import { StorageCard, WorksOffline } from './storage/storage-card.tsx';
import { useConflicts, useOutbox, useReceipts } from './lists/use-engine-lists.ts';
import { HEADINGS, useFocusAfter } from './lists/use-focus-after.ts';
import { useLatest } from './lists/use-latest.ts';
import { useSend } from './outbox/use-send.ts';
import { refusedWork, waitingWork, type RefusedGroup } from './outbox/waiting-work.ts';
import { WaitsForWifi } from './status/waits-for-wifi.tsx';
import './sync.css';

const everybody: Query<People> = {
  key: 'sync/people',
  tables: ['people'],
  read: async tx => new Map((await tx.all('people')).map(person => [person.id, person])),
};

const NONE = new Map<string, never>();

/** The outbox under the names people know its entries by, what each is counted under, and what each is about. */
function useNamedOutbox(told: readonly OutboxItem[] | null) {
  const { i18n } = useTranslation('sync');
  const parents = useLatest<Parents>(parentsOf(told ?? []), NONE);
  const subjects = useLatest<Parents>(subjectsOf(told ?? []), NONE);
  const names = useLatest<ItemNames>(itemNames(told ?? [], i18n.language), NONE);
  return { parents, about: new Map([...parents, ...subjects]), outbox: told && underNames(told, names) };
}

/** What this phone holds that the server has not, what needs the person, and what has arrived. */
export function SyncScreen({ addressOf, given }: { addressOf: AddressResolver; given?: ReactNode }) {
  const { t } = useTranslation('sync');
  const status = useSyncStatus();
  const told = useOutbox();
  const conflicts = useConflicts();
  const people = useLatest<People>(everybody, NONE);
  const { parents, about, outbox } = useNamedOutbox(told.told);
  const refused = refusedWork(outbox ?? []);
  const open = (conflicts.told ?? []).filter(({ resolved }) => !resolved);
  return (
    <div className="sync-page">
      <div className="page-head">
        <h1 className="h1" id={HEADINGS.page} tabIndex={-1}>
          {t('title')}
        </h1>
        <SendNow isStaying={status?.offlineByChoice ?? false} />
      </div>
      {told.failed ? (
        <NotRead what="outbox" again={told.again} />
      ) : status && outbox ? (
        <Headline status={status} outbox={outbox} />
      ) : (
        <SkeletonRows label={t('loading')} rows={2} />
      )}
      {status && <WaitsForWifi status={status} />}
      <div className="sync-columns">
        <div>
          <LockedOutbox />
          {conflicts.failed && <NotRead what="conflicts" again={conflicts.again} />}
          {open.length + refused.length > 0 && (
            <NeedsYou
              failed={refused}
              conflicts={open}
              edited={editedIn(outbox ?? [])}
              people={people}
              parents={about}
              addressOf={addressOf}
            />
          )}
          {!told.failed && <Outbox outbox={outbox} parents={parents} about={about} addressOf={addressOf} />}
          {given}
          <Received />
          <ConflictHistory conflicts={conflicts.told ?? []} people={people} />
        </div>
        <div>
          {status && <ContactCard status={status} />}
          <RescueCard waiting={(outbox ?? []).length > 0 || open.length > 0} />
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
  const sending = useSend(async () => {
    if (isStaying) engine.offlineChoice.choose(false);
    engine.syncNow();
  });
  return (
    <Button busy={sending.busy} onClick={() => sending.run()}>
      {t(isStaying ? 'goOnline' : 'sendNow')}
    </Button>
  );
}

const editedIn = (outbox: readonly OutboxItem[]): ReadonlySet<string> =>
  new Set(outbox.filter(({ kind }) => kind === 'record').map(({ recordId }) => recordId));

type NeedsYouProps = {
  failed: readonly RefusedGroup[];
  conflicts: readonly Conflict[];
  /** Ids of records with edits that were not sent. */
  edited: ReadonlySet<string>;
  people: People;
  parents: Parents;
  addressOf: AddressResolver;
};

/** Conflicts first, then what was refused. Nothing here is decided by itself. */
function NeedsYou({ failed, conflicts, edited, people, parents, addressOf }: NeedsYouProps) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const place = useFocusAfter<HTMLDivElement>(HEADINGS.page);
  const mayPass = failed.filter(items => !items.every(item => isTooLate(item) || isWithoutBytes(item)));
  const retrying = useSend(() => engine.retryAll());
  return (
    <div ref={place}>
      <div className="sect">
        <h2 className="h3" id={HEADINGS.needs} tabIndex={-1}>
          {t('needsYou')}
        </h2>
        <Pill tone="warn">{conflicts.length + failed.length}</Pill>
      </div>
      <div className="needs">
        <OpenConflicts conflicts={conflicts} people={people} edited={edited} />
        {failed.length > 0 && <FailedList failed={failed} parents={parents} addressOf={addressOf} />}
        {mayPass.length > 1 && (
          <Button busy={retrying.busy} onClick={() => retrying.run()}>
            {t('failed.retryAll')}
          </Button>
        )}
        <FailureLine failure={retrying.failure} />
      </div>
    </div>
  );
}

type OutboxProps = {
  outbox: readonly OutboxItem[] | null;
  parents: Parents;
  about: Parents;
  addressOf: AddressResolver;
};

function Outbox({ outbox, parents, about, addressOf }: OutboxProps) {
  const { t } = useTranslation('sync');
  const lines = linesOf(outbox ?? [], parents);
  const waits = workText(waitingWork(outbox ?? []), t);
  return (
    <>
      <div className="sect">
        <h2 className="h3" id={HEADINGS.outbox} tabIndex={-1}>
          {t('outbox.title')}
        </h2>
        {waits && <span className="count">{waits}</span>}
      </div>
      {lines.length > 0 && <OutboxList lines={lines} parents={about} addressOf={addressOf} />}
      {lines.length === 0 && <NothingHere isKnown={outbox !== null} text={t('outbox.empty')} />}
    </>
  );
}

function Received() {
  const { t } = useTranslation('sync');
  const receipts = useReceipts();
  const now = useNow();
  return (
    <>
      <div className="sect">
        <h2 className="h3">{t('received')}</h2>
      </div>
      {receipts.failed ? (
        <NotRead what="receipts" again={receipts.again} />
      ) : receipts.told && receipts.told.length > 0 ? (
        <ReceiptList receipts={receipts.told} now={now} />
      ) : (
        <NothingHere isKnown={receipts.told !== null} text={t('receipt.none')} />
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
