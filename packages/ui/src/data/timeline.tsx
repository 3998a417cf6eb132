import type { ReactNode } from 'react';
import { Icon, type IconComponent } from '../controls/icon.tsx';
import './timeline.css';

export type Moment = {
  id: string;
  icon: IconComponent;
  tone?: 'neutral' | 'good' | 'bad' | 'warn' | 'accent';
  title: ReactNode;
  /** As people write it, and for machines (ISO 8601). */
  when: string;
  at: string;
  detail?: ReactNode;
};

/** What happened to a thing, newest or oldest first as given. */
export function Timeline({ label, moments }: { label: string; moments: readonly Moment[] }) {
  return (
    <ol className="timeline" aria-label={label}>
      {moments.map(moment => (
        <li key={moment.id}>
          <span className={`moment-dot ${moment.tone ?? 'neutral'}`}>
            <Icon of={moment.icon} size="s" />
          </span>
          <div className="moment">
            <div className="row between wrap">
              <span className="strong">{moment.title}</span>
              <time className="muted sm num" dateTime={moment.at}>
                {moment.when}
              </time>
            </div>
            {moment.detail && <div className="muted sm">{moment.detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
