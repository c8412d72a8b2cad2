/**
 * Runs after the web build: compresses each text and WebAssembly file as .gz and .br, so that the server does not compress it for each request, and
 * records what dist/web was built from.
 */
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { markBuilt } from './built.ts'

const dist = path.join(import.meta.dirname, '../dist/web')

for (const name of fs.readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(m?js|css|svg|html|json|wasm)$/.test(name) || /^(index|book)\.html$/.test(name)) continue // a page gets a nonce in each response
  const file = path.join(dist, name)
  const content = fs.readFileSync(file)
  fs.writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  fs.writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
}
markBuilt('web')
