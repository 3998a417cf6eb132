// @vitest-environment jsdom
import { useEffect, useLayoutEffect, useState } from 'react';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';

afterEach(cleanup);

/** A machine that is busy for longer than React works in one turn. */
function takeLong(): void {
  const end = performance.now() + 20;
  while (performance.now() < end);
}

function Late({ ready, onReady }: { ready: Promise<void>; onReady: () => void }) {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    void ready.then(() => {
      setReady(true);
      // Between the turn that draws and the one that runs the effects.
      queueMicrotask(() => setImmediate(takeLong));
    });
  }, [ready]);
  useLayoutEffect(() => {
    if (isReady) takeLong();
  }, [isReady]);
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady]);
  return <p>{isReady ? 'ready' : 'waiting'}</p>;
}

test('what a test waited for is there with its effects, however busy the machine', async () => {
  let isHeard = false;
  let begin = (): void => undefined;
  const ready = new Promise<void>(resolve => (begin = resolve));
  render(<Late ready={ready} onReady={() => (isHeard = true)} />);
  begin();
  await screen.findByText('ready');
  expect(isHeard).toBe(true);
});
