import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button, buttonClass } from '@cairn/ui/controls/button.tsx';
import { CodeBlock } from '@cairn/ui/data/code-block.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useFormat } from '../../shared/format/format.ts';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';
import { useCalendarFeeds, useFeedActs, type CalendarFeed, type FeedKind } from './use-calendar-feeds.ts';

const KINDS: readonly FeedKind[] = ['tasks', 'day'];

/** The addresses at which a person's own calendar reads what they have to do. */
export function CalendarSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('taskFiles');
  const query = useCalendarFeeds();
  const words = {
    loading: t('calendar.loading'),
    offline: t('calendar.offline'),
    offlineText: t('calendar.offlineText'),
    failed: t('calendar.failed'),
    failedText: t('calendar.failedText'),
    again: t('calendar.again'),
  };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('calendar.title')}
      description={t('calendar.text')}
      closeLabel={t('close')}
    >
      <div className="parts foot-room">
        <ServerAnswer query={query} words={words} level={3}>
          {feeds =>
            KINDS.map(kind => <FeedCard key={kind} kind={kind} feed={feeds.find(each => each.kind === kind) ?? null} />)
          }
        </ServerAnswer>
      </div>
    </Sheet>
  );
}

type CardProps = { kind: FeedKind; feed: CalendarFeed | null };

/** One address: when it was last read, and what can be done with it. */
function FeedCard({ kind, feed }: CardProps) {
  const { t } = useTranslation('taskFiles');
  const { formatInstant } = useFormat();
  const [address, setAddress] = useState<string | null>(null);
  const [asked, setAsked] = useState<'renew' | 'revoke' | null>(null);
  const acts = useFeedActs();
  const make = async () => setAddress(await acts.make(kind));
  const revoke = async (id: string) => {
    if (!(await acts.revoke(id))) return;
    setAddress(null);
    toast({ title: t('calendar.revoked') });
  };
  const read = feed?.read_at ?? null;
  const state =
    read === null
      ? t(feed ? 'calendar.never' : 'calendar.none')
      : t('calendar.read', { when: formatInstant(new Date(read)) });
  return (
    <Card className="stack" label={t(`calendar.${kind}`)}>
      <h3 className="h3">{t(`calendar.${kind}`)}</h3>
      <p>{t(`calendar.${kind}Text`)}</p>
      <p className="sm muted">{state}</p>
      {address !== null && <Address address={address} />}
      {acts.problem && <Banner tone="bad" title={t(`calendar.problem.${acts.problem}`)} />}
      <div className="row wrap">
        <Button busy={acts.busy} onClick={() => (feed ? setAsked('renew') : void make())}>
          {t(feed ? 'calendar.renew' : 'calendar.make')}
        </Button>
        {feed && (
          <Button variant="plain" busy={acts.busy} onClick={() => setAsked('revoke')}>
            {t('calendar.revoke')}
          </Button>
        )}
      </div>
      {asked && (
        <Confirm
          open
          onOpenChange={open => !open && setAsked(null)}
          title={t(`calendar.${asked}Title`)}
          confirmLabel={t(`calendar.${asked}`)}
          cancelLabel={t('calendar.cancel')}
          danger={asked === 'revoke'}
          onConfirm={() => void (asked === 'renew' ? make() : feed && revoke(feed.id))}
        >
          {t(`calendar.${asked}Text`)}
        </Confirm>
      )}
    </Card>
  );
}

/** A new address, shown this once. */
function Address({ address }: { address: string }) {
  const { t } = useTranslation('taskFiles');
  return (
    <Banner tone="good" title={t('calendar.once')}>
      <div className="stack">
        <p>{t('calendar.onceText')}</p>
        <CodeBlock
          label={t('calendar.address')}
          code={address}
          copyLabel={t('calendar.copy')}
          copiedLabel={t('calendar.copied')}
          failedLabel={t('calendar.copyFailed')}
        />
        <a className={buttonClass()} href={address.replace(/^https?:/, 'webcal:')}>
          {t('calendar.subscribe')}
        </a>
      </div>
    </Banner>
  );
}
