// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { defaultPreferences, notificationSettings } from '@cairn/core/preferences/preferences.ts';
import { storedPreferences } from '@cairn/core/preferences/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { failingWrite } from '@cairn/testing/failing-write.ts';
import { indexedStore } from '@cairn/testing/indexed-store.ts';
import { AuthRefused, type ReachAuth } from '../../shared/auth/auth-flows.ts';
import authSteps from '../../shared/i18n/en/auth-steps.json';
import failure from '../../shared/i18n/en/failure.json';
import texts from '../../shared/i18n/en/settings.json';
import { browserLocale, showPreferences } from '../../shared/session/preferences.ts';
import { heardToasts, inEnglish, inGerman, ME, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { AccountSection } from './account-section.tsx';
import { RemoveAccount, type RemoveProps } from './remove-account.tsx';
import { SettingsContext } from './settings-context.ts';
import { SettingsScreen } from './settings-screen.tsx';
import { TextMessages } from './text-messages.tsx';

const heard = heardToasts();

const everyZone = Intl.supportedValuesOf;
beforeAll(async () => {
  await inEnglish('settings', 'authSteps', 'failure', 'shell');
  // A list of four hundred zones makes every look at the page slow, and says no more than two.
  Intl.supportedValuesOf = () => ['Europe/Berlin', 'Pacific/Auckland'];
  // jsdom has none.
  Object.assign(globalThis, { matchMedia: () => Object.assign(new EventTarget(), { matches: false }) });
});
afterEach(cleanup);
afterAll(() => {
  showPreferences({ ...defaultPreferences(ME), ...browserLocale() });
  Intl.supportedValuesOf = everyZone;
  Reflect.deleteProperty(globalThis, 'matchMedia');
});

const device = (chosen: Partial<Row<'user_preferences'>> = {}) =>
  indexedStore({ user_preferences: [{ id: ME, user_id: ME, theme_mode: 'light', ...chosen }] });
async function show(store: Store, texts?: ReachAuth) {
  showSignedIn(
    <SettingsScreen title="Preferences" texts={texts && <TextMessages flows={texts} />} account={<p>account</p>} />,
    { store },
  );
  await screen.findByRole('heading', { level: 1, name: 'Preferences' });
}
const kept = async (store: Store) => store.read(storedPreferences(ME));
const lookFor = (words: string, label: string = texts.search) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: words } });

test('a search leaves what has the word in its label, hint or choices, however it is written', async () => {
  await show(await device({ quiet_hours_enabled: true }));
  const shown = () => screen.getAllByText(/./, { selector: '.setting label, .setting legend, .setting .label' });
  lookFor('  extra LARGE ');
  expect(screen.getByRole('radio', { name: texts.look.sizes['extra-large'] })).toBeTruthy();
  expect(screen.queryByRole('switch')).toBeNull();
  lookFor('quiet hours');
  expect(screen.getByLabelText(texts.messages.from)).toBeTruthy();
  expect(screen.queryByLabelText(texts.messages.at)).toBeNull();
  lookFor('zebra');
  expect(document.querySelector('.setting')).toBeNull();
  lookFor('');
  expect(shown().length).toBeGreaterThan(15);
});

test('a choice the device cannot keep is taken back with why; it neither says Saved nor stays on the screen', async () => {
  await show(failingWrite(await device({ theme_mode: 'light' }), 'storage_full'));
  await userEvent.click(screen.getByRole('radio', { name: texts.look.themes.dark }));
  await screen.findByText(failure.storage_full);
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('light'));
  expect(screen.getByRole<HTMLInputElement>('radio', { name: texts.look.themes.light }).checked).toBe(true);
  expect(heard).toEqual([]);
});

