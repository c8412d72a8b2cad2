import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { plainIcons } from './vite.config.ts'

const preact = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
}

/**
 * The page where patients book themselves (book.html), apart from the application: it has to arrive on a phone within a second, so its React is
 * Preact, a tenth of the size. It is added to dist/web.
 */
export default defineConfig({
  plugins: [react({ jsxImportSource: 'preact' }), tailwindcss(), plainIcons()],
  resolve: { alias: Object.entries(preact).map(([find, replacement]) => ({ find: new RegExp(`^${find}$`), replacement })) },
  publicDir: 'src/app/web/public',
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/web',
    copyPublicDir: false,
    emptyOutDir: false,
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: { input: 'book.html' },
  },
})
