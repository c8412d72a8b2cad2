import { minifyContractRouter } from '@orpc/contract'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contract } from './src/features/api/contract.ts'

/**
 * The client needs to know each call's method and path, but not its Zod shapes: those come with the forms that check them. So the browser gets
 * the contract as plain data, and the page that signs in stays small.
 */
function apiRoutes(): Plugin {
  const id = 'virtual:api-routes'
  return {
    name: 'api-routes',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (resolved) => (resolved === `\0${id}` ? `export const routes = ${JSON.stringify(routesOf(contract))}` : undefined),
  }
}

/** Summaries and tags of a call are for the OpenAPI document alone; a group of calls may have the same name ('tags'), but is no leaf. */
function routesOf(router: Parameters<typeof minifyContractRouter>[0]): unknown {
  const isText = (value: unknown) => typeof value === 'string' || Array.isArray(value)
  const forDocument = (key: string, value: unknown) => ['summary', 'description', 'tags'].includes(key) && isText(value)
  return JSON.parse(JSON.stringify(minifyContractRouter(router), (key, value: unknown) => (forDocument(key, value) ? undefined : value)))
}

export default defineConfig({
  plugins: [react(), tailwindcss(), apiRoutes()],
  publicDir: 'src/web/public',
  // The server puts a fresh nonce in place of this in each response.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    // A small font or image must stay a file: the content security policy knows no data: fonts.
    assetsInlineLimit: 0,
    target: 'es2023',
  },
})
