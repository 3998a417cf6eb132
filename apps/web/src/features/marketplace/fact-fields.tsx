import { useTranslation } from 'react-i18next';
import { INDUSTRIES, LICENCES } from '@cairn/core/marketplace/pack.ts';
import { Switch } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { useLanguageNames } from './marketplace-screen.tsx';
import type { Facts } from './pack-facts.ts';
import { licenceKey } from './pack-head.tsx';

type FieldsProps = {
  facts: Facts;
  error: string | undefined;
  /** Of words that were somebody else's the licence stays. */
  isForked?: boolean;
  onChange: (facts: Facts) => void;
};

/** The fields of what people choose a pack by. */
export function FactFields({ facts, error, isForked = false, onChange }: FieldsProps) {
  const { t } = useTranslation('marketplace');
  const { formatLanguage } = useLanguageNames();
  const set = (part: Partial<Facts>) => onChange({ ...facts, ...part });
  const choices = {
    kind: (['compliance', 'growth'] as const).map(value => ({ value, label: t(`kind.${value}`) })),
    licence: LICENCES.map(value => ({ value, label: t(`licence.${licenceKey(value)}`) })),
    locale: ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt'].map(value => ({ value, label: formatLanguage(value) })),
    industry: INDUSTRIES.map(value => ({ value, label: t(`industry.${value}`) })),
  };
  const labels = {
    kind: 'desk.kind',
    licence: 'desk.licence',
    locale: 'desk.language',
    industry: 'desk.industry',
  } as const;
  return (
    <>
      <Input
        label={t('desk.name')}
        maxLength={120}
        value={facts.name}
        error={error}
        onChange={event => set({ name: event.target.value })}
      />
      <Textarea
        label={t('desk.summary')}
        maxLength={600}
        value={facts.summary}
        onChange={event => set({ summary: event.target.value })}
      />
      {(['kind', 'licence', 'locale', 'industry'] as const).map(name => (
        <Select
          key={name}
          label={t(labels[name])}
          choices={choices[name]}
          value={facts[name]}
          {...(isForked && name === 'licence' && { disabled: true, hint: t('desk.licenceStays') })}
          onChange={event => set({ [name]: event.target.value })}
        />
      ))}
      <Input
        label={t('desk.frameworks')}
        hint={t('desk.frameworksHint')}
        value={facts.frameworks}
        onChange={event => set({ frameworks: event.target.value })}
      />
      <Switch label={t('desk.template')} checked={facts.is_template} onChange={on => set({ is_template: on })} />
    </>
  );
}
