import type { ReactNode } from 'react';
import { StoneArt } from './stone.tsx';
import './empty-state.css';

type Props = {
  /** What is not here yet. */
  title: string;
  /** Why it is empty and how it fills. */
  children: ReactNode;
  /** The one thing to do. */
  action?: ReactNode;
  level?: 1 | 2 | 3;
};

/** What this is, why it is empty, one act. */
export function EmptyState({ title, children, action, level = 2 }: Props) {
  const Heading = `h${level}` as const;
  return (
    <div className="empty">
      <StoneArt />
      <Heading className="h2">{title}</Heading>
      <p className="sm">{children}</p>
      {action}
    </div>
  );
}
