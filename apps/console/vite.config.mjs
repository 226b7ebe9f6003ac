import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: path('.'),
  base: '/console/',
  plugins: [react()],
  server: {
    proxy: {
      // The operator API compares the origin of a page with the host of the request, which therefore stays.
      '/operator': { target: process.env.API_URL ?? 'http://127.0.0.1:3000', changeOrigin: false },
    },
  },
  build: {
    outDir: path('../../dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    // The browsers that know light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A data: URL would need its own source in the Content-Security-Policy for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
    reportCompressedSize: false,
  },
});
