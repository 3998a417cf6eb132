// A screen that comes late on a busy machine has not failed: the test's own limit says when it has.
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 20_000 });
}
