import type { ReactNode } from 'react';
import './facts.css';

/** A name, what is known under it, and how that is set: figures, or letter by letter. */
export type Fact = readonly [name: string, value: ReactNode, look?: 'num' | 'mono'];

type Props = {
  /** One whose value is null is left out. */
  facts: readonly Fact[];
  /** `across`: name and value face each other. `under`: the value under its name, beside each other where there is room. */
  look: 'across' | 'under';
};

/** What is known of something, each by its name. */
export function Facts({ facts, look }: Props) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  return (
    <dl className={`facts ${look}`}>
      {known.map(([name, value, set]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={set}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