test('two choices of one list made right after each other are both kept, and undo takes back its own', async () => {
  const store = await device();
  await show(store);
  fireEvent.click(screen.getByRole('switch', { name: texts.messages.mailOn }));
  fireEvent.click(screen.getByRole('switch', { name: texts.messages.deadlines }));
  await waitFor(() => expect(heard).toHaveLength(2));
  const present = await kept(store);
  if (!present) throw new Error('nothing kept');
  expect(notificationSettings(present)).toEqual({
    email_enabled: false,
    task_deadlines: false,
    push_enabled: true,
    wellness_reminders: true,
  });
  await userEvent.click(screen.getByRole('switch', { name: texts.privacy.usage }));
  await waitFor(async () => expect((await kept(store))?.usage_analytics).toBe(false));
  await waitFor(() => expect(heard).toHaveLength(3));
  heard[2]?.action?.onPress();
  await waitFor(async () => expect((await kept(store))?.usage_analytics).toBe(true));
});

test('a time that is not whole says what is missing and is not saved; a whole one is, once it is left', async () => {
  const store = await device({ notification_time: '09:00' });
  await show(store);
  const at = screen.getByLabelText<HTMLInputElement>(texts.messages.at);
  fireEvent.change(at, { target: { value: '' } });
  fireEvent.blur(at);
  expect(screen.getByText(texts.messages.time)).toBeTruthy();
  expect((await kept(store))?.notification_time).toBe('09:00');
  fireEvent.change(at, { target: { value: '07:30' } });
  expect(screen.queryByText(texts.messages.time)).toBeNull();
  expect((await kept(store))?.notification_time).toBe('09:00');
  fireEvent.blur(at);
  await waitFor(async () => expect((await kept(store))?.notification_time).toBe('07:30'));
  await waitFor(() => expect(heard).toHaveLength(1));
  fireEvent.change(at, { target: { value: '07:30' } });
  fireEvent.blur(at);
  expect(heard).toHaveLength(1);
});

test('quiet hours have times while they are on', async () => {
  await show(await device({ quiet_hours_enabled: false }));
  expect(screen.queryByLabelText(texts.messages.from)).toBeNull();
  await userEvent.click(screen.getByRole('switch', { name: texts.messages.quiet }));
  await screen.findByLabelText(texts.messages.from);
  await userEvent.click(screen.getByRole('switch', { name: texts.messages.quiet }));
  await waitFor(() => expect(screen.queryByLabelText(texts.messages.from)).toBeNull());
});

test('what another version or device chose beyond what is offered here stands as it is', async () => {
  const store = await device({ storage_limit_mb: 777, timezone: 'Mars/Olympus_Mons', photo_size: 'small' });
  await show(store);
  expect(screen.getByLabelText<HTMLSelectElement>(texts.storage.limit).value).toBe('777');
  expect(screen.getByRole<HTMLOptionElement>('option', { name: 'Mars/Olympus Mons' }).selected).toBe(true);
  await userEvent.selectOptions(screen.getByLabelText(texts.storage.limit), 'all');
  await waitFor(async () => expect((await kept(store))?.storage_limit_mb).toBeNull());
});

test('in German every choice is found by its German word', async () => {
  await inGerman(async () => {
    showSignedIn(<SettingsScreen title="Einstellungen" account={null} />, {
      store: await device({ language: 'de', locale_chosen: true }),
    });
    await screen.findByRole('heading', { level: 1 });
    lookFor('dunkel', 'Einstellungen suchen');
    expect(screen.getByRole('radio', { name: 'Dunkel' })).toBeTruthy();
    expect(screen.queryByRole('switch')).toBeNull();
    cleanup();
  });
});

