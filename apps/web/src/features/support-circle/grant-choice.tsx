import { useTranslation } from 'react-i18next';
import { goalsToShow } from '@cairn/core/goals/queries.ts';
import { allHabits } from '@cairn/core/habits/queries.ts';
import type { CircleRole } from '@cairn/core/roles/role-names.ts';
import {
  offersOf,
  type GivenScope,
  type Level,
  type Offer,
  type Scope,
} from '@cairn/core/support-circle/visibility.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { useCircleLabels } from './circle-labels.ts';
import { usePrivateTasks } from './use-private-tasks.ts';

export type WantedGrant = { scope: Scope; level: Level; itemIds: string[] | null };

type Props = { role: CircleRole; wanted: readonly WantedGrant[]; onChange: (wanted: WantedGrant[]) => void };

/** Scopes of which things are picked one by one; the others never are. */
const PICKED = {
  goals: 'goals',
  habits: 'habits',
  tasks: 'tasks',
  wellness: 'tasks',
  sessions: 'tasks',
} as const satisfies Record<GivenScope, string>;

const isSame = (a: Offer | WantedGrant, b: Offer | WantedGrant): boolean => a.scope === b.scope && a.level === b.level;

/** What somebody in this role may see: each thing is off until the person switches it on. */
export function GrantChoice({ role, wanted, onChange }: Props) {
  const { t } = useTranslation('circle');
  const words = useCircleLabels();
  const habits = useLive(allHabits);
  const goals = useLive(goalsToShow);
  const tasks = usePrivateTasks();
  const items: Record<GivenScope, readonly { id: string; name: string }[]> = {
    habits: habits.status === 'ready' ? habits.answer.filter(habit => habit.archived_at === null) : [],
    tasks,
    goals: goals.status === 'ready' ? goals.answer.map(({ id, title }) => ({ id, name: title })) : [],
    wellness: [],
    sessions: [],
  };
  const without = (offer: Offer) => wanted.filter(each => !isSame(each, offer));
  return (
    <fieldset className="parts grant-choice">
      <legend className="label">{t('grant.label')}</legend>
      {offersOf(role).map(offer => {
        const present = wanted.find(each => isSame(each, offer));
        if (offer.chosen) {
          return (
            <ItemChoice
              key={`${offer.scope}${offer.level}`}
              label={t(`grant.${PICKED[offer.scope]}`)}
              none={t(`grant.none.${PICKED[offer.scope]}`)}
              items={items[offer.scope]}
              chosen={present?.itemIds ?? []}
              onChange={itemIds =>
                onChange([...without(offer), ...(itemIds.length > 0 ? [{ ...levelOf(offer), itemIds }] : [])])
              }
            />
          );
        }
        return (
          <Checkbox
            key={`${offer.scope}${offer.level}`}
            label={words.sees({ ...offer, items: 0, until: null })}
            checked={present !== undefined}
            onChange={on => onChange([...without(offer), ...(on ? [{ ...levelOf(offer), itemIds: null }] : [])])}
          />
        );
      })}
      <p className="muted sm">{t('grant.never')}</p>
    </fieldset>
  );
}

const levelOf = ({ scope, level }: Offer) => ({ scope, level });

type ItemProps = {
  label: string;
  none: string;
  items: readonly { id: string; name: string }[];
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
};

function ItemChoice({ label, none, items, chosen, onChange }: ItemProps) {
  return (
    <div className="parts grant-items">
      <p className="t">{label}</p>
      {items.length === 0 && <p className="muted sm">{none}</p>}
      {items.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={on => onChange(on ? [...chosen, id] : chosen.filter(each => each !== id))}
        />
      ))}
    </div>
  );
}
