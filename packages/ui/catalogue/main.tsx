import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../src/styles.css';
import './catalogue.css';
import { Browser } from './browser.tsx';
import { Stage } from './stage.tsx';

const root = document.querySelector('#root');
if (!root) throw new Error('the page has no #root');
// The stage is the page inside the frame: media queries then see the chosen width.
const bare = new URLSearchParams(location.search).has('stage');
createRoot(root).render(<StrictMode>{bare ? <Stage /> : <Browser />}</StrictMode>);
