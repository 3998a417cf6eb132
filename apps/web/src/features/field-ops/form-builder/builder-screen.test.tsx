// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { draftId, emptyForm } from '@cairn/core/forms/draft/form-draft.ts';
import type { FormDefinition, FormItem } from '@cairn/core/forms/definition/form-definition.ts';
import type { Json, Row } from '@cairn/schema';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import builder from '../../../shared/i18n/en/builder.json';
import field from '../../../shared/i18n/en/field.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../../shared/session/session.ts';
import { SpaceContext, type Space } from '../../../shared/session/space.ts';
import { BuilderScreen } from './builder-screen.tsx';

const ME = '00000000-0000-4000-8000-000000000003';
const ORG = '00000000-0000-4000-8000-0000000000a1';
const FORM = '00000000-0000-4000-8000-0000000000f1';

beforeAll(async () => {
  await startI18n();
  addTexts('field', field);
  addTexts('builder', builder);
});
afterEach(cleanup);

const asks = (...items: FormItem[]): FormDefinition => ({ ...emptyForm('Ladder check'), items });

/** Building asks nothing of the engine. */
const engine = {} as SyncEngine;
const organization = { id: ORG, name: 'Northfield' } as Row<'organizations'>;

function open(definition: FormDefinition, may: Space['may'] = () => true): Store {
  const store = memoryStore(
    {
      forms: [{ id: FORM, organization_id: ORG, name: 'Ladder check' }],
      form_drafts: [{ id: draftId(FORM), organization_id: ORG, form_id: FORM, definition: definition as Json }],
    },
    ME,
  );
  const space: Space = { userId: ME, organization, playbook: null, world: 'company', may };
  const user = { id: ME, email: 'mara@cairn.test', fullName: 'Mara' };
  render(
    <SignedInContext.Provider value={{ user, engine, verified: false }}>
      <StoreContext.Provider value={store}>
        <SpaceContext.Provider value={space}>
          <BuilderScreen formId={FORM} backLink={<a href="/field/forms">All forms</a>} onClose={() => {}} />
        </SpaceContext.Provider>
      </StoreContext.Provider>
    </SignedInContext.Provider>,
  );
  return store;
}

const draft = async (store: Store): Promise<FormDefinition> => {
  const row = await store.read({ key: 'd', tables: ['form_drafts'], read: tx => tx.get('form_drafts', draftId(FORM)) });
  return row?.definition as unknown as FormDefinition;
};
const kept = async (store: Store): Promise<FormDefinition['items']> => (await draft(store)).items;

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

test('whoever may not manage forms is told so, with the way back', async () => {
  open(asks(), () => false);
  expect(await screen.findByText(builder.notAllowed)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'All forms' })).toBeTruthy();
});

test('a broken formula is said where it stands while it is typed, keeps the form from being published, and its line leads to it', async () => {
  open(asks({ type: 'text', name: 'a', label: 'Which one?' }, { type: 'text', name: 'b', label: 'Why?' }));
  await press(/^Why\?/);
  await press(builder.fold.when);
  await press(builder.condition.write);
  const formula = screen.getByRole('textbox', { name: builder.question.relevant });
  await userEvent.type(formula, '${{nobody} = 1');
  const message = 'This formula does not work at character 1: there is no question "nobody".';
  await waitFor(() => expect(screen.getAllByText(message, { exact: false }).length).toBeGreaterThan(1));
  await press(/^Which one\?/);
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: builder.question.label }).value).toBe('Which one?');
  await userEvent.click(
    within(screen.getByRole('region', { name: '1 problem to fix before publishing' })).getByRole('button'),
  );
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: builder.question.relevant }).value).toBe(
    '${nobody} = 1',
  );
  await press(builder.publish.open);
  const sheet = within(await screen.findByRole('dialog'));
  expect(sheet.getByRole<HTMLButtonElement>('button', { name: builder.publish.open }).disabled).toBe(true);
});

test('the first words of a question give it its short name, and what says the old one follows', async () => {
  const store = open(
    asks(
      { type: 'integer', name: 'question_1' },
      { type: 'text', name: 'b', label: 'Why?', relevant: '${question_1} > 3' },
    ),
  );
  await press(/^question 1/);
  await userEvent.type(screen.getByRole('textbox', { name: builder.question.label }), 'Worn rungs');
  await userEvent.tab();
  await waitFor(async () =>
    expect(await kept(store)).toMatchObject([
      { name: 'worn_rungs', label: 'Worn rungs' },
      { relevant: '${worn_rungs} > 3' },
    ]),
  );
});

test('a follow-up, a set of answers and a copy are kept as the form says them', async () => {
  const store = open(asks({ type: 'pass_fail', name: 'feet', label: 'Feet' }));
  await press(/^Feet/);
  await press(builder.fold.follow);
  await press(builder.follow.add);
  await userEvent.click(screen.getByRole('checkbox', { name: builder.follow.photo }));
  await press(builder.duplicate);
  await waitFor(async () => expect(await kept(store)).toHaveLength(2));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: builder.question.type }), 'select_one');
  await press(builder.choices.add);
  await userEvent.type(screen.getByRole('textbox', { name: builder.choices.answer }), 'Worn out');
  await userEvent.tab();
  await waitFor(async () =>
    expect(await kept(store)).toMatchObject([
      { name: 'feet', on_fail: { photo: 'required', action: true } },
      { name: 'feet_2', type: 'select_one', list: 'answers_1' },
    ]),
  );
  await waitFor(async () =>
    expect(await draft(store)).toMatchObject({ choice_lists: { answers_1: [{ name: 'worn_out' }] } }),
  );
});

test('a draft that is discarded gives way to what was published, and goes on from there', async () => {
  const store = open(asks({ type: 'text', name: 'a', label: 'Which one?' }));
  await press(builder.publish.open);
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: builder.publish.open }));
  await screen.findByText(builder.save.published);
  await press(/^Which one\?/);
  await userEvent.type(screen.getByRole('textbox', { name: builder.question.label }), ' Really');
  await screen.findByText(builder.save.saved);
  await press(builder.more);
  await userEvent.click(await screen.findByRole('menuitem', { name: builder.discard.draft }));
  await userEvent.click(await screen.findByRole('button', { name: builder.discard.draft }));
  await press(/^Which one\?\s*Text/);
  await userEvent.type(screen.getByRole('textbox', { name: builder.question.label }), ' Now');
  await waitFor(async () => expect(await kept(store)).toMatchObject([{ label: 'Which one? Now' }]));
});

test('languages give every text a field for each', async () => {
  const store = open(asks({ type: 'text', name: 'a', label: 'Brakes' }));
  await press(builder.settings);
  await press('English (en)');
  await press('Deutsch (de)');
  await press(/^Brakes/);
  await userEvent.type(screen.getByRole('textbox', { name: `${builder.question.label} (Deutsch (de))` }), 'Bremsen');
  await waitFor(async () =>
    expect(await kept(store)).toMatchObject([{ label: { 'English (en)': 'Brakes', 'Deutsch (de)': 'Bremsen' } }]),
  );
});
