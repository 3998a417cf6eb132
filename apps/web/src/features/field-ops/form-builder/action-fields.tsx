import { useTranslation } from 'react-i18next';
import type { FailActionRule } from '@cairn/core/forms/definition/form-definition.ts';
import { MAX_DUE_DAYS, MAX_DUE_HOURS } from '@cairn/core/forms/definition/follow-up-shape.ts';
import { ASSIGNEE_ROLES, isRuleAssignee } from '@cairn/core/forms/definition/rule-assignee.ts';
import { colleagues } from '@cairn/core/spaces/colleagues.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Select } from '@cairn/ui/controls/select.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { TranslatedField } from './translated-field.tsx';

/** What is asked for an answer; of a rule without its condition. */
export type ActionRule = FailActionRule;

const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;

type Props = {
  ask: ActionRule;
  set: (change: Partial<ActionRule>) => void;
  languages: readonly string[];
  /** It is critical whatever its author says. */
  isForced: boolean;
};

/** The action item an answer makes: its title, how urgent, until when and by whom. */
export function ActionFields({ ask, set, languages, isForced }: Props) {
  const { t } = useTranslation('builder');
  const { t: tf } = useTranslation('field');
  return (
    <>
      <TranslatedField
        label={t('follow.title')}
        hint={t('follow.titleHint')}
        value={ask.title}
        languages={languages}
        onChange={title => set({ title })}
      />
      <Select
        label={t('follow.priority')}
        value={isForced ? 'critical' : ask.priority}
        disabled={isForced}
        hint={isForced ? t('follow.criticalHint') : ask.priority === 'critical' ? t('follow.critical') : undefined}
        choices={PRIORITIES.map(value => ({ value, label: tf(`priority.${value}`) }))}
        onChange={({ target }) => set({ priority: target.value as ActionRule['priority'] })}
      />
      <AssigneeField ask={ask} set={set} />
      <DueFields ask={ask} set={set} />
    </>
  );
}

type PartProps = Pick<Props, 'ask' | 'set'>;

/** A role of the place, the manager of whoever inspects, or one person. */
function AssigneeField({ ask, set }: PartProps) {
  const { t } = useTranslation('builder');
  const { organization } = useSpace();
  const found = useLive(colleagues(organization.id));
  const people =
    found.status === 'ready' ? found.answer.map(({ id, name }) => ({ value: `person:${id}`, label: name })) : [];
  const roles = ASSIGNEE_ROLES.map(role => ({ value: `role:${role}`, label: t(`follow.roles.${role}`) }));
  const known = [{ value: 'conductors_manager', label: t('follow.conductorsManager') }, ...roles, ...people];
  const gone =
    ask.assignee !== undefined && found.status === 'ready' && known.every(each => each.value !== ask.assignee);
  const isChosen = ask.assignee !== undefined && !ask.assignee.startsWith('person:');
  const hint = gone ? t('follow.assigneeGone') : isChosen ? t('follow.assigneeHint') : undefined;
  return (
    <Select
      label={t('follow.assignee')}
      hint={hint}
      placeholder={t('follow.nobody')}
      value={ask.assignee ?? ''}
      choices={gone ? [...known, { value: ask.assignee ?? '', label: t('follow.somebody') }] : known}
      onChange={({ target }) => set({ assignee: isRuleAssignee(target.value) ? target.value : undefined })}
    />
  );
}

const UNITS = ['days', 'hours'] as const;
type Unit = (typeof UNITS)[number];
const FIELD = { days: 'due_in_days', hours: 'due_in_hours' } as const satisfies Record<Unit, keyof ActionRule>;
const LIMITS: Record<Unit, { min: number; max: number }> = {
  days: { min: 0, max: MAX_DUE_DAYS },
  hours: { min: 1, max: MAX_DUE_HOURS },
};

/** So many days, by the end of the day; or so many hours. */
function DueFields({ ask, set }: PartProps) {
  const { t, i18n } = useTranslation('builder');
  const unit: Unit = ask.due_in_hours === undefined ? 'days' : 'hours';
  const { min, max } = LIMITS[unit];
  const give = (to: Unit, count: number | null) =>
    set({
      due_in_days: undefined,
      due_in_hours: undefined,
      [FIELD[to]]: count === null ? undefined : within(to, count),
    });
  return (
    <div className="builder-row">
      <NumberInput
        label={t('follow.due')}
        value={ask[FIELD[unit]] ?? null}
        min={min}
        max={max}
        locale={i18n.resolvedLanguage ?? 'en'}
        notANumber={t('number')}
        onChange={count => give(unit, count)}
      />
      <Select
        label={t('follow.unit')}
        value={unit}
        choices={UNITS.map(value => ({ value, label: t(`follow.units.${value}`) }))}
        onChange={({ target }) => {
          const to = UNITS.find(each => each === target.value) ?? 'days';
          // An hour is the least that says hours.
          give(to, ask[FIELD[unit]] ?? LIMITS[to].min);
        }}
      />
    </div>
  );
}

const within = (unit: Unit, count: number): number =>
  Math.min(LIMITS[unit].max, Math.max(LIMITS[unit].min, Math.trunc(count)));
