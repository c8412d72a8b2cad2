import fs from 'node:fs'
import path from 'node:path'
import { type AnyContractRouter, isContractProcedure } from '@orpc/contract'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { unmarkBuilt } from './scripts/built.ts'
import { guideFolder, readGuide } from './scripts/guide.ts'
import { contract } from './src/app/contract.ts'

/**
 * The client needs to know each call's method and path, but not its Zod shapes: those come with the forms that check them. So the browser gets
 * the contract as plain data, and the page that signs in stays small. A call is one text, 'GET /contacts', until the client turns it into a route.
 */
function apiRoutes(): Plugin {
  const id = 'virtual:api-routes'
  return {
    name: 'api-routes',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (resolved) => (resolved === `\0${id}` ? `export const routes = ${JSON.stringify(routesOf(contract))}` : undefined),
  }
}

function routesOf(router: AnyContractRouter): unknown {
  if (!isContractProcedure(router)) return Object.fromEntries(Object.entries(router).map(([name, inner]) => [name, routesOf(inner)]))
  // Summaries and tags are for the OpenAPI document alone.
  const { method, path: address, summary: _, description: __, tags: ___, ...others } = router['~orpc'].route
  if (Object.keys(others).length > 0) throw new Error(`${method} ${address}: the client would not know ${Object.keys(others).join(', ')}`)
  return `${method} ${address}`
}

/** The guide (docs/guide) as data for the page that shows and searches it. Its pictures are files of the build. */
function guide(): Plugin {
  const id = 'virtual:guide'
  return {
    name: 'guide',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(resolved) {
      if (resolved !== `\0${id}`) return undefined
      for (const file of fs.readdirSync(guideFolder)) this.addWatchFile(path.join(guideFolder, file))
      const pictures: string[] = []
      const pages = JSON.stringify(await readGuide()).replaceAll(/"src":"([^"]+)"/g, (_, file: string) => {
        pictures.push(file)
        return `"src":picture${pictures.length - 1}`
      })
      const imports = pictures.map((file, index) => `import picture${index} from ${JSON.stringify(path.join(guideFolder, file))}\n`)
      return `${imports.join('')}export const pages = ${pages}`
    },
  }
}

/**
 * Takes each icon from its own file, so that a page is known to need it and not the list of all of them. And leaves out what an icon has beside
 * its lines: their random keys, which React needs in lists that change, and a size that is the same for all.
 */
export function plainIcons(): Plugin[] {
  const list = fs.readFileSync(path.join(import.meta.dirname, 'node_modules/lucide-react/dist/esm/lucide-react.mjs'), 'utf8')
  const files = new Map<string, string>()
  for (const [, names = '', file = ''] of list.matchAll(/^export \{ (.*) \} from '\.\/icons\/([\w-]+)\.mjs'/gm)) {
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, file)
  }
  const importOf = (imported: string) => {
    const [name = '', local = name] = imported.split(' as ')
    if (!files.has(name)) throw new Error(`lucide-react has no icon ${name}`)
    return `import ${local} from 'lucide-react/icons/${files.get(name)}';`
  }
  return [
    {
      name: 'icon-files',
      enforce: 'pre',
      apply: 'build',
      transform: {
        filter: { id: /\/src\/.*\.tsx?$/, code: "from 'lucide-react'" },
        handler: (code) => ({
          code: code.replace(/^import \{([^}]*)\} from 'lucide-react'$/gm, (statement, names: string) => {
            const imports = names
              .split(',')
              .map((name) => name.trim())
              .filter((name) => name && !name.startsWith('type '))
            // The lines below keep their numbers.
            return imports.map(importOf).join(' ') + '\n'.repeat(statement.split('\n').length - 1)
          }),
          map: null,
        }),
      },
    },
    {
      name: 'plain-icons',
      apply: 'build',
      transform: {
        filter: { id: /lucide-react.*\/icons\/[\w-]+\.mjs$/ },
        handler: (code) => ({
          code: code
            .replaceAll(/, key: "\w+"/g, '')
            .replace('size: 24,', '')
            .replace('__iconData.node;', ''),
          map: null,
        }),
      },
    },
  ]
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

type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null }
const source = (name: string) => path.join(import.meta.dirname, 'src', name)

/**
 * What every page of staff needs is one file, and what both halves of the product need (staff, and who is not signed in) another one. Left to
 * themselves they are forty small ones, each packed apart and asked for apart. What the first file has is left where it is.
 */
