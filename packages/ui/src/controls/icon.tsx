import type { LucideIcon } from 'lucide-react';
import './icon.css';

export type IconComponent = LucideIcon;

type Props = {
  /** One of lucide's icons: `import { Check } from 'lucide-react'`. */
  of: LucideIcon;
  /** 16, 20, 24 or 32 px. */
  size?: 's' | 'm' | 'l' | 'xl';
  className?: string;
};

/** An icon beside a name. It is hidden from screen readers: the name says it. */
export function Icon({ of: Drawing, size = 'm', className = '' }: Props) {
  return <Drawing className={`i ${size} ${className}`} aria-hidden="true" focusable="false" />;
}
