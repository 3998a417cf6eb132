import { useTranslation } from 'react-i18next';
import type { Failure } from '@cairn/base/failure.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { failureText } from '../../shared/failure-text.ts';

/** Why something did not happen; nothing where it did. */
export function FailureLine({ failure }: { failure: Failure | null }) {
  const { t } = useTranslation('failure');
  return failure ? <Banner tone="bad" title={t(failureText[failure.code])} /> : null;
}
