import { useTranslation } from 'react-i18next';
import type { Choices, MergePart } from '@cairn/core/marketplace/three-way.ts';
import { RadioGroup } from '@cairn/ui/controls/radio-group.tsx';

type Props = { parts: readonly MergePart[]; choices: Choices; onChoose: (choices: Choices) => void };

/** Which conflict, by number, each part is; conflicts are counted from 0. */
const numbered = (parts: readonly MergePart[]) =>
  parts.map((part, index) => ({
    part,
    at: parts.slice(0, index).filter(({ kind }) => kind === 'conflict').length,
  }));

/** A document as three sides have it: what is the same is folded, each change says whose it is, a conflict asks. */
export function MergeView({ parts, choices, onChoose }: Props) {
  const choose = (at: number, value: Choices[number]) => {
    const next = [...choices];
    next[at] = value;
    onChoose(next);
  };
  return (
    <div className="stack market-stack">
      {numbered(parts).map(({ part, at }, index) =>
        part.kind === 'conflict' ? (
          <Conflict key={index} part={part} choice={choices[at] ?? null} onChoose={value => choose(at, value)} />
        ) : (
          <Plain key={index} kind={part.kind} lines={part.lines} />
        ),
      )}
    </div>
  );
}

function Plain({ kind, lines }: Exclude<MergePart, { kind: 'conflict' }>) {
  const { t } = useTranslation('marketplace');
  if (kind === 'same')
    return (
      <details>
        <summary className="sm muted tap">{t('update.same', { count: lines.length })}</summary>
        <Text lines={lines} />
      </details>
    );
  return (
    <div className={`market-${kind}`}>
      <p className="sm strong">{t(`update.${kind}`)}</p>
      <Text lines={lines} />
    </div>
  );
}

function Text({ lines }: { lines: readonly string[] }) {
  const { t } = useTranslation('marketplace');
  const text = lines.join('\n').trim();
  return <p className={text === '' ? 'sm muted' : 'market-line'}>{text === '' ? t('update.cut') : text}</p>;
}

const SIDES = ['yours', 'theirs', 'both'] as const;
type ConflictProps = {
  part: Extract<MergePart, { kind: 'conflict' }>;
  choice: Choices[number] | null;
  onChoose: (choice: Choices[number]) => void;
};

function Conflict({ part, choice, onChoose }: ConflictProps) {
  const { t } = useTranslation('marketplace');
  return (
    <div className="market-conflict">
      <p className="sm strong">{t('update.both')}</p>
      <p className="sm muted">{t('update.before')}</p>
      <Text lines={part.base} />
      <p className="sm muted">{t('update.here')}</p>
      <Text lines={part.yours} />
      <p className="sm muted">{t('update.there2')}</p>
      <Text lines={part.theirs} />
      <RadioGroup
        label={t('update.choose')}
        options={SIDES.map(value => ({ value, label: t(`update.side.${value}`) }))}
        value={choice}
        onChange={value => {
          const side = SIDES.find(each => each === value);
          if (side) onChoose(side);
        }}
      />
    </div>
  );
}
