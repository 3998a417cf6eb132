import { Component, Suspense, type ReactNode } from 'react';

/**
 * Around what works beside the screens (reminders, figures, offers): where it breaks, it is gone and the screens stand.
 * The error is kept for the diagnostics by `onCaughtError` of the root.
 */
export class QuietBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? null : <Suspense fallback={null}>{this.props.children}</Suspense>;
  }
}
