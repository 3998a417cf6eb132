import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The catalogue: `npm run ui` serves it, e2e/catalogue.spec.ts builds it and looks at every story.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 2000 },
});
