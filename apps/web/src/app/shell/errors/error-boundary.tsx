import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { ErrorScreen } from './error-screen.tsx';

type State = { caught: { error: unknown } | null };

/** The last net, around the shell itself: offers Try Again and Reload Page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { caught: null };

  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } };
  }

  override render(): ReactNode {
    if (!this.state.caught) return this.props.children;
    return (
      <ErrorScreen
        error={this.state.caught.error}
        onRetry={() => this.setState({ caught: null })}
        way={<ReloadButton />}
      />
    );
  }
}

export function ReloadButton() {
  const { t } = useTranslation('shell');
  return <Button onClick={() => location.reload()}>{t('error.reload')}</Button>;
}
