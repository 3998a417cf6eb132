import { useTranslation } from 'react-i18next';
import { Plus, X } from 'lucide-react';
import {
  FIELDS,
  MAX_CONDITIONS,
  TRIGGERS,
  type Condition,
  type Field,
  type Op,
  type Trigger,
} from '@cairn/core/workflows/rule.ts';
import type { RuleChoices } from '@cairn/core/workflows/rules.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select, type Choice } from '@cairn/ui/controls/select.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import type { PartProps } from './part-props.ts';
import { prioritiesOf, replaced, VALUES } from './rule-draft.ts';

/** "If …": what has to be so; without any, everything sets the rule off. */
export function ConditionsPart({ words, change, choices, faultAt }: PartProps) {
  const { t } = useTranslation('workflows');
  const { conditions, trigger, matching } = words;
  const [first = 'title'] = TRIGGERS[trigger].fields;
  return (
    <Card className="parts" label={t('if')}>
      <h2 className="h2">{t('if')}</h2>
      {conditions.length === 0 && <p className="sm muted">{t('always')}</p>}
      {conditions.length > 1 && (
        <Segmented
          label={t('matching.label')}
          value={matching}
          options={(['all', 'any'] as const).map(value => ({ value, label: t(`matching.${value}`) }))}
          onChange={value => change({ matching: value === 'any' ? 'any' : 'all' })}
        />
      )}
      {conditions.map((condition, index) => (
        <fieldset key={index} className="workflow-condition">
          <legend className="sr">{t('conditionNumber', { number: index + 1 })}</legend>
          <ConditionFields
            condition={condition}
            trigger={trigger}
            choices={choices}
            isBad={faultAt?.fault === 'condition' && faultAt.index === index}
            onChange={by => change({ conditions: replaced(conditions, index, by) })}
          />
          <IconButton
            label={t('removeCondition', { number: index + 1 })}
            icon={X}
            onClick={() => change({ conditions: replaced(conditions, index, null) })}
          />
        </fieldset>
      ))}
      {conditions.length < MAX_CONDITIONS && (
        <div className="row">
          <Button icon={Plus} onClick={() => change({ conditions: [...conditions, fresh(first, trigger)] })}>
            {t('addCondition')}
          </Button>
        </div>
      )}
    </Card>
  );
}

const fresh = (field: Field, trigger: Trigger): Condition => {
  const [op] = FIELDS[field];
  const known = field === 'priority' ? prioritiesOf(trigger) : VALUES[field];
  return { field, op, value: known?.[0] ?? '' };
};

type FieldsProps = {
  condition: Condition;
  trigger: Trigger;
  choices: RuleChoices;
  isBad: boolean;
  onChange: (condition: Condition) => void;
};

function ConditionFields({ condition, trigger, choices, isBad, onChange }: FieldsProps) {
  const { t } = useTranslation('workflows');
  const { field, op, value } = condition;
  const fields: readonly Field[] = TRIGGERS[trigger].fields;
  const known = useKnown(field, trigger, choices);
  const words = { label: t('value.label'), value, error: isBad ? t('valueNeeded') : undefined };
  return (
    <>
      <Select
        label={t('fieldLabel')}
        value={field}
        choices={fields.map(each => ({ value: each, label: t(`field.${each}`) }))}
        onChange={({ target }) => onChange(fresh(target.value as Field, trigger))}
      />
      <Select
        label={t('op.label')}
        value={op}
        choices={FIELDS[field].map(each => ({ value: each, label: t(`op.${each}`) }))}
        onChange={({ target }) => onChange({ ...condition, op: target.value as Op })}
      />
      {known === null ? (
        <Input {...words} maxLength={200} onChange={({ target }) => onChange({ ...condition, value: target.value })} />
      ) : (
        <Select
          {...words}
          placeholder={t('choose')}
          choices={known}
          onChange={({ target }) => onChange({ ...condition, value: target.value })}
        />
      )}
    </>
  );
}

/** What can be chosen for a field; null where it is text of one's own. */
function useKnown(field: Field, trigger: Trigger, choices: RuleChoices): Choice[] | null {
  const { t } = useTranslation('workflows');
  const named = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  if (field === 'site') return named(choices.sites);
  if (field === 'asset') return named(choices.assets);
  if (field === 'form') return named(choices.forms);
  const words = field === 'priority' ? prioritiesOf(trigger) : VALUES[field];
  return words?.map(value => ({ value, label: t(`value.${value as 'low'}`) })) ?? null;
}
