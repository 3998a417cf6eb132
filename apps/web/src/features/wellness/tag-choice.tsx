import { useState } from 'react';
import { Check, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { OFFERED_TAGS, tidyTags } from '@cairn/core/wellness/check-in.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { FilterChip } from '@cairn/ui/controls/chip.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { useTagLabel } from './wellness-labels.ts';

type Props = { tags: readonly string[]; onChange: (tags: string[]) => void };

/** What played a part: offered words, and the person's own. */
export function TagChoice({ tags, onChange }: Props) {
  const { t } = useTranslation('wellness');
  const tagLabel = useTagLabel();
  const [typed, setTyped] = useState<string | null>(null);
  const all = [...new Set<string>([...OFFERED_TAGS, ...tags])];
  const add = () => {
    if (typed?.trim()) onChange(tidyTags([...tags, typed]));
    setTyped(null);
  };
  return (
    <fieldset className="tags">
      <legend className="label">{t('tags.label')}</legend>
      <div className="row wrap">
        {all.map(tag => (
          <FilterChip
            key={tag}
            pressed={tags.includes(tag)}
            {...(tags.includes(tag) && { icon: Check })}
            onChange={on => onChange(on ? tidyTags([...tags, tag]) : tags.filter(each => each !== tag))}
          >
            {tagLabel(tag)}
          </FilterChip>
        ))}
        {typed === null && (
          <button type="button" className="chip" onClick={() => setTyped('')}>
            <Plus className="i s" aria-hidden="true" />
            {t('tags.own')}
          </button>
        )}
      </div>
      {typed !== null && (
        <form
          className="own-tag"
          onSubmit={event => {
            event.preventDefault();
            add();
          }}
        >
          <Input
            label={t('tags.own')}
            labelHidden
            maxLength={40}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
          <Button type="submit">{t('tags.add')}</Button>
        </form>
      )}
    </fieldset>
  );
}
