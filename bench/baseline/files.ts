/** The baseline for portal downloads, in a separate process: streams the files of a folder by name with Node's file streams. */
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream'

const folder = process.env.FOLDER!

const server = createServer((request, response) => {
  const file = path.join(folder, path.basename(request.url!))
  fs.stat(file, (error, found) => {
    if (error) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': found.size })
    pipeline(fs.createReadStream(file), response, () => {})
  })
})
server.listen(0, '127.0.0.1', () => console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on('SIGTERM', () => process.exit(0))
