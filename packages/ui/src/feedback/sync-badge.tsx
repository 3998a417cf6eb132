import { Cloud, CloudCheck, CloudOff, RefreshCw, Split, TriangleAlert } from 'lucide-react';
import { Icon } from '../controls/icon.tsx';
import './pill.css';
import './sync-badge.css';

const FACES = {
  /** Before it is counted what waits: nothing is said that may not be so. */
  unknown: { tone: 'neutral', icon: Cloud },
  idle: { tone: 'good', icon: CloudCheck },
  waiting: { tone: 'accent', icon: RefreshCw },
  sending: { tone: 'accent', icon: RefreshCw },
  failed: { tone: 'bad', icon: TriangleAlert },
  conflict: { tone: 'warn', icon: Split },
  offline: { tone: 'neutral', icon: CloudOff },
} as const;

export type SyncBadgeState = keyof typeof FACES;

type BadgeProps = {
  state: SyncBadgeState;
  /** In words: "Up to date", "3 waiting", "1 failed". */
  label: string;
};

/** Whether this phone's work has arrived, always in the top bar. Put it inside a link to the sync page. */
export function SyncBadge({ state, label }: BadgeProps) {
  const { tone, icon } = FACES[state];
  return (
    <span className={`pill sync ${tone}`} data-state={state}>
      <Icon of={icon} />
      {label}
    </span>
  );
}

/** The line above the bottom navigation while there is no signal. Neutral: offline is normal, not an error. */
export function OfflineStrip({ children }: { children: string }) {
  return (
    <output className="offline-strip">
      <Icon of={CloudOff} />
      <span className="grow">{children}</span>
    </output>
  );
}
