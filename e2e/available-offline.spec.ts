import { expect, test } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { DESKTOP, Phone } from './rig/phone.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;

test.beforeEach(async () => {
  server = await ServerProcess.start();
});
test.afterEach(() => server.stop());

test("a playbook made available offline: a colleague's photo that was never opened here shows without signal", async () => {
  const worker = new FieldWorker(await Phone.open(), server.url);
  const desk = new FieldWorker(await Phone.open(DESKTOP), server.url);
  const { page } = desk;
  try {
    await signIn(page, server.url, 'manager');
    await desk.prepareForNoSignal();
    await signIn(worker.page, server.url, 'worker');
    const id = await worker.openTodaysCheck();
    await worker.answerAll();
    await worker.signAndFinish();
    // A page that is left while its photo goes up asks for the rest in vain, and the browser says so.
    await expect.poll(() => worker.pendingOnPhone()).toBe(0);

    await desk.open('/sync');
    const playbook = page.getByRole('region', { name: 'Make available offline' });
    await expect(playbook).toContainText('150 kB');
    await playbook.getByRole('switch', { name: 'Daily operations' }).click();
    await expect(playbook).toContainText('is here, 150 kB');
    await desk.phone.screenshot('kept');

    await desk.phone.goOffline();
    await desk.open(`/field/${id}`);
    const photo = page.getByRole('main').locator('img').first();
    await expect.poll(() => photo.evaluate(each => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    expect([...worker.phone.console, ...desk.phone.console]).toEqual([]);
  } finally {
    await worker.phone.screenshot('worker');
    await desk.phone.screenshot('desk');
    await worker.phone.close();
    await desk.phone.close();
  }
});
