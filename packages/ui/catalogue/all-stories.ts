import { group as buttons } from './stories/buttons.stories.tsx';
import { group as choices } from './stories/choices.stories.tsx';
import { group as data } from './stories/data.stories.tsx';
import { group as dates } from './stories/dates.stories.tsx';
import { group as feedback } from './stories/feedback.stories.tsx';
import { group as fields } from './stories/fields.stories.tsx';
import { group as loading } from './stories/loading.stories.tsx';
import { group as moving } from './stories/moving.stories.tsx';
import { group as overlays } from './stories/overlays.stories.tsx';
import { group as people } from './stories/people.stories.tsx';
import { group as structure } from './stories/structure.stories.tsx';
import { group as tokens } from './stories/tokens.stories.tsx';
import type { FoundStory, StoryGroup } from './story.ts';

const groups: readonly StoryGroup[] = [
  buttons,
  choices,
  data,
  dates,
  feedback,
  fields,
  loading,
  moving,
  overlays,
  people,
  structure,
  tokens,
];

/** Every story, in the order of the groups' names. `id` is its address: "Buttons/Looks". */
export const allStories: readonly FoundStory[] = groups
  .toSorted((a, b) => a.title.localeCompare(b.title))
  .flatMap(group => group.stories.map(story => ({ id: `${group.title}/${story.name}`, group: group.title, story })));
