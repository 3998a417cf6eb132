import { Bell, Check, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { CountBadge } from '../../src/feedback/badge.tsx';
import { Button, IconButton } from '../../src/controls/button.tsx';
import { Kbd } from '../../src/data/kbd.tsx';
import { TextLink } from '../../src/controls/text-link.tsx';
import { Tooltip } from '../../src/overlays/tooltip.tsx';
import type { StoryGroup } from '../story.ts';

export const group: StoryGroup = {
  title: 'Buttons',
  stories: [
    {
      name: 'Looks',
      Show: () => (
        <div className="flow">
          <Button variant="primary">Start inspection</Button>
          <Button>Quiet</Button>
          <Button variant="plain">Plain</Button>
          <Button variant="danger" icon={Trash2}>
            Delete draft
          </Button>
          <Button variant="danger-quiet">Remove</Button>
        </div>
      ),
    },
    {
      name: 'Sizes and states',
      Show: () => (
        <div className="flow">
          <Button variant="primary" size="sm" icon={Plus}>
            New
          </Button>
          <Button variant="primary" size="lg">
            Finish
          </Button>
          <Button variant="primary" busy busyText="Saving">
            Save
          </Button>
          <Button variant="primary" disabled>
            Disabled
          </Button>
          <Button disabled>Disabled</Button>
          <Button variant="plain" disabled>
            Disabled
          </Button>
        </div>
      ),
    },
    {
      name: 'Long German words',
      Show: () => (
        <Button variant="primary" block icon={Check}>
          Arbeitsschutzunterweisung zur Kenntnis genommen und verstanden
        </Button>
      ),
    },
    {
      name: 'Icon buttons',
      Show: () => (
        <div className="flow">
          <IconButton label="More" icon={Ellipsis} />
          <button type="button" className="icon-btn" aria-label="Notifications, 3 new">
            <Bell className="i" aria-hidden="true" />
            <CountBadge count={3} tone="bad" />
          </button>
          <CountBadge count={7} tone="neutral" />
          <CountBadge count={240} />
          <IconButton label="More" icon={Ellipsis} disabled />
        </div>
      ),
    },
    {
      name: 'Links and keys',
      Show: () => (
        <div className="flow">
          <TextLink href="#receipt">Open receipt</TextLink>
          <TextLink href="https://example.org/rules" outside="opens in a new tab">
            The rule itself
          </TextLink>
          <Kbd keys={['Ctrl', 'K']} />
        </div>
      ),
    },
    {
      name: 'Tooltip',
      alone: true,
      Show: () => (
        <div style={{ padding: 80 }}>
          <Tooltip text="New inspection" keys={['N']} open>
            <Button icon={Plus}>New</Button>
          </Tooltip>
        </div>
      ),
    },
  ],
};
