import { Avatar, AvatarGroup } from '../../src/images/avatar.tsx';
import { Pill, StatusChip } from '../../src/feedback/pill.tsx';
import { BrandMark, StoneArt } from '../../src/feedback/stone.tsx';
import { Trend } from '../../src/data/trend.tsx';
import { SAMPLE_PICTURE } from '../sample-picture.ts';
import type { StoryGroup } from '../story.ts';

const TEAM = ['Sam Rivers', 'Mona Lind', 'Ola Berg', 'Ines Roth', 'Kai Sommer'].map(name => ({ name }));

export const group: StoryGroup = {
  title: 'People and marks',
  stories: [
    {
      name: 'Avatars',
      Show: () => (
        <div className="flow">
          <Avatar name="Sam Rivers" />
          <Avatar name="Mona Lind" size="l" presence={{ state: 'here', label: 'Online now' }} />
          <Avatar name="Ola Berg" size="l" presence={{ state: 'away', label: 'Away' }} />
          <Avatar name="Ines Roth" size="l" src={SAMPLE_PICTURE} presence={{ state: 'gone', label: 'Offline' }} />
          <Avatar name="Kai Sommer" size="xl" />
          <AvatarGroup people={TEAM} label="Sam, Mona, Ola and 2 more" />
        </div>
      ),
    },
    {
      name: 'Pills',
      Show: () => (
        <div className="flow">
          <StatusChip state="done">Done</StatusChip>
          <StatusChip state="due">Due today</StatusChip>
          <StatusChip state="overdue">Overdue</StatusChip>
          <StatusChip state="review">In review</StatusChip>
          <StatusChip state="in_progress">In Bearbeitung</StatusChip>
          <StatusChip state="finding">Finding</StatusChip>
          <Pill>Draft</Pill>
          <Pill tone="line">Manager</Pill>
          <Trend direction="up" meaning="good">
            6 points
          </Trend>
          <Trend direction="down" meaning="bad">
            2 points
          </Trend>
          <Trend direction="flat" meaning="neutral">
            No change
          </Trend>
        </div>
      ),
    },
    {
      name: 'Stones',
      Show: () => (
        <div className="flow">
          <BrandMark />
          <StoneArt />
        </div>
      ),
    },
  ],
};
