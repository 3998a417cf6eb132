import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { openParts, partName, quickTask, readLine, type QuickLine } from '@cairn/core/tasks/quick-add.ts';
import type { QuickPart } from '@cairn/core/tasks/quick-part.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { RemovableChip } from '@cairn/ui/controls/chip.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { ruleText } from './rule-text.ts';
import { useTaskSpace } from './task-space.ts';
import { useQuickTask } from './use-quick-task.ts';

const EMPTY = { text: '', left: [] as readonly string[], chosen: {} as Readonly<Record<string, string>> };

/** One line makes a task: what was understood stands below it, each part to be taken back, before it is kept. */
export function QuickLineField({ isNew, onOpen }: { isNew: boolean; onOpen: (id: string) => void }) {
  const { t } = useTranslation('tasks');
  const [draft, setDraft] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isNew) form.current?.querySelector('input')?.focus();
  }, [isNew]);
  const today = useToday();
  const { people } = useTaskSpace();
  const line = readLine(draft.text, { today, people, left: draft.left });
  const asked = openParts(line, draft.chosen);
  const clear = () => {
    setDraft(EMPTY);
    setTried(false);
  };
  const making = useQuickTask(clear, onOpen);
  const problem = line.title === '' ? t('quick.titleNeeded') : asked.length > 0 ? t('quick.choose') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem === undefined) making.run(quickTask(line, draft.chosen, today));
  };
  return (
    <form ref={form} className="quick-line" onSubmit={submit}>
      <div className="quick-row">
        <Input
          label={t('quick.label')}
          placeholder={t('quick.placeholder')}
          hint={draft.text === '' ? t('quick.hint') : undefined}
          error={tried ? problem : undefined}
          value={draft.text}
          maxLength={500}
          autoComplete="off"
          enterKeyHint="done"
          onChange={event => setDraft({ ...draft, text: event.target.value })}
        />
        <Button type="submit" variant="primary" icon={Plus} busy={making.busy}>
          {t('quick.add')}
        </Button>
      </div>
      <Understood
        line={line}
        asked={asked}
        chosen={draft.chosen}
        onChoose={(name, meaning) => setDraft({ ...draft, chosen: { ...draft.chosen, [name]: meaning } })}
        onLeave={name => setDraft({ ...draft, left: [...draft.left, name] })}
      />
      <FailureLine failure={making.failure} invalid={t('quick.notUnderstood')} />
    </form>
  );
}

type UnderstoodProps = {
  line: QuickLine;
  asked: readonly QuickPart[];
  chosen: Readonly<Record<string, string>>;
  onChoose: (name: string, meaning: string) => void;
  onLeave: (name: string) => void;
};

function Understood({ line, asked, chosen, onChoose, onLeave }: UnderstoodProps) {
  const { t } = useTranslation('tasks');
  const words = useMeaningLabels();
  if (line.parts.length === 0) return null;
  const ambiguous = line.parts.filter(part => part.meanings.length > 1);
  return (
    <div className="quick-parts">
      <p className="sr">{t('quick.understood')}</p>
      <div className="row wrap" aria-live="polite">
        {line.parts.map(part => {
          const name = partName(part);
          const meaning = chosen[name] ?? (asked.includes(part) ? null : part.meanings[0]);
          return (
            <RemovableChip
              key={name}
              removeLabel={t('quick.leave', { said: part.matchedText.trim() })}
              onRemove={() => onLeave(name)}
            >
              {meaning === null || meaning === undefined
                ? `${part.matchedText.trim()} ?`
                : t(`quick.kinds.${part.kind}`, { value: words(part, meaning) })}
            </RemovableChip>
          );
        })}
      </div>
      {ambiguous.map(part => (
        <Segmented
          key={partName(part)}
          label={t('quick.ask', { said: part.matchedText.trim() })}
          labelHidden={false}
          value={chosen[partName(part)] ?? null}
          options={part.meanings.map(meaning => ({ value: meaning, label: words(part, meaning) }))}
          onChange={meaning => onChoose(partName(part), meaning)}
        />
      ))}
    </div>
  );
}

function useMeaningLabels(): (part: QuickPart, meaning: string) => string {
  const { t, i18n } = useTranslation('tasks');
  const { formatWeekday } = useFormat();
  const { names } = useTaskSpace();
  return (part, meaning) => {
    switch (part.kind) {
      case 'day':
      case 'until':
        return formatWeekday(meaning);
      case 'repeat':
        return ruleText(meaning, i18n.language, t);
      case 'priority':
        return meaning === 'urgent' || meaning === 'high' || meaning === 'medium'
          ? t(`priority.${meaning}`)
          : t('priority.low');
      case 'person':
        return names.get(meaning) ?? t('somebody');
      default:
        return meaning;
    }
  };
}
