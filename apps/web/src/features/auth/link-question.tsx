import { useTranslation } from 'react-i18next';
import { oneLine } from '@cairn/base/one-line.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import type { AuthRefusal, LinkGuest } from '../../shared/auth/auth-flows.ts';
import { RefusalBanner } from '../../shared/auth/refusal-banner.tsx';
import { AuthFrame } from './auth-frame.tsx';

type Props = {
  user: LinkGuest['user'];
  signedIn: { id: string; email: string } | null;
  busy: boolean;
  refusal: AuthRefusal | null;
  onYes: () => void;
  onNo: () => void;
};

/** Code points of a name in a heading. */
const MAX_TITLE_NAME = 60;

/** Whose link this is, and whether they shall be signed in here. Until a person says yes nothing has changed. */
export function LinkQuestion({ user, signedIn, busy, refusal, onYes, onNo }: Props) {
  const { t } = useTranslation('authSteps');
  const [email, fullName] = [oneLine(user.email), oneLine(user.fullName ?? '', MAX_TITLE_NAME)];
  const name = fullName === '' ? email : fullName;
  const isOther = signedIn !== null && signedIn.id !== user.id;
  return (
    <AuthFrame
      title={t('returned.ask', { name })}
      subtitle={isOther ? t('returned.askOther', { email: signedIn.email }) : t('returned.askText')}
    >
      <div className="fields">
        <RefusalBanner title={t('returned.failedTitle')} refusal={refusal} />
        <Facts
          look="across"
          facts={[
            [t('returned.name'), fullName === '' ? null : fullName],
            [t('email'), email],
          ]}
        />
        <Button variant="primary" size="lg" block disabled={busy} onClick={onYes}>
          {t(isOther ? 'returned.switch' : 'returned.yes')}
        </Button>
        <Button block disabled={busy} onClick={onNo}>
          {signedIn ? t('returned.stayAs', { email: signedIn.email }) : t('returned.no')}
        </Button>
      </div>
    </AuthFrame>
  );
}
