import { useTranslation } from 'react-i18next';
import { ACTION_PRIORITIES, TASK_PRIORITIES, type Step, type Target } from '@cairn/core/workflows/rule.ts';
import type { NamedRow } from '@cairn/core/workflows/rules.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';

type Props = { step: Step; people: readonly NamedRow[]; isBad: boolean; onChange: (step: Step) => void };

const ROLES = ['admin', 'manager', 'member', 'auditor'] as const;

/** What one step needs to know. */
export function StepFields({ step, people, isBad, onChange }: Props) {
  const { t } = useTranslation('workflows');
  const { kind, text = '' } = step;
  const lacks = isBad && text.trim() === '' ? t('textNeeded') : undefined;
  const setText = (value: string) => onChange({ ...step, text: value });
  if (kind === 'label')
    return (
      <Input
        label={t('step.label')}
        value={text}
        maxLength={50}
        error={lacks}
        onChange={({ target }) => setText(target.value)}
      />
    );
  if (kind === 'comment')
    return (
      <Textarea
        label={t('step.comment')}
        value={text}
        maxLength={2000}
        error={lacks}
        onChange={({ target }) => setText(target.value)}
      />
    );
  return (
    <div className="workflow-fields">
      {(kind === 'action' || kind === 'task') && <MadeFields step={step} isBad={isBad} onChange={onChange} />}
      <Select
        label={t(`step.to.${kind}`)}
        value={step.to ?? ''}
        placeholder={t('choose')}
        error={isBad && !step.to ? t('toNeeded') : undefined}
        choices={[
          { value: 'responsible', label: t('who.responsible') },
          ...ROLES.map(role => ({ value: `role:${role}`, label: t(`who.${role}`) })),
          ...people.map(({ id, name }) => ({ value: `person:${id}`, label: name })),
        ]}
        onChange={({ target }) => onChange({ ...step, to: target.value as Target })}
      />
      {kind === 'notify' && (
        <Input
          label={t('step.text')}
          value={text}
          maxLength={500}
          error={lacks}
          onChange={({ target }) => setText(target.value)}
        />
      )}
    </div>
  );
}

function MadeFields({ step, isBad, onChange }: Omit<Props, 'people'>) {
  const { t, i18n } = useTranslation('workflows');
  const { title = '', days = null, priority = '' } = step;
  const priorities = step.kind === 'action' ? ACTION_PRIORITIES : TASK_PRIORITIES;
  return (
    <>
      <Input
        label={t('step.title')}
        hint={t('step.titleHint')}
        value={title}
        maxLength={200}
        error={isBad && title.trim() === '' ? t('titleNeeded') : undefined}
        onChange={({ target }) => onChange({ ...step, title: target.value })}
      />
      <Select
        label={t('step.priority')}
        value={priority}
        choices={priorities.map(value => ({ value, label: t(`value.${value}`) }))}
        onChange={({ target }) => onChange({ ...step, priority: target.value })}
      />
      <NumberInput
        label={t('step.days')}
        value={days}
        min={0}
        max={365}
        locale={i18n.language}
        notANumber={t('daysNeeded')}
        error={isBad && days === null ? t('daysNeeded') : undefined}
        onChange={value => {
          const { days: _, ...rest } = step;
          onChange(value === null ? rest : { ...rest, days: value });
        }}
      />
    </>
  );
}
