import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ReloadButton } from './error-boundary.tsx';
import { ErrorScreen } from './error-screen.tsx';

/** The frame around the screens broke, its navigation with it: Try Again or Reload Page (R2.28). */
export function FrameError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ErrorScreen error={error} onRetry={retry} way={<ReloadButton />} />;
}
