import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFitValue, type TextValues } from '@cairn/base/filled-text.ts';
import type { PackVariable } from '@cairn/core/marketplace/pack-contents.ts';
import type { DocumentUpdate } from '@cairn/core/marketplace/pack-update.ts';
import { merged, type Choices } from '@cairn/core/marketplace/three-way.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';
import { MergeView } from './merge-view.tsx';
import type { PackLinks } from './pack-links.ts';
import { useMarketAct } from './use-market.ts';

type UpdateChoice = 'keep' | 'take' | 'add';
type Props = {
  update: DocumentUpdate;
  versionId: string;
  values: TextValues;
  /** Words the new version asks for that were never given. */
  asked: readonly PackVariable[];
} & Pick<PackLinks, 'renderMarkdown'>;

function useDeciding({ update, versionId, values, asked }: Props) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const { kind, key } = update;
  const seen = update.is === 'policy' ? update.seen : null;
  const decide = useCallback(
    (calls: ServerCalls, how: UpdateChoice, body: string | null) =>
      calls.call('take_pack_item', {
        p_organization: organization.id,
        p_version: versionId,
        p_kind: kind,
        p_key: key,
        p_how: how,
        p_body: body,
        p_seen: seen,
        p_variables: values,
      }),
    [organization.id, versionId, kind, key, seen, values],
  );
  const deciding = useMarketAct(decide);
  const isReady = asked.every(variable => isFitValue(values[variable.key] ?? ''));
  const run = async (how: UpdateChoice, body: string | null = null) => {
    if (await deciding.run(how, body)) toast({ title: t(`update.did.${how}`, { title: update.title }) });
  };
  return { ...deciding, run, isReady };
}

/** One document of a later version: what it changes, what was changed here, and the decision on it. */
export function DocumentCard(props: Props) {
  const { t } = useTranslation('marketplace');
  const { update, renderMarkdown } = props;
  const [choices, setChoices] = useState<Choices>([]);
  const { run, busy, problem, isReady } = useDeciding(props);
  const conflicts = update.is === 'policy' ? update.parts.filter(({ kind }) => kind === 'conflict').length : 0;
  const isDecided = choices.filter(Boolean).length >= conflicts;
  const body = update.is === 'policy' ? merged(update.parts, choices) : null;
  const take = TAKES[update.is];
  return (
    <Card label={update.title}>
      <div className="stack market-stack">
        <div className="row wrap">
          <h2 className="h2">{update.title}</h2>
          <Pill>{t(`kinds.${update.kind}`)}</Pill>
        </div>
        <p className="sm muted">{t(`update.is.${update.is}`)}</p>
        {update.is === 'policy' && (
          <>
            <MergeView parts={update.parts} choices={choices} onChoose={setChoices} />
            {isDecided && body !== null && (
              <details>
                <summary className="tap">{t('update.result')}</summary>
                {renderMarkdown(body)}
              </details>
            )}
          </>
        )}
        {!isReady && <Banner title={t('update.wordsFirst')} />}
        {problem && <Banner tone="bad" title={problem} />}
        <div className="row wrap">
          {take && (
            <Button
              variant="primary"
              busy={busy}
              disabled={!isReady || !isDecided}
              onClick={() => void run(take, body)}
            >
              {t(`update.act.${take}`)}
            </Button>
          )}
          {update.is !== 'new' && (
            <Button busy={busy} disabled={!isReady} onClick={() => void run('keep')}>
              {t(take ? 'update.act.keep' : 'update.act.seen')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}

/** What can be done besides keeping what stands here. */
const TAKES = {
  new: 'add',
  policy: 'take',
  form: 'take',
  unchanged: null,
  left_out: null,
  gone: null,
  task: null,
} as const satisfies Record<DocumentUpdate['is'], UpdateChoice | null>;
