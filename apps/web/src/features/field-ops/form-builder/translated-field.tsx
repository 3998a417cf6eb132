import { useEffect, useRef } from 'react';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import type { Words } from '@cairn/core/forms/definition/words.ts';

type Props = {
  label: string;
  hint?: string | undefined;
  value: Words | undefined;
  /** Languages of the form; none where every text is one string. */
  languages: readonly string[];
  onChange: (value: Words | undefined) => void;
  onBlur?: () => void;
  /** The caret is here when the field comes up. */
  focused?: boolean;
};

/** One text for people, or one for each language of the form. */
export function TranslatedField({ label, hint, value, languages, onChange, onBlur, focused }: Props) {
  const single = languages.length === 0;
  const fields = single ? [''] : languages;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused) place.current?.querySelector('textarea')?.focus();
  }, [focused]);
  return (
    <div className="words-field" ref={place}>
      {fields.map((language, index) => (
        <Textarea
          key={language}
          label={single ? label : `${label} (${language})`}
          hint={index === 0 ? hint : undefined}
          rows={1}
          maxLength={20_000}
          value={textIn(value, language, languages)}
          onChange={({ target }) => onChange(withText(value, language, target.value, languages))}
          onBlur={onBlur}
          lang={langOf(language)}
        />
      ))}
    </div>
  );
}

/** "Deutsch (de)" is de: so screen readers say it as it is meant. */
const langOf = (language: string): string | undefined => /\(([a-z]{2,3}(?:-\w+)*)\)/i.exec(language)?.[1];

/** A text that was written before there were languages is the one of the first. */
function textIn(value: Words | undefined, language: string, languages: readonly string[]): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return language === (languages[0] ?? '') ? value : '';
  return value[languages.length === 0 ? (Object.keys(value)[0] ?? '') : language] ?? '';
}

function withText(
  value: Words | undefined,
  language: string,
  text: string,
  languages: readonly string[],
): Words | undefined {
  if (languages.length === 0) return text === '' ? undefined : text;
  const [first = ''] = languages;
  const present = typeof value === 'string' ? { [first]: value } : (value ?? {});
  const texts = Object.entries({ ...present, [language]: text }).filter(([, each]) => each !== '');
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
