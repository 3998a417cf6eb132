import { useTranslation } from 'react-i18next';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import type { DiffBlock, DiffPart } from '@cairn/core/policies/word-diff.ts';
import { policyFileOf } from '@cairn/core/policies/policy-file.ts';
import { Select } from '@cairn/ui/controls/select.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { PlainText } from './markdown-view.tsx';
import { numberOf } from './policy-labels.ts';
import { useMarkdown } from './use-markdown.ts';
import './policies.css';

type Props = {
  shown: PolicyVersion;
  against: PolicyVersion;
  /** Those it can be compared with, the newest first. */
  others: readonly PolicyVersion[];
  onAgainst: (versionId: string) => void;
};

const NOTHING = { blocks: [], added: 0, removed: 0 };

/** What is different between two versions, word by word; what is the same is folded. */
export function PolicyDiff({ shown, against, others, onAgainst }: Props) {
  const { t } = useTranslation('policies');
  const { t: tFiles } = useTranslation('policyFiles');
  const filed = [shown, against].filter(version => policyFileOf(version) !== null);
  const isMute = filed.some(({ body }) => body.trim() === '');
  const compared = useMarkdown({ kind: 'diff', before: against.body, after: shown.body });
  const { blocks, added, removed } = compared.status === 'ready' ? compared.made : NOTHING;
  return (
    <div className="policy-diff">
      <div className="row between wrap">
        <Select
          label={t('diff.against')}
          choices={others.map(version => ({ value: version.id, label: t('version', { number: numberOf(version) }) }))}
          value={against.id}
          onChange={event => onAgainst(event.target.value)}
        />
        {compared.status === 'ready' && <p className="sm muted num">{t('diff.figures', { added, removed })}</p>}
      </div>
      {filed.length > 0 && <p className="sm muted">{tFiles(isMute ? 'diff.noText' : 'diff.note')}</p>}
      {compared.status === 'waiting' && <SkeletonRows label={t('loading')} rows={6} start={false} />}
      {compared.status === 'plain' && <PlainText words={shown.body} />}
      {!isMute && compared.status === 'ready' && blocks.every(({ op }) => op === 'same') && (
        <p className="muted">{t('diff.none')}</p>
      )}
      {(isMute ? [] : runs(blocks)).map(run =>
        run.op === 'same' ? (
          <details key={run.key} className="policy-same">
            <summary className="sm muted">{t('diff.folded', { count: run.blocks.length })}</summary>
            {run.blocks.map((block, index) => (
              <Block key={index} block={block} />
            ))}
          </details>
        ) : (
          run.blocks.map((block, index) => <Block key={`${run.key}.${index}`} block={block} />)
        ),
      )}
    </div>
  );
}

type Run = { key: number; op: 'same' | 'different'; blocks: DiffBlock[] };

/** Neighbours that are the same, apart from those that are not; a heading that is the same stays in sight. */
function runs(blocks: readonly DiffBlock[]): Run[] {
  const found: Run[] = [];
  for (const [key, block] of blocks.entries()) {
    const op = block.op === 'same' && block.kind !== 'heading' ? 'same' : 'different';
    const last = found.at(-1);
    if (last?.op === op) last.blocks.push(block);
    else found.push({ key, op, blocks: [block] });
  }
  return found;
}

function Block({ block: { kind, parts } }: { block: DiffBlock }) {
  const words = parts.map((part, index) => <Part key={index} part={part} />);
  if (kind === 'heading') return <h2>{words}</h2>;
  return <p className={`policy-${kind}`}>{words}</p>;
}

function Part({ part: { op, text } }: { part: DiffPart }) {
  const { t } = useTranslation('policies');
  if (op === 'same') return <>{text}</>;
  const Tag = op === 'added' ? 'ins' : 'del';
  return (
    <Tag>
      <span className="sr">{t(`diff.${op}`)}: </span>
      {text}
    </Tag>
  );
}
