import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { PackItem } from '@cairn/core/marketplace/pack-update.ts';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { MakePack } from '../../features/marketplace/make-pack.tsx';
import { MarketplaceScreen } from '../../features/marketplace/marketplace-screen.tsx';
import { PackActions } from '../../features/marketplace/pack-actions.tsx';
import { PackScreen } from '../../features/marketplace/pack-screen.tsx';
import { UpdateScreen } from '../../features/marketplace/update-screen.tsx';
import { WriteScreen } from '../../features/marketplace/write-screen.tsx';
import { MarkdownView } from '../../features/policies/document/markdown-view.tsx';
import { TextEditor } from '../../features/policies/authoring/text-editor.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';
import { useSwitcher } from '../space/space-provider.tsx';

// The field for a text is the one policies are written in.
export const texts = loadTexts('marketplace', 'policies', 'policyAuthoring');

const renderMarkdown = (markdown: string) => <MarkdownView markdown={markdown} level={3} />;

export function MarketplaceRoute() {
  const navigate = useNavigate();
  return (
    <MarketplaceScreen
      title={useModuleLabel('policy-marketplace')}
      mayReview={useSwitcher().mayAnywhere('platform.moderate')}
      renderPack={(packId, face) => (
        <Link to="/policy-marketplace/$packId" params={{ packId }} className={rowClass}>
          {face}
        </Link>
      )}
      renderWrite={(packId, face) => (
        <Link to="/policy-marketplace/$packId/edit" params={{ packId }} className={rowClass}>
          {face}
        </Link>
      )}
      renderMake={() => (
        <MakePack onBegun={packId => void navigate({ to: '/policy-marketplace/$packId', params: { packId } })} />
      )}
    />
  );
}

/** To what a document of a pack became here. */
function DocumentLink({ item, face }: { item: PackItem; face: ReactNode }) {
  const id = item.target_id;
  if (item.kind === 'policy')
    return (
      <Link to="/policies/$policyId" params={{ policyId: id }} className={rowClass}>
        {face}
      </Link>
    );
  if (item.kind === 'form')
    return (
      <Link to="/field/forms/$formId/edit" params={{ formId: id }} className={rowClass}>
        {face}
      </Link>
    );
  return (
    <Link to="/tasks/$taskId" params={{ taskId: id }} className={rowClass}>
      {face}
    </Link>
  );
}

function AllLink() {
  const { t } = useTranslation('marketplace');
  return (
    <Link to="/policy-marketplace" className="link tap back-link">
      {t('back')}
    </Link>
  );
}

export function PackRoute() {
  const { packId } = useParams({ from: '/signed-in/policy-marketplace/$packId' });
  const navigate = useNavigate();
  return (
    <PackScreen
      key={packId}
      packId={packId}
      mayReview={useSwitcher().mayAnywhere('platform.moderate')}
      backLink={<AllLink />}
      renderMarkdown={renderMarkdown}
      renderDocument={(item, face) => <DocumentLink item={item} face={face} />}
      renderUpdate={face => (
        <Link to="/policy-marketplace/$packId/update" params={{ packId }} className={buttonClass()}>
          {face}
        </Link>
      )}
      renderActions={(pack, versions, rights) => (
        <PackActions
          pack={pack}
          versions={versions}
          rights={rights}
          onForked={made => void navigate({ to: '/policy-marketplace/$packId/edit', params: { packId: made } })}
          renderWrite={face => (
            <Link to="/policy-marketplace/$packId/edit" params={{ packId }} className={buttonClass()}>
              {face}
            </Link>
          )}
          onWrite={() => void navigate({ to: '/policy-marketplace/$packId/edit', params: { packId } })}
          onGone={() => void navigate({ to: '/policy-marketplace' })}
        />
      )}
    />
  );
}

export function PackUpdateRoute() {
  const { t } = useTranslation('marketplace');
  const { packId } = useParams({ from: '/signed-in/policy-marketplace/$packId/update' });
  return (
    <UpdateScreen
      packId={packId}
      allLink={<AllLink />}
      backLink={
        <Link to="/policy-marketplace/$packId" params={{ packId }} className="link tap back-link">
          {t('backPack')}
        </Link>
      }
      renderMarkdown={renderMarkdown}
    />
  );
}

const NO_VALUES = {};

export function PackWriteRoute() {
  const { t } = useTranslation('marketplace');
  const { packId } = useParams({ from: '/signed-in/policy-marketplace/$packId/edit' });
  const navigate = useNavigate();
  return (
    <WriteScreen
      key={packId}
      packId={packId}
      allLink={<AllLink />}
      backLink={
        <Link to="/policy-marketplace/$packId" params={{ packId }} className="link tap back-link">
          {t('backPack')}
        </Link>
      }
      onBegun={made => void navigate({ to: '/policy-marketplace/$packId/edit', params: { packId: made } })}
      renderWords={(body, onChange) => (
        <TextEditor body={body} values={NO_VALUES} readOnly={false} onChange={onChange} />
      )}
    />
  );
}
