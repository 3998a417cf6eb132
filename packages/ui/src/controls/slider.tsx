import { Slider as Radix } from 'radix-ui';
import './slider.css';

type Props = {
  label: string;
  value: number;
  onChange: (value: number) => void;
  min: number;
  max: number;
  step?: number;
  /** The value in words beside the label and for screen readers, e.g. "7 hours". */
  figure: string;
  /** What the two ends mean, e.g. "Rough" and "Great". */
  ends?: readonly [string, string];
  disabled?: boolean;
};

/** A number by feel; its figure always stands beside it. */
export function Slider({ label, value, onChange, min, max, step = 1, figure, ends, disabled = false }: Props) {
  return (
    <div className="slider-field">
      <div className="row between">
        <span className="label">{label}</span>
        <span className="muted sm num">{figure}</span>
      </div>
      <Radix.Root
        className="slider"
        value={[value]}
        min={min}
        max={max}
        step={step}
        disabled={disabled}
        onValueChange={([next]) => next !== undefined && onChange(next)}
      >
        <Radix.Track className="slider-track">
          <Radix.Range className="slider-range" />
        </Radix.Track>
        <Radix.Thumb className="slider-thumb" aria-label={label} aria-valuetext={figure} />
      </Radix.Root>
      {ends && (
        <div className="row between xs muted" aria-hidden="true">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </div>
      )}
    </div>
  );
}
