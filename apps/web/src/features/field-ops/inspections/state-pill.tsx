import { useTranslation } from 'react-i18next';
import { CalendarX, Check, CircleCheck, CloudCheck, Clock, Lock, Undo2, X } from 'lucide-react';
import type { ShownState } from '@cairn/core/inspections/inspection-states.ts';
import { Pill, type Tone } from '@cairn/ui/feedback/pill.tsx';

const LOOKS = {
  scheduled: { tone: 'neutral', icon: Clock },
  missed: { tone: 'bad', icon: CalendarX },
  in_progress: { tone: 'accent', icon: Clock },
  finalised: { tone: 'neutral', icon: Check },
  received: { tone: 'info', icon: CloudCheck },
  has_issues: { tone: 'warn', icon: Undo2 },
  approved: { tone: 'good', icon: CircleCheck },
  rejected: { tone: 'bad', icon: X },
  closed: { tone: 'neutral', icon: Lock },
} as const satisfies Record<ShownState, { tone: Tone; icon: typeof Check }>;

/** Where an inspection stands: colour, icon and word together. */
export function StatePill({ state }: { state: ShownState }) {
  const { t } = useTranslation('review');
  const { tone, icon } = LOOKS[state];
  return (
    <Pill tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </Pill>
  );
}
