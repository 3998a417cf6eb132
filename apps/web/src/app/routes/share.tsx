import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { ShareScreen } from '../../features/share/share-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('share');

const PROBLEMS = ['empty', 'full', 'failed'] as const;

export function ShareRoute() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const sharedProblem = useSearch({ from: '/signed-in/share' }).problem;
  const problem = PROBLEMS.find(each => each === sharedProblem) ?? null;
  return (
    <ShareScreen
      problem={problem}
      startLink={
        <Link to="/dashboard" className={buttonClass()}>
          {t('error.dashboard')}
        </Link>
      }
      onAttached={to =>
        void (to.kind === 'action_item'
          ? navigate({ to: '/action-items/$actionId', params: { actionId: to.id }, replace: true })
          : navigate({ to: '/field/$inspectionId', params: { inspectionId: to.id }, replace: true }))
      }
    />
  );
}
