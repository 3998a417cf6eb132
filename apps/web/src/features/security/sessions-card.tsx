import { useState } from 'react';
import { MonitorSmartphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { Card, List, Row, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { isAway } from '../../shared/server/is-away.ts';
import type { OwnSession } from '../../shared/auth/auth-flows.ts';
import { useFormat } from '../../shared/format/format.ts';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { useAuthCall } from '../../shared/auth/use-auth-call.ts';
import { deviceName } from './device-name.ts';
import { useSecurity } from './security-context.ts';
import { useAsked } from './use-asked.ts';

/** Every device somebody is signed in on, this one marked; each can be signed out. */
export function SessionsCard() {
  const { t } = useTranslation('security');
  const { flows } = useSecurity();
  const asked = useAsked('sessions', ways => ways.sessions());
  const { run, busy, refusal } = useAuthCall();
  const end = (session: OwnSession, device: string) =>
    run(async () => {
      await (await flows()).endSession(session.id);
      await asked.refetch();
      toast({ title: t('sessions.ended', { device }) });
    });
  const endOthers = () =>
    run(async () => {
      await (await flows()).endSessions('others');
      await asked.refetch();
      toast({ title: t('sessions.othersDone') });
    });
  return (
    <Card label={t('sessions.title')} className="security-card">
      <h2 className="h2">{t('sessions.title')}</h2>
      <p className="muted sm">{t('sessions.text')}</p>
      <RefusalBanner title={t('sessions.failedTitle')} refusal={refusal} />
      {asked.isLoading && <SkeletonRows label={t('loading')} rows={2} />}
      {isAway(asked) && (
        <StateBlock
          state="failed"
          level={3}
          title={t('failedTitle')}
          action={<Button onClick={() => void asked.refetch()}>{t('retry')}</Button>}
        >
          {t('failedText')}
        </StateBlock>
      )}
      {asked.data && (
        <List label={t('sessions.title')} className="sessions">
          {asked.data.map(session => (
            <SessionRow key={session.id} session={session} busy={busy} end={end} />
          ))}
        </List>
      )}
      <div className="row wrap">
        {(asked.data?.length ?? 0) > 1 && (
          <Button busy={busy} onClick={endOthers}>
            {t('sessions.others')}
          </Button>
        )}
        <Everywhere />
      </div>
    </Card>
  );
}

type RowProps = { session: OwnSession; busy: boolean; end: (session: OwnSession, device: string) => void };

function SessionRow({ session, busy, end }: RowProps) {
  const { t } = useTranslation('security');
  const { formatDate, formatTime } = useFormat();
  const moment = (text: string) => `${formatDate(new Date(text))}, ${formatTime(new Date(text))}`;
  const name = deviceName(session.userAgent);
  const device = name ? t('sessions.on', name) : t('sessions.unknown');
  const when = moment(session.createdAt);
  const details = [
    t('sessions.since', { when }),
    t('sessions.seen', { when: moment(session.seenAt) }),
    session.address && t('sessions.address', { address: session.address }),
    session.hasSecondStep && t('sessions.second'),
  ];
  return (
    <Row
      start={
        <RowIcon>
          <Icon of={MonitorSmartphone} />
        </RowIcon>
      }
      title={device}
      detail={details.filter(Boolean).join(' · ')}
      end={
        session.isCurrent ? (
          <Pill tone="good">{t('sessions.current')}</Pill>
        ) : (
          <Button
            size="sm"
            busy={busy}
            aria-label={t('sessions.endNamed', { device, when })}
            onClick={() => end(session, device)}
          >
            {t('sessions.end')}
          </Button>
        )
      }
    />
  );
}

function Everywhere() {
  const { t } = useTranslation('security');
  const { signOutEverywhere } = useSecurity();
  const [asking, setAsking] = useState(false);
  const { run, busy, refusal } = useAuthCall();
  const leave = () =>
    run(async () => {
      if (await signOutEverywhere()) toast({ title: t('sessions.done') });
    });
  return (
    <>
      <Button variant="danger-quiet" busy={busy} onClick={() => setAsking(true)}>
        {t('sessions.everywhere')}
      </Button>
      <RefusalBanner title={`${t('sessions.failedTitle')}: ${t('sessions.failed')}`} refusal={refusal} />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('sessions.askTitle')}
        confirmLabel={t('sessions.everywhere')}
        cancelLabel={t('cancel')}
        onConfirm={leave}
        danger
      >
        {t('sessions.askText')}
      </Confirm>
    </>
  );
}
