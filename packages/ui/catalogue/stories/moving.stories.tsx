import { useEffect, useState } from 'react';
import { Button } from '../../src/controls/button.tsx';
import { cropImage, type CropArea } from '../../src/images/crop-image.ts';
import { FileDrop } from '../../src/controls/file-drop.tsx';
import { ImageCropper } from '../../src/images/image-cropper.tsx';
import { SortableList, type SortableTexts } from '../../src/data/sortable-list.tsx';
import type { StoryGroup } from '../story.ts';

const WORDS: SortableTexts = {
  handle: name => `Move ${name}`,
  help: 'Press Space to lift, the arrow keys to move, Space to put down, Escape to leave it.',
  lifted: name => `${name} is lifted.`,
  over: (name, position, of) => `${name} is at place ${position} of ${of}.`,
  dropped: (name, position, of) => `${name} now stands at place ${position} of ${of}.`,
  cancelled: name => `${name} is back where it was.`,
};

function Sorting() {
  const [items, setItems] = useState(['Today', 'Compliance trend', 'Team overdue', 'Wellness'].map(id => ({ id })));
  return (
    <div className="card flush">
      <SortableList
        label="Parts of the dashboard"
        items={items}
        nameOf={item => item.id}
        renderItem={item => <span className="strong">{item.id}</span>}
        onReorder={ids => setItems(ids.map(id => ({ id })))}
        words={WORDS}
      />
    </div>
  );
}

function Files() {
  const [message, setMessage] = useState('');
  const shared = {
    onFiles: (files: File[]) => setMessage(`${files.length} taken`),
    onRefused: () => setMessage('Some files were left out: only pictures up to 10 MB.'),
    hint: 'Pictures up to 10 MB each',
    accept: 'image/*',
    maxBytes: 10_000_000,
  };
  return (
    <div className="two">
      <FileDrop label="Add photos" {...shared} error={message || undefined} />
      <FileDrop label="Add photos" {...shared} disabled />
      <FileDrop label="Add photos" {...shared} error="plan.docx is no picture. Take a photo of it instead." />
    </div>
  );
}

/** Half blue, half sand: a picture with pixels of its own, as a camera gives it. */
async function drawPicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(480, 320);
  const brush = canvas.getContext('2d');
  if (!brush) throw new Error('this browser draws no pictures');
  for (const [colour, left] of [
    ['steelblue', 0],
    ['sandybrown', 240],
  ] as const) {
    brush.fillStyle = colour;
    brush.fillRect(left, 0, 240, 320);
  }
  return canvas.convertToBlob({ type: 'image/png' });
}

type Picture = { blob: Blob; url: string };

function Cropping() {
  const [picture, setPicture] = useState<Picture | null>(null);
  const [area, setArea] = useState<CropArea | null>(null);
  const [cut, setCut] = useState<string | null>(null);
  useEffect(() => {
    void drawPicture().then(blob => setPicture({ blob, url: URL.createObjectURL(blob) }));
  }, []);
  if (!picture) return <p>Drawing a picture</p>;
  const take = async () => {
    if (area) setCut(URL.createObjectURL(await cropImage(picture.blob, area, 128)));
  };
  return (
    <div className="stack">
      <ImageCropper
        image={picture.url}
        label="Move the picture with the arrow keys"
        zoomLabel="Zoom"
        zoomFigure={factor => `${Math.round(factor * 100)} %`}
        onChange={setArea}
      />
      <div className="flow">
        <Button disabled={!area} onClick={() => void take()}>
          Take this part
        </Button>
        {cut && <img src={cut} alt="The part that was taken" width={64} height={64} />}
      </div>
    </div>
  );
}

export const group: StoryGroup = {
  title: 'Moving things',
  stories: [
    { name: 'Sortable list', Show: Sorting },
    { name: 'File drop', Show: Files },
    { name: 'Image cropper', Show: Cropping },
  ],
};
