import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { lengthOf } from '@cairn/base/globe.ts';
import { newId } from '@cairn/base/id.ts';
import { type MapProblem, MAX_MAP_BYTES } from '@cairn/core/on-site/map-header.ts';
import { addSiteMap, type MapFile } from '@cairn/core/on-site/site-maps.ts';
import type { Row } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';

type Props = { sites: readonly Row<'sites'>[]; onDone: () => void };

/** What a file says of itself, or why it is no map. */
type MapRead = { map: MapFile } | { problem: MapProblem } | null;

/** A map is one file, judged here before anything is sent; then it gets its site and its name. */
export function AddMap({ sites, onDone }: Props) {
  const { t } = useTranslation('maps');
  const { formatBytes } = useFormat();
  const [read, setRead] = useState<MapRead>(null);
  const size = formatBytes(MAX_MAP_BYTES);
  const reading = useAction(async (file: File) => {
    // Where what judges it could not be fetched, there is no signal: nothing of the file is lost by that.
    const { readMapFile } = await import('./read-map-file.ts').catch((cause: unknown) => {
      throw new Failure('offline', 'read-map-file', { cause });
    });
    setRead(await readMapFile(file));
  });
  if (read && 'map' in read) return <NameMap file={read.map} sites={sites} onDone={onDone} />;
  return (
    <div className="stack">
      <FileDrop
        label={reading.busy ? t('reading') : t('pick')}
        hint={t('addText', { size })}
        accept=".pmtiles"
        multiple={false}
        disabled={reading.busy}
        onFiles={([file]) => file && reading.run(file)}
        onRefused={() => setRead({ problem: 'not_a_map' })}
        error={read && t(`problem.${read.problem}`, { size })}
      />
      <FailureLine failure={reading.failure} />
      <Button variant="plain" onClick={onDone}>
        {t('removeNo')}
      </Button>
    </div>
  );
}

function NameMap({ file, sites, onDone }: Props & { file: MapFile }) {
  const { t } = useTranslation('maps');
  const { formatDistance } = useFormat();
  const store = useStore();
  const { user } = useSignedIn();
  const { organization } = useSpace();
  const [siteId, setSiteId] = useState(sites[0]?.id ?? '');
  const [name, setName] = useState(file.fileName.replace(/\.pmtiles$/i, '').slice(0, 120));
  const [tried, setTried] = useState(false);
  const [mapId] = useState(newId);
  const saving = useAction(async () => {
    const given = { mapId, organizationId: organization.id, siteId, name, file, by: user.id };
    const at = new Date().toISOString();
    await store.write('field-ops.add-map', tx => addSiteMap(tx, { ...given, at }), { together: true });
    onDone();
  });
  const { south, west, north, east } = file;
  const middle = (south + north) / 2;
  const width = lengthOf([
    { lat: middle, lon: west },
    { lat: middle, lon: east },
  ]);
  const height = lengthOf([
    { lat: south, lon: west },
    { lat: north, lon: west },
  ]);
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (name.trim() !== '') saving.run();
      }}
    >
      <p className="sm muted num">
        {t('covers', { width: formatDistance(width), height: formatDistance(height), zoom: file.maxZoom })}
      </p>
      <Select
        label={t('site')}
        value={siteId}
        choices={sites.map(site => ({ value: site.id, label: site.name }))}
        onChange={({ target }) => setSiteId(target.value)}
      />
      <Input
        label={t('name')}
        value={name}
        maxLength={120}
        error={tried && name.trim() === '' ? t('nameNeeded') : undefined}
        onChange={({ target }) => setName(target.value)}
      />
      <FailureLine failure={saving.failure} />
      <Button type="submit" variant="primary" size="lg" block busy={saving.busy}>
        {t('save')}
      </Button>
    </form>
  );
}