describe('messages by text', () => {
  /** A service of texts: the number on record, and what it refuses. */
  function service({ sends = true, phone = null as string | null, refuses = '' } = {}) {
    const asked: string[] = [];
    const refuse = (step: string) => {
      if (refuses === step) throw new AuthRefused({ kind: 'wrong_code' });
    };
    const ways = {
      sendsTexts: async () => sends,
      ownPhone: async () => phone,
      changePhone: async (to: string) => void asked.push(`change ${to}`),
      confirmPhone: async (to: string, code: string) => {
        asked.push(`confirm ${to} ${code}`);
        if (code === '000000') refuse('confirm');
      },
    };
    return { asked, flows: (async () => ways) as unknown as ReachAuth };
  }
  const on = () => device({ text_notifications: true });

  test('are not offered where the server sends none, or cannot be asked', async () => {
    await show(await on(), service({ sends: false }).flows);
    cleanup();
    await show(await on(), () => Promise.reject(new Failure('offline', 'no network')));
    expect(screen.queryByRole('switch', { name: texts.messages.text })).toBeNull();
  });

  test('go to a number that is known; nothing asks for another', async () => {
    await show(await on(), service({ phone: '+4915123456789' }).flows);
    await screen.findByText(texts.messages.textTo.replace('{{phone}}', '+4915123456789'));
    expect(screen.queryByLabelText(texts.messages.number)).toBeNull();
  });

  test('a number without a country code is refused before anything is sent, and stays as typed', async () => {
    const { asked, flows } = service();
    await show(await on(), flows);
    await userEvent.type(await screen.findByLabelText(texts.messages.number), '0151 23456789');
    await userEvent.click(screen.getByRole('button', { name: texts.messages.sendCode }));
    await screen.findByText(authSteps.refused.bad_phone);
    expect(screen.getByLabelText<HTMLInputElement>(texts.messages.number).value).toBe('0151 23456789');
    expect(asked).toEqual([]);
  });

  test('a number is theirs once its code came back: a wrong one is refused, another number needs another code', async () => {
    const { asked, flows } = service({ refuses: 'confirm' });
    await show(await on(), flows);
    await userEvent.type(await screen.findByLabelText(texts.messages.number), '0049 151/23456789');
    await userEvent.click(screen.getByRole('button', { name: texts.messages.sendCode }));
    await userEvent.type(await screen.findByLabelText(texts.messages.code), '000000');
    await userEvent.click(screen.getByRole('button', { name: texts.messages.confirm }));
    await screen.findByText(authSteps.refused.wrong_code);
    await userEvent.type(screen.getByLabelText(texts.messages.number), '0');
    expect(screen.queryByLabelText(texts.messages.code)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: texts.messages.sendCode }));
    await userEvent.clear(await screen.findByLabelText(texts.messages.code));
    await userEvent.type(screen.getByLabelText(texts.messages.code), '123456');
    await userEvent.click(screen.getByRole('button', { name: texts.messages.confirm }));
    await screen.findByText(texts.messages.textTo.replace('{{phone}}', '+49151234567890'));
    expect(asked).toEqual([
      'change +4915123456789',
      'confirm +4915123456789 000000',
      'change +49151234567890',
      'confirm +49151234567890 123456',
    ]);
  });
});

