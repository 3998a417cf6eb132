import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import { GUEST_LIMITS } from '@cairn/core/guests/guest-reply.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { CodeBlock } from '@cairn/ui/data/code-block.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import type { Action } from './action-screen-queries.ts';
import { useGuestAct, type GuestLink, type MadeLink } from './use-guest-links.ts';

const DAY_MS = 86_400_000;
const OPENS_DAYS = 14;

/** Two weeks from now, or a week after it is due where that is later: YYYY-MM-DD. */
export function firstUntil(dueAt: string | null, now: number): string {
  const due = dueAt === null ? 0 : Date.parse(dueAt) + 7 * DAY_MS;
  const last = Math.min(Math.max(now + OPENS_DAYS * DAY_MS, due), now + 365 * DAY_MS);
  return localDay(new Date(last));
}

const give = (calls: ServerCalls, actionId: string, name: string, email: string, until: string) =>
  calls.send<MadeLink>('guests/give', { action_id: actionId, name, email, until });
const changeUntil = (calls: ServerCalls, id: string, until: string) =>
  calls.call<null>('change_guest_link', { p_id: id, p_until: until });

type GiveProps = { item: Action; onMade: (made: MadeLink) => void; onClose: () => void };

/** Gives the action item to somebody outside: name, address, last day. The server sends the letter. */
export function GuestSheet({ item, onMade, onClose }: GiveProps) {
  const { t } = useTranslation('actions');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [until, setUntil] = useState(() => firstUntil(item.due_at, Date.now()));
  const [tried, setTried] = useState(false);
  const giving = useGuestAct(item.id, give);
  const needed = (text: string) => (tried && text.trim() === '' ? t('guest.needed') : undefined);
  const save = async () => {
    setTried(true);
    if ([name, email, until].some(text => text.trim() === '')) return;
    const made = await giving.run(item.id, name.trim(), email.trim(), until);
    if (made !== null) onMade(made.answer);
  };
  return (
    <FormSheet
      title={t('guest.give')}
      description={t('guest.giveText')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('guest.send')}
      busy={giving.busy}
      onSave={() => void save()}
    >
      <Input
        label={t('guest.name')}
        value={name}
        maxLength={GUEST_LIMITS.name}
        autoComplete="off"
        error={needed(name)}
        onChange={event => setName(event.target.value)}
      />
      <Input
        type="email"
        label={t('guest.email')}
        value={email}
        maxLength={254}
        autoComplete="off"
        error={needed(email)}
        onChange={event => setEmail(event.target.value)}
      />
      <UntilField until={until} error={needed(until)} onChange={setUntil} />
      {giving.problem !== null && <Banner tone="bad" title={giving.problem} />}
    </FormSheet>
  );
}

type UntilProps = { until: string; error: string | undefined; onChange: (until: string) => void };

function UntilField({ until, error, onChange }: UntilProps) {
  const { t } = useTranslation('actions');
  return (
    <Input
      type="date"
      label={t('guest.until')}
      hint={t('guest.untilHint')}
      value={until}
      error={error}
      onChange={event => onChange(event.target.value)}
    />
  );
}

/** Another last day for a link. */
export function UntilSheet({ item, link, onClose }: { item: Action; link: GuestLink; onClose: () => void }) {
  const { t } = useTranslation('actions');
  const [until, setUntil] = useState(link.until);
  const changing = useGuestAct(item.id, changeUntil);
  const save = async () => {
    if (until !== '' && (await changing.run(link.id, until)) !== null) onClose();
  };
  return (
    <FormSheet
      title={t('guest.changeUntil')}
      description={link.name}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('guest.saveUntil')}
      busy={changing.busy}
      onSave={() => void save()}
    >
      <UntilField until={until} error={until === '' ? t('guest.needed') : undefined} onChange={setUntil} />
      {changing.problem !== null && <Banner tone="bad" title={changing.problem} />}
    </FormSheet>
  );
}

/** The link itself, this once: for whoever wants to hand it on in another way, or where no letter went. */
export function GuestLinkOnce({ made, onClose }: { made: MadeLink; onClose: () => void }) {
  const { t } = useTranslation('actions');
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('guest.made')}
      description={made.mailed ? t('guest.mailed', { email: made.email }) : t('guest.notMailed')}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('guest.ok')}
        </Button>
      }
    >
      <CodeBlock
        label={t('guest.link')}
        code={`${location.origin}/guest/${made.token}`}
        copyLabel={t('guest.copy')}
        copiedLabel={t('guest.copied')}
        failedLabel={t('guest.copyFailed')}
      />
      <p className="muted sm">{t('guest.once')}</p>
    </Dialog>
  );
}
