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

/** Summaries and tags are for the OpenAPI document alone. */
function routesOf(router: Parameters<typeof minifyContractRouter>[0]): unknown {
  return JSON.parse(
    JSON.stringify(minifyContractRouter(router), (key, value) => (['summary', 'description', 'tags'].includes(key) ? undefined : value)),
  )
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
