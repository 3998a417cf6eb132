import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { ServerProcess } from '../rig/server-process.ts';

export const PASSWORD = 'cairn-first-run-1';

/** A fresh account, made the way an administrator makes one, with e.g. `{ email_confirm: false }`; answers its address. */
export async function newAccount(server: ServerProcess, name: string, fields: object = {}): Promise<string> {
  const { secretKey } = JSON.parse(readFileSync(join(server.data, 'secrets.json'), 'utf8')) as { secretKey: string };
  const email = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.test`;
  const answer = await fetch(`${server.url}/auth/v1/admin/users`, {
    method: 'POST',
    headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      email,
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { full_name: `${name} Newcomer` },
      ...fields,
    }),
  });
  if (!answer.ok) throw new Error(`new account: ${answer.status} ${await answer.text()}`);
  return email;
}

/** Signs in with a fresh account at `/`, and answers once a first screen stands. */
export async function arrive(page: Page, server: ServerProcess, email: string): Promise<void> {
  await page.goto(`${server.url}/`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/(welcome|dashboard)/);
}
