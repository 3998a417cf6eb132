import { ACCENTS } from '../../src/tokens/look.ts';
import type { StoryGroup } from '../story.ts';

const COLOURS = (
  'surface surface-raised surface-sunken fill line line-strong text-muted text accent accent-soft good warn bad info ' +
  'focus chart-1 chart-2 chart-3 chart-4 chart-5 mood-1 mood-2 mood-3 mood-4 mood-5'
).split(' ');
const SIZES = ['4xl', '3xl', '2xl', 'xl', 'lg', 'md', 'sm', 'xs'];

export const group: StoryGroup = {
  title: 'Tokens',
  stories: [
    {
      name: 'Colours',
      Show: () => (
        <div className="swatches">
          {COLOURS.map(name => (
            <span key={name}>
              <i style={{ background: `var(--${name})` }} />
              {name}
            </span>
          ))}
        </div>
      ),
    },
    {
      name: 'Type',
      Show: () => (
        <div className="stack">
          {SIZES.map(size => (
            <p key={size} style={{ fontSize: `var(--t-${size})`, lineHeight: 'var(--lh-snug)' }}>
              {size} Every step is kept
            </p>
          ))}
        </div>
      ),
    },
    {
      name: 'Accents',
      Show: () => (
        <div className="swatches">
          {ACCENTS.map(accent => (
            // A preview carries its tone beside its accent: a token is worked out where both stand.
            <span key={accent} data-tone="company" data-accent={accent}>
              <i style={{ background: 'var(--accent)' }} />
              {accent}
            </span>
          ))}
        </div>
      ),
    },
  ],
};
