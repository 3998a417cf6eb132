// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastEvent, toasts } from '@cairn/ui/feedback/toast.ts';
import { offerUpdates } from './offer-updates.ts';

class Worker extends EventTarget {
  readonly scriptURL = new URL('/sw.js', location.href).href;
  readonly postMessage = () => undefined;
}

/** What a page sees of its worker, and one that takes it over. */
class Container extends EventTarget {
  controller: Worker | null;
  /** How often the server was asked for a newer one. */
  asked = 0;
  readonly registration: EventTarget & Record<'installing' | 'waiting' | 'active', Worker | null>;

  constructor(controller: Worker | null, installing: Worker | null) {
    super();
    this.controller = controller;
    this.registration = Object.assign(new EventTarget(), {
      installing,
      waiting: null,
      active: controller,
      update: () => Promise.resolve(void (this.asked += 1)),
    });
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
async function begin(controller: Worker | null, installing: Worker | null = null): Promise<Container> {
  const container = new Container(controller, installing);
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker: container }));
  await offerUpdates();
  return container;
}

test('a page that has the app asks for a newer one as it begins, and one that installs it now has nothing to ask', async () => {
  expect((await begin(new Worker())).asked).toBe(1);
  expect((await begin(null)).asked).toBe(0);
});

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

test.each([
  ['that follows another is offered once it waits', new Worker(), 1],
  ['that is the first of all is no new version', null, 0],
])('a worker that began to install before the page asked, and %s', async (_, active, times) => {
  const installing = new Worker();
  const { registration } = await begin(active, installing);
  installing.dispatchEvent(new Event('statechange'));
  expect(offered).not.toHaveBeenCalled();
  Object.assign(registration, { waiting: installing, installing: null });
  installing.dispatchEvent(new Event('statechange'));
  expect(offered).toHaveBeenCalledTimes(times);
});
