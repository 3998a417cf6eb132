import { Bone } from './skeleton.tsx';
import './skeleton-layouts.css';

/** A table as it will stand; cards on a phone. */
export function SkeletonTable({ label, rows = 6, columns = 4 }: { label: string; rows?: number; columns?: number }) {
  return (
    <div className="card flush">
      <output className="sr">{label}</output>
      <div aria-hidden="true">
        {Array.from({ length: rows }, (_, row) => (
          <div className="sk-table-row" key={row}>
            {Array.from({ length: columns }, (_, column) => (
              <Bone key={column} width={column === 0 ? '72%' : '46%'} height="13px" />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Labels and controls as they will stand. */
export function SkeletonForm({ label, fields = 4 }: { label: string; fields?: number }) {
  return (
    <div className="sk-form">
      <output className="sr">{label}</output>
      {Array.from({ length: fields }, (_, index) => (
        <div key={index} aria-hidden="true">
          <Bone width="30%" height="12px" />
          <Bone width="100%" height="44px" />
        </div>
      ))}
    </div>
  );
}

const COLUMN_HEIGHTS = ['45%', '60%', '52%', '74%', '66%', '88%', '80%'];

/** A chart with its title as it will stand. */
export function SkeletonChart({ label }: { label: string }) {
  return (
    <div className="sk-chart">
      <output className="sr">{label}</output>
      <Bone width="40%" height="16px" />
      <div className="sk-columns" aria-hidden="true">
        {COLUMN_HEIGHTS.map(height => (
          <Bone key={height} width="100%" height={height} />
        ))}
      </div>
    </div>
  );
}

/** A page of reading: title, one line of facts, paragraphs. */
export function SkeletonArticle({ label }: { label: string }) {
  return (
    <div className="sk-article">
      <output className="sr">{label}</output>
      <div aria-hidden="true">
        <Bone width="70%" height="28px" />
        <Bone width="38%" height="13px" />
      </div>
      {['100%', '94%', '98%', '62%'].map(width => (
        <Bone key={width} width={width} height="14px" />
      ))}
    </div>
  );
}
