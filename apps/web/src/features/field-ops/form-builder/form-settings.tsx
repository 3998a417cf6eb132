import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus } from 'lucide-react';
import { withLanguages } from '@cairn/core/forms/draft/form-languages.ts';
import type { Outline } from '@cairn/core/forms/draft/form-outline.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { RemovableChip } from '@cairn/ui/controls/chip.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import type { BuilderPart } from './use-builder.ts';
import { TranslatedField } from './translated-field.tsx';

/** What belongs to the whole form: its name, its languages, when it passes, whether it is signed. */
export function FormSettings({ outline, edit }: BuilderPart) {
  const { t, i18n } = useTranslation('builder');
  const { head } = outline;
  const set = (change: Partial<Outline['head']>) =>
    edit(before => ({ ...before, head: { ...before.head, ...change } }));
  return (
    <div className="parts">
      <TranslatedField
        label={t('form.title')}
        value={head.title}
        languages={head.languages}
        onChange={title => set({ title: title ?? '' })}
      />
      <NumberInput
        label={t('form.passPercent')}
        hint={t('form.passPercentHint')}
        unit="%"
        value={head.pass_percent}
        min={0}
        max={100}
        locale={i18n.resolvedLanguage ?? 'en'}
        notANumber={t('number')}
        onChange={percent => set({ pass_percent: Math.min(100, Math.max(0, percent ?? 100)) })}
      />
      <Checkbox label={t('form.sign')} checked={head.sign} onChange={sign => set({ sign })} />
      <Select
        label={t('form.presence')}
        hint={t('form.presenceHint')}
        value={head.presence ?? 'off'}
        choices={(['off', 'asked', 'required'] as const).map(value => ({ value, label: t(`form.presences.${value}`) }))}
        onChange={({ target: { value } }) =>
          set({ presence: value === 'asked' || value === 'required' ? value : undefined })
        }
      />
      <Languages outline={outline} edit={edit} />
    </div>
  );
}

/** The two that Cairn itself speaks; any other can be written in. */
const KNOWN = ['English (en)', 'Deutsch (de)'];

function Languages({ outline, edit }: Pick<BuilderPart, 'outline' | 'edit'>) {
  const { t } = useTranslation('builder');
  const [typed, setTyped] = useState('');
  const { languages } = outline.head;
  const add = (name: string) => {
    const wanted = name.trim();
    // A name with two colons would be cut in a workbook (decision 24).
    if (wanted === '' || wanted.includes('::') || languages.includes(wanted)) return;
    edit(before => withLanguages(before, [...before.head.languages, wanted]));
    setTyped('');
  };
  return (
    <fieldset className="follow-up">
      <legend className="label">{t('form.languages')}</legend>
      <p className="hint">{t('form.languagesHint')}</p>
      <div className="row wrap">
        {languages.map(name => (
          <RemovableChip
            key={name}
            removeLabel={t('form.removeLanguage', { name })}
            onRemove={() =>
              edit(before =>
                withLanguages(
                  before,
                  languages.filter(each => each !== name),
                ),
              )
            }
          >
            {name}
          </RemovableChip>
        ))}
        {KNOWN.filter(name => !languages.includes(name)).map(name => (
          <Button key={name} size="sm" icon={Plus} onClick={() => add(name)}>
            {name}
          </Button>
        ))}
      </div>
      <Input
        label={t('form.otherLanguage')}
        value={typed}
        maxLength={50}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={event => event.key === 'Enter' && add(typed)}
        end={
          <Button size="sm" variant="plain" onClick={() => add(typed)}>
            {t('form.addLanguage')}
          </Button>
        }
      />
    </fieldset>
  );
}
