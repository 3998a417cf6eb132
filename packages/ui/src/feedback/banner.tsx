import type { ReactNode } from 'react';
import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Icon, type IconComponent } from '../controls/icon.tsx';
import './banner.css';

const ICONS = { info: Info, accent: Info, good: CircleCheck, warn: TriangleAlert, bad: TriangleAlert } as const;

type Props = {
  /** `bad` and `warn` are read out at once; the others are read when reached. */
  tone?: keyof typeof ICONS;
  title: ReactNode;
  children?: ReactNode;
  icon?: IconComponent;
  /** What to do next. */
  action?: ReactNode;
};

/** A calm box that states a fact, then the step. */
export function Banner({ tone = 'info', title, children, icon, action }: Props) {
  return (
    <div className={`banner ${tone}`} role={tone === 'bad' || tone === 'warn' ? 'alert' : undefined}>
      <Icon of={icon ?? ICONS[tone]} />
      <div className="grow">
        <p className="strong">{title}</p>
        {children && <div className="sm">{children}</div>}
        {action && <div className="row wrap banner-acts">{action}</div>}
      </div>
    </div>
  );
}
