/**
 * Simulates Amazon S3 with one bucket, addressed by path: put, get (also ranges), delete and list objects, and multipart uploads. Requests
 * must be signed. Calls that the product does not make are refused as not implemented.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { listen } from '../http.ts'
import { Bucket } from './bucket.ts'
import { Refusal } from './refusal.ts'
import { checkSignature } from './signature.ts'
import { type Element, textsOf, xmlDocument } from './xml.ts'

type Options = {
  /** 0, the default, picks a free port. */
  port?: number
  /** The number of keys per page; defaults to 1,000, as in S3. */
  pageSize?: number
}

export type S3Simulator = {
  url: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The keys of uploads that were neither completed nor aborted. */
  unfinishedUploads(): string[]
  /** The number of parts that these uploads have stored. */
  storedParts(): number
  stop: () => Promise<void>
}

type ObjectCall = { request: IncomingMessage; response: ServerResponse; query: URLSearchParams; key: string; sha256: string | undefined }

export async function startS3Simulator({ port = 0, pageSize = 1000 }: Options = {}): Promise<S3Simulator> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-s3-'))
  const keys = { accessKeyId: 'simulated-key', secretAccessKey: 'simulated-secret' }
  const name = 'documents'
  const bucket = new Bucket(folder)

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!(error instanceof Refusal) || response.headersSent) return void response.destroy()
      // Read the rest of the body, or the client gets a broken connection instead of the refusal.
      request.resume()
      sendXml(response, 'Error', refusalContent(error, request.url ?? '/'), error.status)
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://simulator')
    const sha256 = checkSignature(request, url, keys)
    const [bucketName = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent)
    if (bucketName !== name) throw new Refusal('NoSuchBucket')
    const call = { request, response, query: url.searchParams, key: rest.join('/'), sha256 }
    const handler = calls[callName(call)]
    if (!handler) throw new Refusal('NotImplemented')
    await handler(call)
  }

  const calls: Readonly<Record<string, (call: ObjectCall) => unknown>> = {
    'GET bucket?list-type': ({ response, query }) => {
      const last = query.get('continuation-token')
      const prefix = query.get('prefix') ?? ''
      const found = bucket
        .objects()
        .filter(([key]) => key.startsWith(prefix))
        .filter(([key]) => last === null || Buffer.compare(Buffer.from(key), Buffer.from(last, 'base64url')) > 0)
      const page = found.slice(0, pageSize)
      const next = found.length > page.length ? page.at(-1)?.[0] : undefined
      sendXml(response, 'ListBucketResult', [
        ['Name', name],
        ['Prefix', prefix],
        ['KeyCount', page.length],
        ['MaxKeys', pageSize],
        ['IsTruncated', String(next !== undefined)],
        ...(next === undefined ? [] : [['NextContinuationToken', Buffer.from(next).toString('base64url')] as const]),
        ...page.map(([key, { modifiedAt, etag, size }]): Element => [
          'Contents',
          [
            ['Key', key],
            ['LastModified', modifiedAt.toISOString()],
            ['ETag', etag],
            ['Size', size],
            ['StorageClass', 'STANDARD'],
          ],
        ]),
      ])
    },
    'GET bucket?uploads': ({ response, query }) =>
      sendXml(response, 'ListMultipartUploadsResult', [
        ['Bucket', name],
        ['MaxUploads', 1000],
        ['IsTruncated', 'false'],
        ...bucket
          .uploads()
          .filter(({ key }) => key.startsWith(query.get('prefix') ?? ''))
          .map(({ key, uploadId, startedAt }): Element => [
            'Upload',
            [
              ['Key', key],
              ['UploadId', uploadId],
              ['Initiated', startedAt.toISOString()],
            ],
          ]),
      ]),
    'HEAD object': ({ response, key }) => {
      const object = bucket.object(key)
      response.writeHead(200, { ...headersOf(object), 'content-length': object.size }).end()
    },
    'GET object': async ({ request, response, key }) => {
      const object = bucket.object(key)
      const { size, file } = object
      const range = rangeOf(request.headers.range, size)
      const [first, last] = range ?? [0, size - 1]
      response.writeHead(range ? 206 : 200, {
        ...headersOf(object),
        'content-length': last - first + 1,
        ...(range && { 'content-range': `bytes ${first}-${last}/${size}` }),
      })
      if (size === 0) response.end()
      else await pipeline(fs.createReadStream(file, { start: first, end: last }), response)
    },
    'PUT object': async ({ request, response, key, sha256 }) => {
      const etag = await bucket.put(key, request, request.headers['content-type'] ?? 'binary/octet-stream', sha256)
      response.writeHead(200, { etag }).end()
    },
    'DELETE object': ({ response, key }) => {
      bucket.delete(key)
      response.writeHead(204).end()
    },
    'POST object?uploads': ({ request, response, key }) => {
      const uploadId = bucket.createUpload(key, request.headers['content-type'] ?? 'binary/octet-stream')
      sendXml(response, 'InitiateMultipartUploadResult', [
        ['Bucket', name],
        ['Key', key],
        ['UploadId', uploadId],
      ])
    },
    'PUT object?uploadId': async ({ request, response, query, key, sha256 }) => {
      const etag = await bucket.putPart(key, query.get('uploadId') ?? '', Number(query.get('partNumber')), request, sha256)
      response.writeHead(200, { etag }).end()
    },
    'POST object?uploadId': async ({ request, response, query, key }) => {
      const document = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
      const etags = textsOf(document, 'ETag')
      const parts = textsOf(document, 'PartNumber').map((part, index) => ({ part: Number(part), etag: etags[index] ?? '' }))
      const etag = await bucket.completeUpload(key, query.get('uploadId') ?? '', parts)
      sendXml(response, 'CompleteMultipartUploadResult', [
        ['Bucket', name],
        ['Key', key],
        ['ETag', etag],
      ])
    },
    'DELETE object?uploadId': ({ response, query, key }) => {
      bucket.abortUpload(key, query.get('uploadId') ?? '')
      response.writeHead(204).end()
    },
  }

  const actualPort = await listen(server, port, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${actualPort}`,
    bucket: name,
    ...keys,
    unfinishedUploads: () => bucket.uploads().map(({ key }) => key),
    storedParts: () => bucket.uploads().reduce((sum, { parts }) => sum + parts, 0),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A call's name: its method, its target, and the parameter that selects another operation. `x-id` only repeats the name. */
function callName({ request, query, key }: ObjectCall): string {
  const parameter = ['uploads', 'uploadId', 'list-type'].find((name) => query.has(name))
  const known = new Set(['x-id', 'uploads', 'uploadId', 'partNumber', 'list-type', 'continuation-token', 'prefix'])
  const isKnown = Array.from(query.keys()).every((name) => known.has(name)) && !('x-amz-copy-source' in request.headers)
  return isKnown ? `${request.method} ${key === '' ? 'bucket' : 'object'}${parameter ? `?${parameter}` : ''}` : ''
}

/** @returns undefined without a range. @throws Refusal for a range that starts after the end. */
function rangeOf(header: string | undefined, size: number): [first: number, last: number] | undefined {
  if (header === undefined) return undefined
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header) ?? []
  if (first === undefined) throw new Refusal('NotImplemented')
  if (Number(first) >= size) throw new Refusal('InvalidRange')
  return [Number(first), last ? Math.min(Number(last), size - 1) : size - 1]
}

const headersOf = ({ etag, modifiedAt, contentType }: { etag: string; modifiedAt: Date; contentType: string }) => ({
  etag,
  'last-modified': modifiedAt.toUTCString(),
  'content-type': contentType,
  'accept-ranges': 'bytes',
})

const refusalContent = ({ code, message }: Refusal, resource: string): Element[] => [
  ['Code', code],
  ['Message', message],
  ['Resource', resource],
  ['RequestId', randomUUID()],
]

/** Node omits the body for HEAD. */
function sendXml(response: ServerResponse, root: string, content: readonly Element[], status = 200): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(xmlDocument(root, content))
}
