/**
 * After the web build: each text file also as .gz and .br, so that the server sends it compressed without doing the work for each reader, and a note
 * of what dist/ was built from.
 */
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { markBuilt } from './built.ts'

const dist = path.join(import.meta.dirname, '../dist')

for (const name of fs.readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(m?js|css|svg|html|json)$/.test(name) || name === 'index.html') continue // index.html gets a nonce in each answer
  const file = path.join(dist, name)
  const content = fs.readFileSync(file)
  fs.writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  fs.writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }))
}
markBuilt()
