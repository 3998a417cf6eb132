import { Component, type ReactNode } from 'react';

type Props = { children: ReactNode; /** Shown when the chart's code cannot be fetched or drawn. */ instead: ReactNode };

/** A chart is never worth a screen: where it fails, what stands behind it is shown. */
export class ChartBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}
