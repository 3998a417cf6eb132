import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { GUEST_LIMITS, guestFault, type GuestAct, type GuestTask } from '@cairn/core/guests/guest-reply.ts';
import type { NewFile } from '@cairn/core/media/keep-file.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import type { GuestEntry } from './use-guest-replies.ts';
import type { Draft } from './waiting-replies.ts';

export type RenderPhotos = (photos: readonly NewFile[], onChange: (photos: readonly NewFile[]) => void) => ReactNode;

type Props = {
  task: GuestTask;
  draft: Draft;
  /** Keeps what is typed. */
  onDraft: (draft: Draft) => void;
  /** Rejects when the phone does not keep it. */
  say: (reply: GuestEntry) => Promise<void>;
  renderPhotos: RenderPhotos;
};

type State = 'idle' | 'tried' | 'busy' | 'failed';

/** What a guest can say next: yes or no; then what they did, and that it is done. */
export function GuestForm(props: Props) {
  const { t } = useTranslation('guest');
  const [declining, setDeclining] = useState(props.draft.reason !== '');
  const [state, setState] = useState<State>('idle');
  const { task, draft, say } = props;
  const send = (act: GuestAct, text: string) => {
    if (guestFault({ act, text, photos: announced(draft.photos) }, task.needs_photo) !== null) return setState('tried');
    setState('busy');
    return say({ act, text, photos: draft.photos }).then(
      () => setState('idle'),
      () => setState('failed'),
    );
  };
  const part = { ...props, state, send, onDecline: () => setDeclining(true) };
  if (task.step === 'checking')
    return (
      <Card className="stack" label={t('checking')}>
        <div className="row">
          <StatusChip state="review">{t('checking')}</StatusChip>
        </div>
        <p>{t('checkingText', { organization: task.organization })}</p>
      </Card>
    );
  return (
    <Card className="guest-form" label={t(declining ? 'no.title' : task.step === 'asked' ? 'yes.title' : 'done.title')}>
      {declining ? (
        <Declining {...part} onBack={() => setDeclining(false)} />
      ) : task.step === 'asked' ? (
        <Accepting {...part} />
      ) : (
        <Working {...part} />
      )}
      {state === 'failed' && (
        <Banner tone="bad" title={t('notKept')}>
          {t('notKeptText')}
        </Banner>
      )}
    </Card>
  );
}

const announced = (photos: readonly NewFile[]) =>
  photos.map(({ bytes, sha256 }) => ({ bytes: bytes.byteLength, sha256 }));

type PartProps = Props & {
  state: State;
  send: (act: GuestAct, text: string) => Promise<void> | void;
  onDecline: () => void;
};

function Accepting({ state, send, onDecline }: PartProps) {
  const { t } = useTranslation('guest');
  return (
    <>
      <h2 className="h2">{t('yes.title')}</h2>
      <Button variant="primary" size="lg" block busy={state === 'busy'} onClick={() => void send('accept', '')}>
        {t('yes.say')}
      </Button>
      <Button size="lg" block onClick={onDecline}>
        {t('no.begin')}
      </Button>
    </>
  );
}

function Declining({ draft, onDraft, state, send, onBack }: PartProps & { onBack: () => void }) {
  const { t } = useTranslation('guest');
  return (
    <>
      <h2 className="h2">{t('no.title')}</h2>
      <Textarea
        label={t('no.reason')}
        hint={t('no.hint')}
        value={draft.reason}
        maxLength={GUEST_LIMITS.text}
        rows={3}
        error={state === 'tried' && draft.reason.trim() === '' ? t('no.needed') : undefined}
        onChange={event => onDraft({ ...draft, reason: event.target.value })}
      />
      <Button
        variant="danger"
        size="lg"
        block
        busy={state === 'busy'}
        onClick={() => void send('decline', draft.reason)}
      >
        {t('no.say')}
      </Button>
      <Button
        variant="plain"
        block
        onClick={() => {
          onDraft({ ...draft, reason: '' });
          onBack();
        }}
      >
        {t('no.back')}
      </Button>
    </>
  );
}

function Working({ task, draft, onDraft, state, send, onDecline, renderPhotos }: PartProps) {
  const { t } = useTranslation('guest');
  const lacksPhoto = task.needs_photo && draft.photos.length === 0;
  return (
    <>
      <h2 className="h2">{t('done.title')}</h2>
      {task.step === 'again' && (
        <Banner tone="warn" title={t('again.title')}>
          {t('again.text', { organization: task.organization })}
        </Banner>
      )}
      <Textarea
        label={t('done.text')}
        value={draft.text}
        maxLength={GUEST_LIMITS.text}
        rows={4}
        error={state === 'tried' && draft.text.trim() === '' ? t('done.needed') : undefined}
        onChange={event => onDraft({ ...draft, text: event.target.value })}
      />
      {renderPhotos(draft.photos, photos => onDraft({ ...draft, photos }))}
      {lacksPhoto &&
        (state === 'tried' ? (
          <p className="err" role="alert">
            {t('done.photoNeeded')}
          </p>
        ) : (
          <p className="sm muted">{t('done.photoNeeded')}</p>
        ))}
      <Button variant="primary" size="lg" block busy={state === 'busy'} onClick={() => void send('done', draft.text)}>
        {t('done.say')}
      </Button>
      <p className="sm muted">{t('done.hint', { organization: task.organization })}</p>
      <Button variant="plain" block onClick={onDecline}>
        {t('no.begin')}
      </Button>
    </>
  );
}
