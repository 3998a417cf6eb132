import { beforeAll } from 'vitest';

// A screen that comes late on a busy machine has not failed: the test's own limit says when it has.
beforeAll(async () => {
  if (typeof document === 'undefined') return;
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 20_000 });
});
