import type { Page } from '@playwright/test';
import type { ServerFacts } from '../rig/server-facts.ts';

/** German from the first paint on: as this browser's own choice, and as the preference of everybody in the demo data. */
export async function speakGerman(page: Page, facts: ServerFacts, url: string): Promise<void> {
  for (const { id } of await facts.rows('profiles', 'select=id')) await facts.prefer(id, { language: 'de' });
  await page.goto(`${url}/auth`);
  await page.evaluate(() => {
    const state = JSON.parse(localStorage.getItem('cairn.appState') ?? '{}') as { systemSettings?: object };
    const systemSettings = { ...state.systemSettings, language: 'de' };
    localStorage.setItem('cairn.appState', JSON.stringify({ ...state, systemSettings }));
  });
}
