import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react';
import { Pill } from '../feedback/pill.tsx';

type Props = {
  direction: 'up' | 'down' | 'flat';
  /** Whether that is welcome; some numbers should fall. */
  meaning: 'good' | 'bad' | 'neutral';
  /** In words: "6 points". */
  children: string;
};

const ARROWS = { up: ArrowUp, down: ArrowDown, flat: ArrowRight } as const;

/** How a number moved: arrow, colour and words together. */
export function Trend({ direction, meaning, children }: Props) {
  return (
    <Pill tone={meaning} icon={ARROWS[direction]}>
      {children}
    </Pill>
  );
}
