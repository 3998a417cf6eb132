import { useTranslation } from 'react-i18next';
import type { Json } from '@cairn/schema';
import { Checkbox, Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import type { PolicyLinks } from '../document/policy-links.ts';

/** What somebody filled in to sign a version. */
export type SignatureDraft = { hasRead: boolean; name: string; method: 'typed' | 'drawn'; drawn: Json };

/** Whether something is left to fill in. */
export const lacksSignature = ({ hasRead, name, method, drawn }: SignatureDraft): boolean =>
  !hasRead || name.trim() === '' || (method === 'drawn' && drawn === null);

/** The word that was signed with this. */
export const signed = ({ name, method, drawn }: SignatureDraft) => ({
  decision: 'acknowledged' as const,
  signedName: name,
  signature: method === 'drawn' ? drawn : null,
});

type Props = Pick<PolicyLinks, 'renderSignature'> & {
  typed: SignatureDraft;
  set: (part: Partial<SignatureDraft>) => void;
  /** Sent once: what is left out is said. */
  tried: boolean;
  tick: string;
  nameLabel: string;
  nameFill: 'name' | 'off';
  /** Why only a drawing counts; null where a typed name does too. */
  drawHint: string | null;
};

/** Having read it, the name, and how it is signed: on one's own device and at a kiosk. */
export function SignatureFields({ typed, set, tried, ...props }: Props) {
  const { t } = useTranslation('policies');
  return (
    <>
      <Checkbox label={props.tick} checked={typed.hasRead} onChange={hasRead => set({ hasRead })} />
      {tried && !typed.hasRead && (
        <p className="err" role="alert">
          {t('ack.tickNeeded')}
        </p>
      )}
      <Input
        label={props.nameLabel}
        value={typed.name}
        maxLength={200}
        autoComplete={props.nameFill}
        error={tried && typed.name.trim() === '' ? t('ack.nameNeeded') : undefined}
        onChange={event => set({ name: event.target.value })}
      />
      {props.drawHint === null ? (
        <Segmented
          label={t('ack.how')}
          block
          value={typed.method}
          onChange={value => set({ method: value === 'drawn' ? 'drawn' : 'typed' })}
          options={(['typed', 'drawn'] as const).map(value => ({ value, label: t(`ack.${value}`) }))}
        />
      ) : (
        <p className="sm">{props.drawHint}</p>
      )}
      {typed.method === 'drawn' &&
        props.renderSignature(
          typed.drawn,
          drawn => set({ drawn }),
          tried && typed.drawn === null ? t('ack.drawNeeded') : undefined,
        )}
    </>
  );
}
