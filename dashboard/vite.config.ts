import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The build of the dashboard: everything it needs lies in its own files, nothing is inlined into the page. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  build: {
    target: 'es2023',
    // No `data:` addresses and no script in the page: the Content-Security-Policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  worker: { format: 'es' },
})
