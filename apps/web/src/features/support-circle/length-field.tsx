import { useTranslation } from 'react-i18next';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';

/** Whether so many minutes are none of a session. */
export const isBadLength = (minutes: number | null): boolean =>
  minutes !== null && (!Number.isInteger(minutes) || minutes < 1 || minutes > 1440);

type Props = { value: number | null; onChange: (minutes: number | null) => void };

/** How long the two talk, in minutes; may stay empty. */
export function LengthField({ value, onChange }: Props) {
  const { t, i18n } = useTranslation('circle');
  return (
    <NumberInput
      label={t('sessions.length')}
      locale={i18n.language}
      notANumber={t('sessions.badLength')}
      error={isBadLength(value) ? t('sessions.badLength') : undefined}
      value={value}
      onChange={onChange}
    />
  );
}
