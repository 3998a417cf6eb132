// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { useRenamedAddress } from './use-renamed-address.ts';

afterEach(cleanup);

const [OLD, FRESH] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

test('a screen follows the record it shows to its new id, and stays where another one got one', async () => {
  let tell: (ids: ReadonlyMap<string, string>) => void = () => undefined;
  const engine = { watchRenamed: (listener: typeof tell) => ((tell = listener), () => undefined) };
  function Screen() {
    useRenamedAddress();
    return <p>here</p>;
  }
  const history = createMemoryHistory({ initialEntries: ['/', `/inspections/${OLD}?from=list#q1`] });
  const router = createRouter({
    history,
    routeTree: createRootRoute({ component: Screen, notFoundComponent: () => null }),
  });
  const signedIn = { user: { id: 'sam', email: 'sam@example.test' }, engine: engine as SyncEngine, verified: true };
  render(
    <SignedInContext.Provider value={signedIn as never}>
      <RouterProvider router={router as never} />
    </SignedInContext.Provider>,
  );
  await screen.findByText('here');
  act(() => tell(new Map([['33333333-3333-4333-8333-333333333333', FRESH]])));
  expect(history.location.pathname).toBe(`/inspections/${OLD}`);
  act(() => tell(new Map([[OLD, FRESH]])));
  expect(history.location.href).toBe(`/inspections/${FRESH}?from=list#q1`);
  expect(history.length).toBe(2);
});