const scope = { preferences: defaultPreferences(ME), save: () => undefined, wanted: '' };
type Download = (onProgress: (progress: { done: number; size: number }) => void, signal: AbortSignal) => Promise<Blob>;
async function account(
  download: Download,
  {
    isOnline = true,
    remove = async () => null,
    unsent = 0,
  }: { isOnline?: boolean; remove?: RemoveProps['remove']; unsent?: number } = {},
) {
  showSignedIn(
    <SettingsContext.Provider value={scope}>
      <AccountSection profileLink={null} download={download} remove={remove} pendingCount={unsent} />
    </SettingsContext.Provider>,
    { store: await indexedStore(), isOnline },
  );
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('what is one’s own', () => {
  test('needs a connection to be exported or ended, and says so at both', async () => {
    await account(() => Promise.reject(new Error('never asked')), { isOnline: false });
    await waitFor(() => expect(screen.getAllByText(texts.account.offline)).toHaveLength(2));
    for (const name of [texts.account.export, texts.account.delete])
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  });

  test('is exported with its progress, and a stop is no failure', async () => {
    await account((onProgress, signal) => {
      onProgress({ done: 1_500_000, size: 3_000_000 });
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    await press(texts.account.export);
    await screen.findByText('1.5 MB of 3 MB');
    await press(texts.account.exportCancel);
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(heard).toEqual([]);
  });

  test('that did not arrive whole is not saved, said so, and tried again', async () => {
    let tries = 0;
    const saved: unknown[] = [];
    Object.assign(URL, {
      createObjectURL: (blob: unknown) => `blob:${saved.push(blob)}`,
      revokeObjectURL: () => undefined,
    });
    HTMLAnchorElement.prototype.click = () => undefined;
    await account(async () => {
      tries += 1;
      if (tries === 1) throw new Failure('offline', 'half of it');
      return new Blob(['zip']);
    });
    await press(texts.account.export);
    expect((await screen.findByRole('alert')).textContent).toBe(texts.account.exportFailed);
    expect(saved).toEqual([]);
    await press(texts.account.export);
    await waitFor(() => expect(heard.map(({ title }) => title)).toEqual([texts.account.exported]));
    expect(saved).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBeNull();
    Reflect.deleteProperty(HTMLAnchorElement.prototype, 'click');
  });

  test('is exported first from the question whether to end it, which closes', async () => {
    let asked = 0;
    await account(() => {
      asked += 1;
      return new Promise(() => undefined);
    });
    await press(texts.account.delete);
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: texts.remove.exportFirst }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked).toBe(1);
  });
});

describe('an account', () => {
  async function ask(remove: RemoveProps['remove'], unsent = 0) {
    showSignedIn(
      <RemoveAccount remove={remove} pendingCount={unsent} onExport={() => undefined} onClose={() => undefined} />,
      {
        store: await indexedStore(),
      },
    );
    await screen.findByRole('dialog');
  }
  const word = () => screen.getByLabelText('Type DELETE to confirm');
  const password = () => screen.getByLabelText<HTMLInputElement>(texts.remove.password);
  const yes = () => screen.getByRole<HTMLButtonElement>('button', { name: texts.remove.yes });

  test('ends with the word and the password together, never by Enter with one of them; what was not sent is counted', async () => {
    const given: string[] = [];
    await ask(async typed => {
      given.push(typed);
      return null;
    }, 2);
    expect(
      screen.getByText('2 items on this device have not been sent. They will be deleted with your account.'),
    ).toBeTruthy();
    await userEvent.type(word(), 'DELET{Enter}');
    await userEvent.type(password(), 'secret{Enter}');
    expect([yes().disabled, given]).toEqual([true, []]);
    await userEvent.type(word(), 'e');
    expect(yes().disabled).toBe(false);
    await userEvent.type(password(), '{Enter}');
    await waitFor(() => expect(given).toEqual(['secret']));
  });

  test.each([
    ['wrong_password', texts.remove.wrong_password],
    ['too_many', texts.remove.too_many],
    ['last_admin', 'You are the only administrator of Northfield. Make someone else an administrator first.'],
  ] as const)('that the server does not end (%s) says why, and what was typed stays', async (code, words) => {
    await ask(async () => ({ code, names: 'Northfield' }));
    await userEvent.type(word(), 'delete');
    await userEvent.type(password(), 'secret');
    await userEvent.click(yes());
    await screen.findByText(words);
    expect(password().value).toBe('secret');
  });

  test('that no answer came about is still there, and says so; in German by the German word', async () => {
    await ask(() => Promise.reject(new Failure('offline', 'no network')));
    await userEvent.type(word(), 'delete');
    await userEvent.type(password(), 'secret');
    await userEvent.click(yes());
    await screen.findByText(texts.remove.failed);
    cleanup();
    await inGerman(async () => {
      await ask(async () => null);
      await userEvent.type(screen.getByLabelText(/LÖSCHEN/), 'löschen');
      await userEvent.type(screen.getByLabelText('Dein Passwort'), 'geheim');
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Endgültig löschen' }).disabled).toBe(false);
      cleanup();
    });
  });
});