function shellOf(id: string, modules: Modules): string | null {
  const isNeededBy = (name: string) => reachedFrom(source(name), modules).has(id)
  if (isNeededBy('app/web/main.tsx')) return null
  const isOfBoth = isNeededBy('app/web/signed-out.tsx') || isNeededBy(signInPage)
  if (!isNeededBy('app/web/staff.tsx')) return null
  return isOfBoth ? 'both' : 'shell'
}

const signInPage = 'platform/auth/web/AuthPage.tsx'
/** Where staff arrive. */
const firstPages = { list: 'crm/contacts/web/list/ListPage.tsx', dashboard: 'insight/dashboard/web/DashboardPage.tsx' }

/**
 * The same for the pages that staff open first: what one of them needs is one file instead of forty, and what both need another, so that neither
 * loads what only the other uses. Pages for visitors must not load these, so what any of those can need is a file of its own.
 */
function firstPageOf(id: string, modules: Modules): string | null {
  const isNeededBy = (name: string) => reachedFrom(source(name), modules).has(id)
  if (['app/web/main.tsx', 'app/web/staff.tsx', 'app/web/signed-out.tsx', signInPage].some(isNeededBy)) return null
  if (Object.values(firstPages).some((page) => id === source(page))) return null
  const users = Object.entries(firstPages).filter(([, page]) => isNeededBy(page))
  if (users.length > 0 && reachedFrom(source('app/web/signed-out.tsx'), modules, 'later').has(id)) return 'common'
  return users.length > 1 ? 'first-pages' : (users[0]?.[0] ?? null)
}

/** Comes with the list of patients, a moment later. */
const viewTabs = 'crm/saved-views/web/embed/ViewTabs.tsx'

/** The icons that several pages share. An icon that is needed first is with what needs it. */
function iconsOf(id: string, modules: Modules): string | null {
  const isNeededBy = (name: string) => reachedFrom(source(name), modules).has(id)
  if (!/lucide-react.*\/icons\//.test(id) || [signInPage, ...Object.values(firstPages)].some(isNeededBy)) return null
  return isNeededBy(viewTabs) ? 'view-icons' : 'icons'
}

const radixParts =
  /@radix-ui\/(primitive|react-(collection|compose-refs|context|direction|id|presence|primitive|roving-focus|tabs|use-[\w-]+))\//
const formParts = /src\/ui\/(forms\/(Form|useActionForm|useProblemFocus)|controls\/(Input|PasswordInput))\./

const reached = new Map<string, Set<string>>()

/** The modules that come with one: what it imports at once, and what those do. `later`: also what they import when it is needed. */
function reachedFrom(start: string, modules: Modules, when: 'at once' | 'later' = 'at once'): Set<string> {
  const known = reached.get(when + start)
  if (known) return known
  const ids = new Set([start])
  // A set that grows is walked to its end.
  for (const id of ids) {
    const { importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(id) ?? {}
    for (const next of when === 'later' ? [...importedIds, ...dynamicallyImportedIds] : importedIds) ids.add(next)
  }
  reached.set(when + start, ids)
  return ids
}

/** In development; the build of the booking page is apart (vite.book.config.ts). */
const bookingPage: Plugin = {
  name: 'booking-page',
  configureServer({ middlewares }) {
    middlewares.use((request, _, next) => {
      if (/^\/book(?=[/?]|$)/.test(request.url ?? '')) request.url = request.url!.replace('/book', '/book.html')
      next()
    })
  },
}

/** Until it is compressed (scripts/compress-assets.ts), the build is not what `npm start` serves. */
const unfinished: Plugin = { name: 'unfinished', apply: 'build', buildStart: () => unmarkBuilt('web') }

export default defineConfig({
  plugins: [react(), tailwindcss(), apiRoutes(), guide(), plainIcons(), pdfFiles(), unfinished, bookingPage],
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
            // What dialogs, menus and tabs share, and what forms do: a dozen small files otherwise.
            { name: 'radix', test: radixParts },
            { name: 'forms', test: formParts, includeDependenciesRecursively: false },
            // 150 files of 200 bytes otherwise, which cost more to ask for than to send.
            { name: iconsOf, debugName: 'icons', minShareCount: 2, includeDependenciesRecursively: false },
            { name: firstPageOf, debugName: 'first pages', includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
})
