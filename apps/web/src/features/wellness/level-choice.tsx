import { useId } from 'react';

type Props = {
  label: string;
  /** Five words, from the lowest to the highest. */
  words: readonly string[];
  /** 1 to 5, or null. */
  value: number | null;
  onChange: (value: number | null) => void;
  /** Rising bars for something there is more or less of; stones of one size where neither end is better. */
  look: 'bars' | 'stones';
};

/** One of five levels by a tap; a second tap takes it back. A radio group to the keyboard. */
export function LevelChoice({ label, words, value, onChange, look }: Props) {
  const name = useId();
  return (
    <fieldset className={`level ${look}`}>
      <div className="level-head">
        <legend className="label">{label}</legend>
        <span className="muted sm" aria-hidden="true">
          {value === null ? '' : words[value - 1]}
        </span>
      </div>
      <div className="level-steps">
        {words.map((word, index) => (
          <label key={word} data-on={value !== null && index < value ? '' : undefined}>
            <input
              type="radio"
              className="sr"
              name={name}
              checked={value === index + 1}
              onChange={() => onChange(index + 1)}
              onClick={() => value === index + 1 && onChange(null)}
            />
            <i style={{ '--step': index } as React.CSSProperties} aria-hidden="true" />
            <span className="sr">{word}</span>
          </label>
        ))}
      </div>
      <div className="level-ends muted xs" aria-hidden="true">
        <span>{words[0]}</span>
        <span>{words.at(-1)}</span>
      </div>
    </fieldset>
  );
}
