import { useTranslation } from 'react-i18next';
import { Plus, Trash2 } from 'lucide-react';
import { inLanguage } from '@cairn/core/forms/definition/form-definition.ts';
import type { FormState, QuestionState, RepeatState } from '@cairn/core/forms/answers/form-state.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import './special-answers.css';

export type EntryActs = {
  addEntry: (repeat: string) => void;
  removeEntry: (entry: string) => void;
};

/** What an entry of a repeat is called: the repeat's label, else its name. */
export const repeatLabel = ({ group: { group } }: RepeatState, language: string): string =>
  inLanguage(group.label, language) || group.name.replaceAll('_', ' ');

/** Repeats that people add to: not those whose entries the form counts. */
export const openRepeats = ({ repeats }: FormState): RepeatState[] =>
  repeats.filter(({ group }) => group.group.count === undefined);

type Props = { form: FormState; language: string; acts: EntryActs };

/** All repeats of a form, each with a button that adds an entry. */
export function AddEntries({ form, language, acts }: Props) {
  const repeats = openRepeats(form);
  if (repeats.length === 0) return null;
  return (
    <div className="stack entry-part">
      {repeats.map(repeat => (
        <AddEntry key={repeat.path} repeat={repeat} language={language} acts={acts} />
      ))}
    </div>
  );
}

function AddEntry({ repeat, language, acts }: { repeat: RepeatState; language: string; acts: EntryActs }) {
  const { t } = useTranslation('field');
  return (
    <Button icon={Plus} onClick={() => acts.addEntry(repeat.path)}>
      {t('entry.add', { name: repeatLabel(repeat, language) })}
    </Button>
  );
}

type AtProps = Props & { index: number; state: QuestionState };

/** At the end of a repeat, or where an empty one would begin: one more? In an entry: take it away. */
export function EntryPart({ form, language, acts, index, state }: AtProps) {
  const { t } = useTranslation('field');
  const ending = openRepeats(form).filter(({ from, to }) => index === Math.max(from, to) - 1);
  const entry = state.place.entries.at(-1);
  const own = openRepeats(form).find(({ entries }) => entry !== undefined && entries.includes(entry));
  if (ending.length === 0 && !own) return null;
  return (
    <div className="row wrap entry-part">
      {ending.map(repeat => (
        <AddEntry key={repeat.path} repeat={repeat} language={language} acts={acts} />
      ))}
      {own && entry !== undefined && (
        <Button variant="plain" icon={Trash2} onClick={() => acts.removeEntry(entry)}>
          {t('entry.remove', { name: repeatLabel(own, language), number: state.place.positions.at(-1) ?? 0 })}
        </Button>
      )}
    </div>
  );
}
