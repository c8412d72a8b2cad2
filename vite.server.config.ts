import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { markBuilt, unmarkBuilt } from './scripts/built.ts'

const root = import.meta.dirname
const outDir = path.join(root, 'dist/server')
/** Empty outside a Git checkout. */
const commit = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? ''

/**
 * A built module is in dist/server but must find the fonts beside its source, the migrations and the web build. Workers that it starts are built
 * too. Every built file is directly in dist/server, because these paths start there.
 */
function resolveFromSource(): Plugin {
  return {
    name: 'resolve-from-source',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: 'import.meta' },
      handler(code, id) {
        const fromBuilt = path.relative(outDir, id).replaceAll(path.sep, '/')
        const buildWorker = (name: string) => {
          const worker = path.join(path.dirname(id), `${name}.ts`)
          const fileName = path.relative(root, worker).replaceAll(path.sep, '-').replace('.ts', '.js')
          this.emitFile({ type: 'chunk', id: worker, fileName })
          return fileName
        }
        return code
          .replace(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.url\b/g, (_, name?: string) =>
            name ? `new URL('${buildWorker(name)}', import.meta.url)` : `new URL('${fromBuilt}', import.meta.url).href`,
          )
          .replace(/import\.meta\.dirname\b/g, `(import.meta.dirname + '/${path.posix.dirname(fromBuilt)}')`)
      },
    },
    buildStart: () => unmarkBuilt('server'),
    writeBundle: () => markBuilt('server'),
  }
}

/**
 * The server in a few files: Node loads them in a third of the time that the 2,400 modules take, with half the memory
 * (docs/decisions/server-build.md). Packages with native code or data files stay in node_modules.
 */
export default defineConfig({
  plugins: [resolveFromSource()],
  publicDir: false,
  define: { BUILT_FROM: JSON.stringify(commit) },
  ssr: { noExternal: true, external: ['sharp', '@node-rs/argon2', 'libheif-js', '@react-pdf/renderer', '@aws-sdk/client-s3', 'twilio'] },
  build: {
    ssr: true,
    outDir,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: [
        'main',
        'serve',
        ...['import', 'audit-verify', 'verify-consent', 'upgrade-check', 'backup', 'restore'].map((name) => `commands/${name}`),
      ].map((name) => `src/app/${name}.ts`),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
