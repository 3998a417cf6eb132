import { lazy, Suspense } from 'react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { FormsScreen } from '../../features/field-ops/forms/forms-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

/** Larger than the list, and opened from it: fetched when somebody builds. */
const BuilderScreen = lazy(async () => ({
  default: (await import('../../features/field-ops/form-builder/builder-screen.tsx')).BuilderScreen,
}));

export const texts = loadTexts('field', 'builder', 'review', 'capture');

export function FormsRoute() {
  const { t } = useTranslation('field');
  const navigate = useNavigate();
  return (
    <FormsScreen
      backLink={
        <Link to="/field" className="link tap">
          {t('formList.back')}
        </Link>
      }
      renderEdit={(formId, face) => (
        <Link to="/field/forms/$formId/edit" params={{ formId }} className="link">
          {face}
        </Link>
      )}
      onBuilt={formId => void navigate({ to: '/field/forms/$formId/edit', params: { formId } })}
    />
  );
}

export function FormBuilderRoute() {
  const { t } = useTranslation('builder');
  const { formId } = useParams({ from: '/signed-in/field/forms/$formId/edit' });
  const navigate = useNavigate();
  return (
    <Suspense fallback={<SkeletonRows label={t('loading')} />}>
      <BuilderScreen
        formId={formId}
        onClose={() => void navigate({ to: '/field/forms' })}
        backLink={
          <Link to="/field/forms" className={buttonClass()}>
            {t('toForms')}
          </Link>
        }
      />
    </Suspense>
  );
}
