import { useId } from 'react';
import './mood-stones.css';

const FACES = [
  {
    body: 'M4 30C3 19 13 13 27 14c14 .8 22 7 21 17-1 9-10 12-23 12S5 40 4 30Z',
    mouth: 'M20 33c3.500-3.600 9.500-4 13.500-1',
    eye: 23,
  },
  {
    body: 'M4 28C4 16 13 11 27 11.500 41 12 49 18 48 29c-.8 10-10 14-23 13.500C11 42 4 38 4 28Z',
    mouth: 'M21.500 31.500c3-1.600 7-1.800 10.500-.7',
    eye: 22,
  },
  { body: 'M4 26C4 14 13 9 26 9s22 6 22 17-9 16-22 16S4 37 4 26Z', mouth: 'M21 30.500h10.500', eye: 21 },
  {
    body: 'M4.500 26C4 14 13 7.500 26 7 39 6.600 48 13.500 48 25.500S39 42.500 26 43 5 37 4.500 26Z',
    mouth: 'M19.500 27.500c3.200 3.300 9.500 3.500 13.200.2',
    eye: 20,
  },
  {
    body: 'M5 25C4 12 14 5 27 5c12.500 0 21 7.500 21 19.500C48 37 39 43 26.500 43.500 14 44 6 37 5 25Z',
    mouth: 'M18 26c3.500 7 12.500 7 16.500-.3-4.500 1.800-11.500 2-16.500.3Z',
    eye: 19,
  },
] as const;

type Props = {
  /** The question: "How are you today?". */
  label: string;
  /** Five words, from the lowest to the highest. */
  words: readonly [string, string, string, string, string];
  /** 1 to 5, or null. */
  value: number | null;
  onChange: (value: number) => void;
  disabled?: boolean;
};

/** The two-tap check-in: five stones from dusk to dawn. No red, no traffic light. A radio group to the keyboard. */
export function MoodStones({ label, words, value, onChange, disabled = false }: Props) {
  const name = useId();
  return (
    <fieldset className="moods" disabled={disabled}>
      <legend className="sr">{label}</legend>
      {FACES.map((face, index) => (
        <label key={face.body} className="mood">
          <input
            type="radio"
            className="sr"
            name={name}
            checked={value === index + 1}
            onChange={() => onChange(index + 1)}
          />
          <svg viewBox="0 0 52 46" aria-hidden="true">
            <path className="mood-ring" d={face.body} transform="translate(26 25) scale(1.2) translate(-26 -25)" />
            <path d={face.body} fill={`var(--mood-${index + 1})`} />
            <g className="mood-face">
              <circle cx="19.5" cy={face.eye} r="2.1" />
              <circle cx="32.800" cy={face.eye - 0.4} r="2.1" />
              <path className={index === 4 ? 'open' : ''} d={face.mouth} />
            </g>
          </svg>
          <span>{words[index]}</span>
        </label>
      ))}
    </fieldset>
  );
}
