import { useTranslation } from 'react-i18next';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { Kbd } from '@cairn/ui/data/kbd.tsx';
import { commandKey } from '../shell/navigation/command-key.ts';
import type { Command } from './command.ts';
import './keys-sheet.css';

type Props = { commands: readonly Command[]; onClose: () => void };

/** Every key that does something here, by what it does. */
export function KeysSheet({ commands, onClose }: Props) {
  const { t } = useTranslation('shell');
  const lists = [
    { title: t('palette.screens'), rows: commands.filter(({ kind }) => kind === 'screens') },
    { title: t('palette.actions'), rows: commands.filter(({ kind }) => kind === 'actions') },
  ];
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('keys.title')}
      description={t('keys.text')}
      closeLabel={t('close')}
    >
      <div className="keys-lists">
        <KeyRow title={t('palette.open')} keys={[commandKey(), 'K']} />
        {lists.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3 className="keys-heading">{title}</h3>
            {rows.map(({ id, title: name, keys }) => keys && <KeyRow key={id} title={name} keys={keys} />)}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function KeyRow({ title, keys }: { title: string; keys: readonly string[] }) {
  return (
    <div className="key-row">
      <span className="grow">{title}</span>
      <Kbd keys={keys} />
    </div>
  );
}
