// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { QuietBoundary } from './quiet-boundary.tsx';

afterEach(cleanup);

test('what works beside the screens may break without taking them along', () => {
  function Reminder(): never {
    throw new Error('this device has no calendar');
  }
  const quiet = (event: ErrorEvent): void => event.preventDefault();
  // React reports what a boundary caught; here that is the point of the test.
  addEventListener('error', quiet);
  render(
    <main>
      <p>Today</p>
      <QuietBoundary>
        <Reminder />
      </QuietBoundary>
    </main>,
  );
  removeEventListener('error', quiet);
  expect(screen.getByText('Today')).toBeDefined();
});
