import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import type { AuthRefusal } from './auth-flows.ts';

/** Why a password is too weak, reason by reason. */
function WeakReasons({ reasons }: { reasons: readonly string[] }) {
  const { t } = useTranslation('authSteps');
  const known = reasons.length > 0 ? reasons : ['other'];
  return (
    <ul className="reasons">
      {known.map(reason => (
        <li key={reason}>
          {reason === 'length' || reason === 'pwned' || reason === 'characters' ? t(`weak.${reason}`) : t('weak.other')}
        </li>
      ))}
    </ul>
  );
}

/** One sentence for a refusal. The texts of `authSteps` must be loaded. */
export function refusalText(refusal: AuthRefusal, t: TFunction<'authSteps'>): string {
  if (refusal.kind !== 'other') return t(`refused.${refusal.kind}`);
  const detail = [refusal.name, refusal.status, refusal.code].filter(part => part !== null && part !== '').join(', ');
  return t('refused.other', { detail, message: refusal.message });
}

/** What was refused, under the name of what was tried. */
export function RefusalBanner({ title, refusal }: { title: string; refusal: AuthRefusal | null }) {
  const { t } = useTranslation('authSteps');
  if (!refusal) return null;
  return (
    <Banner tone="bad" title={title}>
      {refusalText(refusal, t)}
      {refusal.kind === 'weak' && <WeakReasons reasons={refusal.reasons} />}
    </Banner>
  );
}
