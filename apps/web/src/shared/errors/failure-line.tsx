import { useTranslation } from 'react-i18next';
import type { Failure } from '@cairn/base/failure.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { failureText } from './failure-text.ts';

type Props = {
  failure: Failure | null | undefined;
  /** What is said where something was not valid, if more is known than that. */
  invalid?: string;
};

/** Why something did not happen; nothing where it did. */
export function FailureLine({ failure, invalid }: Props) {
  const { t } = useTranslation('failure');
  if (!failure) return null;
  const isKnown = failure.code === 'invalid' && invalid !== undefined;
  return <Banner tone="bad" title={isKnown ? invalid : t(failureText[failure.code])} />;
}
