import type { ReactNode } from 'react';

/** One state of a component. */
type Story = {
  name: string;
  /** A component: it may use hooks. */
  Show: () => ReactNode;
  /** Covers the page (a dialog, an open menu), so it is never shown beside others. */
  alone?: boolean;
};

export type StoryGroup = { title: string; stories: readonly Story[] };

export type FoundStory = { id: string; group: string; story: Story };
