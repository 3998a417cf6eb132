import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CalendarClock, EllipsisVertical, MailPlus, Send, Undo2 } from 'lucide-react';
import { isEnded } from '@cairn/core/action-items/action-status.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Menu } from '@cairn/ui/overlays/menu.tsx';
import { StatusChip, type StatusState } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import type { Action } from './action-screen-queries.ts';
import { GuestLinkOnce, GuestSheet, UntilSheet } from './guest-sheet.tsx';
import { useGuestAct, useGuestLinks, type GuestLink, type MadeLink } from './use-guest-links.ts';

const sendAgain = (calls: ServerCalls, id: string) => calls.send<MadeLink>('guests/again', { id });
const revoke = (calls: ServerCalls, id: string) => calls.call<null>('revoke_guest_link', { p_id: id });

/** Who outside the organisation was given this action item, and the way to give it to somebody. */
export function GuestCard({ item }: { item: Action }) {
  const { t } = useTranslation('actions');
  const { organization, userId, may } = useSpace();
  const mayGive = may('action.manage') || (item.created_by === userId && may('action.work'));
  // What the server has not heard of yet, nobody outside can have.
  if (organization.kind !== 'company' || item.version === 0) return null;
  return <Asked item={item} mayGive={mayGive} title={t('guest.title')} />;
}

type AskedProps = { item: Action; mayGive: boolean; title: string };

function Asked({ item, mayGive, title }: AskedProps) {
  const { t } = useTranslation('actions');
  const query = useGuestLinks(item.id, item.version);
  const [isGiving, setGiving] = useState(false);
  const [made, setMade] = useState<MadeLink | null>(null);
  const links = query.data?.links ?? [];
  const isFree = !isEnded(item.status) && !links.some(link => link.status === 'open');
  // Who may not give it sees who has it, where somebody has.
  if (!mayGive && links.length === 0) return null;
  const isAway = query.data === undefined && (query.fetchStatus === 'paused' || query.status === 'error');
  if (links.length === 0 && isEnded(item.status)) return null;
  return (
    <Card className="stack" label={title}>
      <h2 className="h2">{title}</h2>
      {isAway && <p className="sm muted">{t('guest.away')}</p>}
      {query.data !== undefined && links.length === 0 && <p className="sm muted">{t('guest.none')}</p>}
      {links.map(link => (
        <Guest key={link.id} item={item} link={link} mayGive={mayGive} onMade={setMade} />
      ))}
      {mayGive && query.data !== undefined && isFree && (
        <div>
          <Button icon={MailPlus} onClick={() => setGiving(true)}>
            {t('guest.give')}
          </Button>
        </div>
      )}
      {isGiving && (
        <GuestSheet
          item={item}
          onClose={() => setGiving(false)}
          onMade={link => {
            setGiving(false);
            setMade(link);
          }}
        />
      )}
      {made && <GuestLinkOnce made={made} onClose={() => setMade(null)} />}
    </Card>
  );
}

const FACES: Record<GuestLink['state'], StatusState> = {
  given: 'waiting',
  accepted: 'in_progress',
  declined: 'failed',
  done: 'review',
};

/** How it stands: why the link is over, or what the guest said last. */
function faceOf({ status: linkStatus, state }: GuestLink): {
  face: StatusState;
  word: `guest.state.${GuestLink['state']}` | `guest.over.${'revoked' | 'expired' | 'ended'}`;
} {
  if (linkStatus === 'ended') return { face: 'done', word: 'guest.over.ended' };
  if (linkStatus === 'revoked' || linkStatus === 'expired') return { face: 'open', word: `guest.over.${linkStatus}` };
  return { face: FACES[state], word: `guest.state.${state}` };
}

type GuestProps = { item: Action; link: GuestLink; mayGive: boolean; onMade: (made: MadeLink) => void };

function Guest({ item, link, mayGive, onMade }: GuestProps) {
  const { t } = useTranslation('actions');
  const { formatDate, formatInstant } = useFormat();
  const { face, word } = faceOf(link);
  const until = formatDate(new Date(`${link.until}T12:00:00`));
  const isOpen = link.status === 'open';
  return (
    <div className="guest-row">
      <div className="row between">
        <div className="stack guest-who">
          <span className="strong">{link.name}</span>
          {link.email !== null && <span className="sm muted">{link.email}</span>}
        </div>
        {mayGive && (isOpen || link.status === 'expired') && <GuestMenu item={item} link={link} onMade={onMade} />}
      </div>
      <div className="row wrap">
        <StatusChip state={face}>{t(word)}</StatusChip>
        {isOpen && <span className="sm muted">{t('guest.opensUntil', { until })}</span>}
      </div>
      <p className="sm muted">
        {t('guest.sent', { when: formatInstant(new Date(link.sent_at)) })}
        {' · '}
        {link.seen_at === null
          ? t('guest.notOpened')
          : t('guest.opened', { when: formatInstant(new Date(link.seen_at)) })}
      </p>
    </div>
  );
}

function GuestMenu({ item, link, onMade }: Omit<GuestProps, 'mayGive'>) {
  const { t } = useTranslation('actions');
  const [asked, setAsked] = useState<'none' | 'until' | 'revoke'>('none');
  const sending = useGuestAct(item.id, sendAgain);
  const revoking = useGuestAct(item.id, revoke);
  const problem = sending.problem ?? revoking.problem;
  const again = async () => {
    const made = await sending.run(link.id);
    if (made !== null) onMade(made.answer);
  };
  return (
    <div className="guest-acts">
      <Menu
        trigger={<IconButton icon={EllipsisVertical} label={t('guest.more', { name: link.name })} />}
        entries={[
          ...(link.status === 'open' ? [{ label: t('guest.again'), icon: Send, onSelect: () => void again() }] : []),
          { label: t('guest.changeUntil'), icon: CalendarClock, onSelect: () => setAsked('until') },
          { label: t('guest.revoke'), icon: Undo2, danger: true, onSelect: () => setAsked('revoke') },
        ]}
      />
      {problem !== null && <Banner tone="bad" title={problem} />}
      {asked === 'until' && <UntilSheet item={item} link={link} onClose={() => setAsked('none')} />}
      <Confirm
        open={asked === 'revoke'}
        onOpenChange={open => !open && setAsked('none')}
        title={t('guest.revokeTitle')}
        confirmLabel={t('guest.revoke')}
        cancelLabel={t('guest.keep')}
        onConfirm={() => void revoking.run(link.id)}
        danger
      >
        {t('guest.revokeText', { name: link.name })}
      </Confirm>
    </div>
  );
}
