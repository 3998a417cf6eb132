import { expect, test, type Page } from '@playwright/test';
import { FieldWorker, signIn } from './people/field-worker.ts';
import { expectAccessible } from './rig/axe.ts';
import { DESKTOP, Phone, type Screen } from './rig/phone.ts';
import { ServerFacts } from './rig/server-facts.ts';
import { ServerProcess } from './rig/server-process.ts';

let server: ServerProcess;
let phones: Phone[];

test.beforeEach(async () => {
  server = await ServerProcess.start();
  phones = [];
});

test.afterEach(async () => {
  await Promise.all(phones.map(phone => phone.close()));
  await server.stop();
});

async function open(who: 'worker' | 'admin' | 'person', screen?: Screen): Promise<Phone> {
  const phone = await Phone.open(screen, { keepsApp: who === 'worker' });
  phones.push(phone);
  await signIn(phone.page, server.url, who);
  return phone;
}

const goTo = (page: Page, path: string) => page.goto(`${server.url}${path}`);
const make = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'New playbook' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create playbook' }).click();
};

test('R8.15 R8.12 a playbook is made, its name is taken, it is archived and brought back', async () => {
  const { page } = await open('admin', DESKTOP);
  await goTo(page, '/playbooks');
  await make(page, 'Night shift');
  await expect(page.getByText('Playbook created successfully!')).toBeVisible();
  await goTo(page, '/playbooks');
  await expect(page.getByRole('button', { name: /Night shift/ }).last()).toBeVisible();
  await make(page, 'Night shift');
  await expect(
    page.getByText('A playbook with this name already exists. Please choose a different name.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await expectAccessible(page, 'playbooks');
  await page
    .getByRole('main')
    .getByRole('button', { name: /Night shift/ })
    .click();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Archived' })).toContainText('Night shift');
  await page
    .getByRole('list', { name: 'Archived' })
    .getByRole('button', { name: /Night shift/ })
    .click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('list', { name: 'Archived' })).toBeHidden();
});

test('R8.13 R8.14 who may not make playbooks is told so; without an answer it says to try again', async () => {
  const phone = await open('worker');
  const { page } = phone;
  const facts = new ServerFacts(server);
  const [rule] = await facts.rows(
    'role_permissions',
    'role_kind=eq.organization&role=eq.member&permission=eq.playbook.create',
  );
  await goTo(page, '/playbooks');
  await expect(page.getByRole('button', { name: 'New playbook' })).toBeVisible();
  await phone.goOffline();
  await make(page, 'Early shift');
  await expect(page.getByText('Failed to create playbook. Please try again.')).toBeVisible();
  await phone.goOnline();
  await facts.change('role_permissions', rule?.id ?? '', { deleted_at: new Date().toISOString() });
  await page.getByRole('button', { name: 'Create playbook' }).click();
  await expect(
    page.getByText("You don't have permission to create playbooks. Please contact your administrator."),
  ).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Early shift');
});

test('an invitation is made as a link and by mail, renewed and taken back; the link shows once', async () => {
  const phone = await open('admin', DESKTOP);
  const { page } = phone;
  await goTo(page, '/members');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = page.getByLabel('Link', { exact: true });
  await expect(link).toContainText('invitation_token=');
  const first = await link.innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('Email').fill('new.colleague@example.test');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText(/^We emailed it to new\.colleague@example\.test\./)).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  const mail = await (await fetch(`${server.url}/dev/mail`)).text();
  expect(mail).toContain('new.colleague@example.test');

  await page.getByRole('tab', { name: 'Invitations' }).click();
  const byLink = page.getByRole('listitem').filter({ hasText: 'By link' });
  await byLink.getByRole('button', { name: 'Renew' }).click();
  await expect(link).toContainText('invitation_token=');
  expect(await link.innerText()).not.toBe(first);
  await page.getByRole('button', { name: 'Done' }).click();
  await byLink.getByRole('button', { name: 'Revoke' }).click();
  await expect(byLink).toBeHidden();
  await expectAccessible(page, 'invitations');
  await phone.screenshot('invitations');
  expect(phone.console).toEqual([]);
});

test('somebody removed while offline: their work waits in the review queue and is accepted in their name', async () => {
  const worker = await open('worker');
  const hand = new FieldWorker(worker, server.url);
  await hand.prepareForNoSignal();
  await goTo(worker.page, '/action-items');
  await worker.goOffline();
  await worker.page.getByRole('button', { name: 'New corrective action' }).click();
  await worker.page.getByLabel('Title').fill('Seen behind the hill');
  await worker.page.getByRole('button', { name: 'Create corrective action' }).click();
  await expect(worker.page.getByRole('heading', { name: 'Seen behind the hill' })).toBeVisible();

  const admin = await open('admin', DESKTOP);
  const { page } = admin;
  await goTo(page, '/members');
  await expect(page.getByRole('button', { name: /Sam Worker/ })).toBeVisible();
  await expectAccessible(page, 'members');
  await admin.screenshot('members');
  await page.getByRole('button', { name: /Sam Worker/ }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Member removed')).toBeVisible();
  const facts = new ServerFacts(server);
  await expect
    .poll(async () => (await facts.rows('organization_members', 'deleted_at=not.is.null')).length)
    .toBeGreaterThan(0);

  await worker.goOnline();
  await page.getByRole('tab', { name: 'Unsent work' }).click();
  const thing = page.getByRole('listitem').filter({ hasText: 'Seen behind the hill' });
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.getByRole('tab', { name: 'Unsent work' }).click();
        await page.getByText(/^Changes that removed members made offline/).waitFor();
        await expect(page.getByText('Loading').first()).toBeHidden();
        return thing.count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  await admin.screenshot('review-queue');
  await thing.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('No unsent work')).toBeVisible();
  const [made] = await facts.rows('action_items', 'title=eq.Seen behind the hill');
  const [sam] = await facts.rows('profiles', 'email=eq.worker@demo.cairn.test');
  expect(made?.['created_by']).toBe(sam?.id);
  expect(admin.console).toEqual([]);
});

test('the plan and the organisation stand on both widths, with nothing for axe to find', async () => {
  for (const [name, screen] of [
    ['phone', { width: 390, height: 844 }],
    ['desk', DESKTOP],
  ] as const) {
    const phone = await open('admin', screen);
    for (const path of ['plan', 'organization', 'playbooks', 'members']) {
      await goTo(phone.page, `/${path}`);
      await expect(phone.page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(phone.page.getByText('Loading')).toHaveCount(0);
      await expectAccessible(phone.page, `${path} on a ${name}`);
      await phone.screenshot(`${path}-${name}`);
    }
    expect(phone.console).toEqual([]);
  }
});
