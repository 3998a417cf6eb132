import { Check } from 'lucide-react';
import { Icon } from '../controls/icon.tsx';
import './stepper.css';

type Props = {
  /** Names the row of steps. */
  label: string;
  steps: readonly string[];
  /** Index of the step on the screen; `steps.length` when all are done. */
  current: number;
  /** In words: "Step 2 of 6". */
  figure: string;
};

/** Where one stands on a way of five to seven steps. On a phone: the number, the name and a bar of segments. */
export function Stepper({ label, steps, current, figure }: Props) {
  return (
    <div className="stepper">
      <p className="stepper-figure">
        <span className="strong">{steps[current] ?? steps.at(-1)}</span>
        <span className="muted num">{figure}</span>
      </p>
      <ol aria-label={label} style={{ gridTemplateColumns: `repeat(${steps.length}, minmax(0, 1fr))` }}>
        {steps.map((step, index) => (
          <li
            key={step}
            className={index < current ? 'done' : index === current ? 'now' : ''}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className="step-dot" aria-hidden="true">
              {index < current ? <Icon of={Check} size="s" /> : index + 1}
            </span>
            <span className="step-name">{step}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
