import { useCallback, useEffect, useRef, useState } from 'react';
import { LockKeyhole, NotebookPen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { SealFailure } from '@cairn/sync/crypto/password-seal.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { TypingRest } from '../../shared/input/typing-rest.ts';
import { NoteCopy } from './note-copy.tsx';
import { NoteKeySheet } from './note-key-sheet.tsx';
import type { Notes } from './use-private-notes.ts';

type Props = {
  /** The check-in's id. */
  record: string;
  /** The note as it lies there, closed. */
  closed: string | null;
  notes: Notes;
  onNote: (record: string, closed: string | null) => Promise<void>;
};

/** ms without a key before what was typed is closed and saved. */
const PAUSE = 500;
const MAX_NOTE_LENGTH = 8000;

/** A line only its writer can read. The clear text is in this field and nowhere else. */
export function NotePart({ record, closed, notes, onNote }: Props) {
  const { t } = useTranslation('wellness');
  const [asked, setAsked] = useState(false);
  const isOpen = notes.state === 'open';
  if (isOpen && (asked || closed !== null)) return <NoteField {...{ record, closed, notes, onNote }} />;
  return (
    <>
      <button type="button" className="add-note" disabled={notes.state === 'loading'} onClick={() => setAsked(true)}>
        <Icon of={closed === null ? NotebookPen : LockKeyhole} />
        <span>{t(closed === null ? 'note.add' : 'note.closedHere')}</span>
      </button>
      {asked && !isOpen && <NoteKeySheet notes={notes} onClose={() => setAsked(false)} />}
    </>
  );
}

/** Closes and saves what was typed after a pause, when the field is left, and when the screen goes. */
function useKeeping({ record, notes, onNote }: Props) {
  const [failed, setFailed] = useState(false);
  const waiting = useRef<{ text: string } | null>(null);
  const [rest] = useState(() => new TypingRest(PAUSE));
  const keep = useCallback(
    async (words: string): Promise<void> => {
      try {
        await onNote(record, words.trim() === '' ? null : await notes.close(record, words));
        setFailed(false);
      } catch (error) {
        if (!(error instanceof SealFailure) && !(error instanceof Failure)) throw error;
        setFailed(true);
      }
    },
    [notes, onNote, record],
  );
  const flush = useCallback(() => {
    const held = waiting.current;
    if (!held) return;
    rest.stop();
    waiting.current = null;
    keep(held.text).catch(reportError);
  }, [keep, rest]);
  const leave = useRef(flush);
  useEffect(() => {
    leave.current = flush;
  }, [flush]);
  useEffect(() => () => leave.current(), []);
  const later = (text: string) => {
    waiting.current = { text };
    rest.typed(() => leave.current());
  };
  return { failed, flush, later };
}

function NoteField(props: Props) {
  const { record, closed, notes } = props;
  const { t } = useTranslation('wellness');
  const [text, setText] = useState<string | null>(closed === null ? '' : null);
  const [unread, setUnread] = useState(false);
  const { failed, flush, later } = useKeeping(props);
  useEffect(() => {
    if (closed === null || text !== null) return;
    notes.read(record, closed).then(
      found => (found === null ? setUnread(true) : setText(found)),
      () => setUnread(true),
    );
  }, [closed, notes, record, text]);
  return (
    <>
      <Textarea
        label={t('note.label')}
        hint={t('note.hint')}
        value={text ?? ''}
        maxLength={MAX_NOTE_LENGTH}
        disabled={text === null}
        onChange={event => {
          setText(event.target.value);
          later(event.target.value);
        }}
        onBlur={flush}
      />
      <NoteCopy text={text ?? ''} />
      {(failed || unread) && <Banner tone="bad" title={t('note.failed')} />}
    </>
  );
}
