import type { ReactNode } from 'react';
import { Check, Circle, Clock, Eye, Flag, LoaderCircle, TriangleAlert } from 'lucide-react';
import { Icon, type IconComponent } from '../controls/icon.tsx';
import './pill.css';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'accent' | 'line';

type PillProps = { children: ReactNode; tone?: Tone; icon?: IconComponent };

/** A small soft label. Colour never stands alone: give an icon where the tone means something. */
export function Pill({ children, tone = 'neutral', icon }: PillProps) {
  return (
    <span className={`pill ${tone}`}>
      {icon && <Icon of={icon} />}
      {children}
    </span>
  );
}

const STATES = {
  done: { tone: 'good', icon: Check },
  open: { tone: 'neutral', icon: Circle },
  in_progress: { tone: 'accent', icon: Clock },
  due: { tone: 'warn', icon: Clock },
  overdue: { tone: 'bad', icon: Clock },
  review: { tone: 'info', icon: Eye },
  waiting: { tone: 'neutral', icon: Clock },
  sending: { tone: 'accent', icon: LoaderCircle },
  failed: { tone: 'bad', icon: TriangleAlert },
  finding: { tone: 'bad', icon: Flag },
} as const satisfies Record<string, { tone: Tone; icon: IconComponent }>;

export type StatusState = keyof typeof STATES;

/** Where a thing stands: colour, icon and word together. */
export function StatusChip({ state, children }: { state: StatusState; children: ReactNode }) {
  const { tone, icon } = STATES[state];
  return (
    <Pill tone={tone} icon={icon}>
      {children}
    </Pill>
  );
}
