// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startI18n } from '../../../shared/i18n/start-i18n.ts';
import { ErrorBoundary } from './error-boundary.tsx';

const quiet = (event: ErrorEvent): void => event.preventDefault();

beforeAll(() => startI18n());
afterEach(cleanup);

test('R2.28 a broken shell says so, offers two ways on and the details, and can be tried again', async () => {
  let broken = true;
  function Shell() {
    if (broken) throw new Error('shelf fell down');
    return <p>All well</p>;
  }
  // React reports what a boundary caught; here that is the point of the test.
  addEventListener('error', quiet);
  render(
    <ErrorBoundary>
      <Shell />
    </ErrorBoundary>,
  );
  removeEventListener('error', quiet);

  expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Reload Page' })).toBeDefined();
  expect(screen.getByText(/shelf fell down/)).toBeDefined();

  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(screen.getByText('All well')).toBeDefined();
});
