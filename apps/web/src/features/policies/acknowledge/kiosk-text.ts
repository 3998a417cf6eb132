import type { TFunction } from 'i18next';
import type { KioskAttestation } from '@cairn/core/policies/certificate.ts';

/** On whose device a word was said and how it was shown whose it is, in one line. */
export function kioskText({ proof, witness, device }: KioskAttestation, t: TFunction<'certificate'>): string {
  const name = witness || t('kiosk.left');
  const where = device ? t('kiosk.named', { witness: name, device }) : t('kiosk.on', { witness: name });
  return t(`kiosk.${proof}`, { where });
}
