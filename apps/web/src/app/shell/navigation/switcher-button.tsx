import { Suspense, lazy, useState } from 'react';
import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { BrandMark } from '@cairn/ui/feedback/stone.tsx';
import { useSpace } from '../../../shared/session/space.ts';

const SwitcherSheet = lazy(async () => ({ default: (await import('./switcher-sheet.tsx')).SwitcherSheet }));

function useSheet() {
  const [open, setOpen] = useState<boolean | null>(null);
  const sheet = open !== null && (
    <Suspense fallback={null}>
      <SwitcherSheet open={open} onOpenChange={setOpen} />
    </Suspense>
  );
  return { sheet, show: () => setOpen(true) };
}

/** Where the person works, and the way to another organisation or playbook. */
export function SwitcherButton() {
  const { t } = useTranslation('shell');
  const { organization, playbook } = useSpace();
  const { sheet, show } = useSheet();
  const names = { playbook: playbook?.name ?? organization.name, organisation: organization.name };
  return (
    <>
      <button type="button" className="switcher" aria-haspopup="dialog" onClick={show}>
        <BrandMark />
        <span className="sr">{t('switcher.open', names)}</span>
        <span className="grow side-name" aria-hidden="true">
          <span className="t row">
            <span className="trunc">{names.playbook}</span>
            <Icon of={ChevronDown} size="s" />
          </span>
          <span className="d trunc">
            {organization.kind === 'private' ? t('switcher.privateSpace') : organization.name}
          </span>
        </span>
      </button>
      {sheet}
    </>
  );
}
