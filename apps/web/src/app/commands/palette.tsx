import { useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fitting } from '@cairn/core/search/fitting.ts';
import { CommandPalette, type CommandGroup } from '@cairn/ui/overlays/command-palette.tsx';
import { Kbd } from '@cairn/ui/data/kbd.tsx';
import type { Command, CommandKind } from './command.ts';
import type { TypeAheadBuffer } from './typed-ahead.ts';
import { useFound } from './use-found.ts';

const KINDS: readonly CommandKind[] = ['screens', 'actions', 'places', 'settings'];
const MAX_RECORDS = 12;

type Props = { commands: readonly Command[]; ahead: TypeAheadBuffer; onClose: () => void };

/** Go anywhere, do anything, find every record of this device, by typing. */
export function Palette({ commands, ahead, onClose }: Props) {
  const { t } = useTranslation('shell');
  const [query, setQuery] = useState(ahead.text);
  useLayoutEffect(() => ahead.tell(setQuery), [ahead]);
  const { status, found } = useFound(query, MAX_RECORDS);
  const andClose = (run: () => void) => () => {
    onClose();
    run();
  };
  const shown = fitting(commands, ({ title, detail = '', also = '' }) => `${title} ${detail} ${also}`, query);
  const groups: CommandGroup[] = KINDS.map(kind => ({
    title: t(`palette.${kind}`),
    entries: shown.filter(each => each.kind === kind).map(each => ({ ...each, onSelect: andClose(each.run) })),
  }));
  const records: CommandGroup = {
    title: t('palette.records'),
    entries: found.map(({ id, title, detail, icon, open }) => ({ id, title, detail, icon, onSelect: andClose(open) })),
  };
  return (
    <CommandPalette
      open
      onOpenChange={open => !open && onClose()}
      label={t('palette.label')}
      query={query}
      onQuery={setQuery}
      groups={[...groups, records].filter(({ entries }) => entries.length > 0)}
      none={t(status === 'building' ? 'palette.building' : 'palette.none')}
      foot={
        <>
          <span>
            <Kbd keys={['↑', '↓']} /> {t('palette.move')}
          </span>
          <span>
            <Kbd keys={['Enter']} /> {t('palette.do')}
          </span>
          {status === 'building' && query !== '' && <output>{t('palette.building')}</output>}
        </>
      }
    />
  );
}
