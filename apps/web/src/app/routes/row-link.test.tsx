// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { afterEach, expect, test } from 'vitest';
import { RowLink } from './row-link.tsx';

window.scrollTo = () => {};
afterEach(cleanup);

/** An app of two pages; how often the second one was made ready is counted by its loader. */
function show() {
  const made = { ready: 0 };
  const root = createRootRoute();
  const list = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => <RowLink target={{ to: '/tasks/$taskId', params: { taskId: 'a b' } }}>Oil</RowLink>,
  });
  const task = createRoute({
    getParentRoute: () => root,
    path: '/tasks/$taskId',
    loader: () => void (made.ready += 1),
    component: () => <h1>The task</h1>,
  });
  const router = createRouter({
    routeTree: root.addChildren([list, task]),
    history: createMemoryHistory(),
    defaultPreload: 'intent',
  });
  render(<RouterProvider router={router as never} />);
  return { made, router };
}

test('the link of a row is an address, and a press of it stays in the app', async () => {
  const { router } = show();
  const link = await screen.findByRole('link', { name: 'Oil' });
  expect(link.getAttribute('href')).toBe('/tasks/a%20b');
  expect(fireEvent.click(link)).toBe(false);
  await screen.findByRole('heading', { name: 'The task' });
  expect(router.state.location.pathname).toBe('/tasks/a b');
});

test('a press with a key that asks for another tab is left to the browser', async () => {
  const { router } = show();
  const link = await screen.findByRole('link', { name: 'Oil' });
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])
    expect(fireEvent.click(link, { [key]: true })).toBe(true);
  expect(router.state.location.pathname).toBe('/');
});

test('a finger or the keyboard on a row makes ready what it leads to', async () => {
  const { made } = show();
  const link = await screen.findByRole('link', { name: 'Oil' });
  expect(made.ready).toBe(0);
  fireEvent.touchStart(link);
  await expect.poll(() => made.ready).toBe(1);
});
