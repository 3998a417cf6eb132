import type { ReactNode } from 'react';
import { CloudOff, Compass, Lock, TriangleAlert } from 'lucide-react';
import { Icon } from '../controls/icon.tsx';
import './empty-state.css';
import './state-block.css';

const FACES = {
  failed: { icon: TriangleAlert, tone: 'bad' },
  offline: { icon: CloudOff, tone: 'neutral' },
  'not-allowed': { icon: Lock, tone: 'neutral' },
  'not-found': { icon: Compass, tone: 'neutral' },
} as const;

type Props = {
  /** Why the thing itself is not shown. Empty is no fault and has its own block (EmptyState). */
  state: keyof typeof FACES;
  /** What happened. */
  title: string;
  /** The next step, and what is safe. */
  children: ReactNode;
  /** Try again, go back, ask for access. */
  action?: ReactNode;
  /** Codes for whoever helps; folded. */
  details?: { label: string; text: string };
  level?: 1 | 2 | 3;
};

/** Stands in the place of what cannot be shown: a sentence, the next step, one act. */
export function StateBlock({ state, title, children, action, details, level = 2 }: Props) {
  const { icon, tone } = FACES[state];
  const Heading = `h${level}` as const;
  return (
    <div className="empty state-block" role={state === 'failed' ? 'alert' : undefined}>
      <span className={`state-icon ${tone}`}>
        <Icon of={icon} size="l" />
      </span>
      <Heading className="h2">{title}</Heading>
      <p className="sm">{children}</p>
      {action && <div className="row wrap state-acts">{action}</div>}
      {details && (
        <details className="sm">
          <summary>{details.label}</summary>
          <code className="mono">{details.text}</code>
        </details>
      )}
    </div>
  );
}
