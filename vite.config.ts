import fs from 'node:fs'
import path from 'node:path'
import { minifyContractRouter } from '@orpc/contract'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { unmarkBuilt } from './scripts/built.ts'
import { contract } from './src/app/contract.ts'

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

/**
 * What the PDF viewer asks for while it draws: character maps of Asian fonts, the fonts that a PDF may leave out, and the decoders of scanned
 * images in plain JavaScript, for our pages run no WebAssembly. Named after the version, as their neighbours are by a hash.
 */
function pdfFiles(): Plugin {
  const folder = path.join(import.meta.dirname, 'node_modules/pdfjs-dist')
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }
  const wanted = /^(cmaps\/.*\.bcmap|standard_fonts\/.*\.(pfb|ttf)|wasm\/.*_nowasm_fallback\.js)$/
  return {
    name: 'pdf-files',
    config: () => ({ define: { __PDF_FILES__: JSON.stringify(`/assets/pdf-${version}/`) } }),
    generateBundle() {
      for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(path.sep, '/'))) {
        if (!wanted.test(name)) continue
        this.emitFile({ type: 'asset', fileName: `assets/pdf-${version}/${name}`, source: fs.readFileSync(path.join(folder, name)) })
      }
    },
  }
}

type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }
const source = (name: string) => path.join(import.meta.dirname, 'src', name)

/**
 * What every page of staff needs is one file, and what both halves of the product need (staff, and who is not signed in) another one. Left to
 * themselves they are forty small ones, each packed apart and asked for apart. What the first file has is left where it is, and with it what is
 * imported by way of a list of hundreds, icons above all: each page takes its own.
 */
function shellOf(id: string, modules: Modules): string | null {
  const isNeededBy = (name: string) => reachedFrom(source(name), modules).has(id)
  if (isNeededBy('app/web/main.tsx')) return null
  const isOfBoth = isNeededBy('app/web/signed-out.tsx') || isNeededBy('platform/auth/web/AuthPage.tsx')
  if (!isNeededBy('app/web/staff.tsx')) return null
  return isOfBoth ? 'both' : 'shell'
}

/** Where staff arrive. */
const firstPages = { list: 'crm/contacts/web/list/ListPage.tsx', dashboard: 'insight/dashboard/web/DashboardPage.tsx' }
const signedOutPages = ['platform/auth/web/AuthPage.tsx', 'platform/auth/web/InvitationPage.tsx', 'portal/web/PortalPage.tsx']

/**
 * The same for the pages that staff open first: what one of them needs is one file instead of forty, and what both need another, so that neither
 * loads what only the other uses. Pages for visitors must not load them, so what those need too stays apart.
 */
function firstPageOf(id: string, modules: Modules): string | null {
  const isNeededBy = (name: string) => reachedFrom(source(name), modules).has(id)
  if (['app/web/main.tsx', 'app/web/staff.tsx', 'app/web/signed-out.tsx', ...signedOutPages].some(isNeededBy)) return null
  if (Object.values(firstPages).some((page) => id === source(page))) return null
  const users = Object.entries(firstPages).filter(([, page]) => isNeededBy(page))
  return users.length > 1 ? 'first-pages' : (users[0]?.[0] ?? null)
}

const reached = new Map<string, Set<string>>()

/** The modules that come with one: what it imports at once, and what those do. */
function reachedFrom(start: string, modules: Modules): Set<string> {
  const known = reached.get(start)
  if (known) return known
  const ids = new Set([start])
  // A set that grows is walked to its end.
  for (const id of ids) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) ids.add(next)
  reached.set(start, ids)
  return ids
}

/** Until it is compressed (scripts/compress-assets.ts), the build is not what `npm start` serves. */
const unfinished: Plugin = { name: 'unfinished', apply: 'build', buildStart: () => unmarkBuilt('web') }

export default defineConfig({
  plugins: [react(), tailwindcss(), apiRoutes(), pdfFiles(), unfinished],
  publicDir: 'src/app/web/public',
  // The server puts a fresh nonce in place of this in each response.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/web',
    // A small font or image must stay a file: the content security policy knows no data: fonts.
    assetsInlineLimit: 0,
    target: 'es2023',
    // The PDF viewer, in kB; it comes when a PDF is opened.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Apart: in one file with the calls, which each page needs at once, the rules of forms would come with the first page.
        codeSplitting: {
          groups: [
            { name: 'zod', test: /node_modules\/zod\// },
            { name: 'calls', test: /node_modules\/@orpc\// },
            { name: shellOf, debugName: 'shell' },
            // 150 files of 200 bytes otherwise, which cost more to ask for than to send.
            { name: 'icons', test: /lucide-react.*icons/, minShareCount: 3, includeDependenciesRecursively: false },
            { name: firstPageOf, debugName: 'first pages', includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
})
