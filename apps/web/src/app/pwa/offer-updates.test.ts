// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastEvent, toasts } from '@cairn/ui/feedback/toast.ts';
import { offerUpdates } from './offer-updates.ts';

class Worker extends EventTarget {
  readonly scriptURL = new URL('/sw.js', location.href).href;
}

/** What a page sees of its worker, and one that takes it over. */
class Container extends EventTarget {
  controller: Worker | null;
  readonly registration = Object.assign(new EventTarget(), { installing: null, waiting: null, active: null });

  constructor(controller: Worker | null) {
    super();
    this.controller = controller;
  }

  readonly register = () => Promise.resolve(this.registration);

  take(worker: Worker): void {
    this.controller = worker;
    this.dispatchEvent(new Event('controllerchange'));
  }
}

const offered = vi.fn<(id: string | undefined) => void>();
const hear = (event: Event) => event instanceof ToastEvent && offered(event.message.id);

beforeEach(() => {
  offered.mockClear();
  toasts.addEventListener('toast', hear);
});
afterEach(() => {
  toasts.removeEventListener('toast', hear);
  vi.unstubAllGlobals();
});

/** A page that begins under this worker, or under none. */
async function begin(controller: Worker | null): Promise<Container> {
  const container = new Container(controller);
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker: container }));
  await offerUpdates();
  return container;
}

test('the first worker, which began to install on the page before, is no new version', async () => {
  const container = await begin(null);
  container.take(new Worker());
  expect(offered).not.toHaveBeenCalled();
});

test('a worker that follows the first one is, also on the page that began with none', async () => {
  const container = await begin(null);
  container.take(new Worker());
  container.take(new Worker());
  expect(offered).toHaveBeenCalledExactlyOnceWith('update');
});

test('where another window took a new version, it is offered', async () => {
  const container = await begin(new Worker());
  container.take(new Worker());
  expect(offered).toHaveBeenCalledExactlyOnceWith('update');
});
