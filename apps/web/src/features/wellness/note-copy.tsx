import { useState } from 'react';
import { Send } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { MAX_MESSAGE_LENGTH, say } from '@cairn/core/support-circle/grants.ts';
import { circle } from '@cairn/core/support-circle/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';

type Helper = { id: string; name: string };

/** The way by which a note is read by somebody else: a copy in clear, looked over and sent by its writer. */
export function NoteCopy({ text }: { text: string }) {
  const { t } = useTranslation('wellness');
  const { user } = useSignedIn();
  const found = useLive(circle(user.id));
  const [open, setOpen] = useState(false);
  const entries = found.status === 'ready' ? found.answer.helpers : [];
  const helpers = entries
    .filter(({ relationship }) => relationship.state === 'active')
    .map(({ relationship: { id, helper_name } }): Helper => ({ id, name: helper_name ?? t('copy.unnamed') }));
  const [first] = helpers;
  if (!first || text.trim() === '') return null;
  return (
    <div>
      <Button size="sm" icon={Send} onClick={() => setOpen(true)}>
        {t('copy.open')}
      </Button>
      {open && <CopySheet text={text} helpers={helpers} first={first} onClose={() => setOpen(false)} />}
    </div>
  );
}

type SheetProps = { text: string; helpers: readonly Helper[]; first: Helper; onClose: () => void };

function CopySheet({ text, helpers, first, onClose }: SheetProps) {
  const { t } = useTranslation('wellness');
  const store = useStore();
  const { user } = useSignedIn();
  const [words, setWords] = useState(text);
  const [to, setTo] = useState(first.id);
  const name = helpers.find(({ id }) => id === to)?.name ?? '';
  const sending = useAction(async () => {
    const message = { id: newId(), relationshipId: to, fromId: user.id, body: words, at: new Date().toISOString() };
    await store.write('wellness.sendCopy', tx => say(tx, message));
    toast({ title: t('copy.sent', { name }) });
    onClose();
  });
  const length = words.trim().length;
  const isLong = length > MAX_MESSAGE_LENGTH;
  return (
    <FormSheet
      title={t('copy.title')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('copy.send', { name })}
      busy={sending.busy}
      disabled={length === 0 || isLong}
      onSave={() => sending.run()}
    >
      <p className="muted sm">{t('copy.text', { name })}</p>
      <Select
        label={t('copy.to')}
        choices={helpers.map(({ id, name: label }) => ({ value: id, label }))}
        value={to}
        onChange={event => setTo(event.target.value)}
      />
      <Textarea
        label={t('copy.words')}
        hint={t('copy.wordsHint')}
        error={isLong ? t('copy.tooLong', { count: MAX_MESSAGE_LENGTH, length }) : undefined}
        value={words}
        rows={5}
        onChange={event => setWords(event.target.value)}
      />
      <FailureLine failure={sending.failure} />
    </FormSheet>
  );
}
