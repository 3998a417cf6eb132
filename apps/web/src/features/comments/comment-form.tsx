import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Paperclip } from 'lucide-react';
import { nameBeingTyped, withName } from '@cairn/core/comments/mentions.ts';
import { COMMENT_LENGTH, MAX_FILES } from '@cairn/core/comments/write-comment.ts';
import { MAX_FILE_BYTES } from '@cairn/core/media/file-limits.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { RemovableChip } from '@cairn/ui/controls/chip.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import type { CommentDraft } from './use-thread.ts';

type Props = {
  people: readonly { id: string; name: string }[];
  /** What stands in it at first: the comment that is changed. */
  before?: string;
  /** Whether files may go with it. */
  takesFiles: boolean;
  onSend: (written: CommentDraft) => Promise<void>;
  /** Hears that something is being written, and that it no longer is. */
  onWriting?: (writes: boolean) => void;
  /** Stands beside the button. */
  aside?: ReactNode;
  /** Closes it where it can be closed. */
  onCancel?: () => void;
};

const SHOWN_PEOPLE = 6;

/** Where something is said: text, people named with @, files. It is emptied only once what was said is kept. */
export function CommentForm({ people, before = '', takesFiles, onSend, onWriting, aside, onCancel }: Props) {
  const { t } = useTranslation('comments');
  const [body, setBody] = useState(before);
  const [cursor, setCursor] = useState(before.length);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const sending = useAction(async (written: CommentDraft) => {
    await onSend(written);
    onWriting?.(false);
    setBody('');
    setChosen([]);
    setFiles([]);
    setTried(false);
  });
  const text = body.trim();
  const problem = problemOf(text, tried);
  const field = () => form.current?.querySelector('textarea');
  const isOpened = onCancel !== undefined;
  useEffect(() => {
    // What was pressed is gone: who pressed it goes on in the text.
    if (isOpened) form.current?.querySelector('textarea')?.focus();
  }, [isOpened]);
  const name = (person: { id: string; name: string }) => {
    setBody(withName(body, cursor, person.name));
    setChosen([...chosen, person.id]);
    field()?.focus();
  };
  return (
    <form
      ref={form}
      className="comment-form"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (problemOf(text, true) === null) sending.run({ body, chosen, files });
      }}
    >
      <Textarea
        label={t('text')}
        hint={people.length > 1 ? t('hint') : undefined}
        value={body}
        error={problem === null ? undefined : t(problem, { count: COMMENT_LENGTH })}
        onChange={event => {
          setBody(event.target.value);
          onWriting?.(event.target.value.trim() !== '');
          setCursor(event.target.selectionStart);
        }}
        onSelect={event => setCursor(event.currentTarget.selectionStart)}
      />
      <Suggestions people={people} typed={nameBeingTyped(body, cursor)} onPick={name} />
      {takesFiles && <PickedFiles files={files} onFiles={setFiles} />}
      <FailureLine failure={sending.failure} invalid={t('refused')} />
      <div className="row wrap">
        <Button type="submit" variant={onCancel ? 'primary' : 'quiet'} busy={sending.busy}>
          {t(before === '' ? 'send' : 'save')}
        </Button>
        {onCancel && (
          <Button variant="plain" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
        {aside}
      </div>
    </form>
  );
}

function problemOf(text: string, tried: boolean): 'needed' | 'tooLong' | null {
  if (text.length > COMMENT_LENGTH) return 'tooLong';
  return tried && text === '' ? 'needed' : null;
}

type SuggestionProps = {
  people: readonly { id: string; name: string }[];
  typed: string | null;
  onPick: (person: { id: string; name: string }) => void;
};

function Suggestions({ people, typed, onPick }: SuggestionProps) {
  const { t } = useTranslation('comments');
  if (typed === null) return null;
  const wanted = typed.toLowerCase();
  const fitting = people.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, SHOWN_PEOPLE);
  if (fitting.length === 0) return null;
  return (
    <ul className="row wrap" aria-label={t('who')}>
      {fitting.map(person => (
        <li key={person.id}>
          <Button size="sm" onClick={() => onPick(person)}>
            {person.name}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function PickedFiles({ files, onFiles }: { files: readonly File[]; onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation('comments');
  const id = useId();
  const [refused, setRefused] = useState(false);
  const pick = (picked: readonly File[]) => {
    const fitting = picked.filter(({ size }) => size > 0 && size <= MAX_FILE_BYTES);
    const all = [...files, ...fitting];
    setRefused(fitting.length < picked.length || all.length > MAX_FILES);
    onFiles(all.slice(0, MAX_FILES));
  };
  return (
    <>
      <input
        id={id}
        className="sr"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={t('addFile')}
        onChange={event => {
          // The list is live, and emptied with the field.
          const picked = [...(event.target.files ?? [])];
          event.target.value = '';
          pick(picked);
        }}
      />
      <div className="row wrap">
        <Button size="sm" variant="plain" icon={Paperclip} onClick={() => document.getElementById(id)?.click()}>
          {t('addFile')}
        </Button>
        {files.map((file, index) => (
          <RemovableChip
            key={`${file.name} ${index}`}
            removeLabel={t('removeFile', { name: file.name })}
            onRemove={() => onFiles(files.filter(each => each !== file))}
          >
            {file.name}
          </RemovableChip>
        ))}
      </div>
      {refused && <p className="sm comment-bad">{t('fileRefused', { count: MAX_FILES })}</p>}
    </>
  );
}
