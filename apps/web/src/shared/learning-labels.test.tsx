// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { modules } from './i18n/en/modules.ts';
import { addTexts, startI18n } from './i18n/start-i18n.ts';
import { useLearningContext } from './learning-labels.ts';
import { SpaceContext, type Space } from './space.ts';

beforeAll(async () => {
  await startI18n();
  addTexts('modules', modules);
});
afterEach(cleanup);

const space = (world: Space['world']) => ({ world, playbook: null }) as unknown as Space;

function Headings() {
  const { programs, awards, isCertified } = useLearningContext();
  return <p>{`${programs}, ${awards}, ${isCertified}`}</p>;
}

test('R4.36 switching the playbook changes the headings of learning and its steps', () => {
  const shown = (world: Space['world']) => (
    <SpaceContext.Provider value={space(world)}>
      <Headings />
    </SpaceContext.Provider>
  );
  const { rerender } = render(shown('company'));
  expect(screen.getByText('Training Programs, Certifications, true')).toBeDefined();
  rerender(shown('personal'));
  expect(screen.getByText('Learning Journey, Achievements, false')).toBeDefined();
});
