import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { startS3Simulator } from '../../../simulators/s3/server.ts'
import { openS3Store } from './s3.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const keys = { accessKeyId: 'simulated-key', secretAccessKey: 'simulated-secret', region: 'us-east-1' }

/** A service with configurable responses. */
async function serve(answer: http.RequestListener): Promise<string> {
  const server = http.createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(() => (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
async function* bytes(text: string) {
  yield Buffer.from(text)
}

test('a prefix keeps stores in one bucket apart', async () => {
  const server = await startS3Simulator()
  cleanUps.push(server.stop)
  const open = (prefix: string) => openS3Store({ ...keys, bucket: server.bucket, endpoint: server.url, prefix })
  const [one, other, all] = [open('one/'), open('one-more/'), open('')]
  await one.put('a/b', bytes('x'))
  await other.put('a/b', bytes('yy'))
  const listed = async (store: typeof one) => (await Array.fromAsync(store.list())).map(({ key, size }) => [key, size])
  expect(await listed(one)).toEqual([['a/b', 1]])
  expect(await listed(all)).toEqual([
    ['one-more/a/b', 2],
    ['one/a/b', 1],
  ])
  await one.delete('a/b')
  expect(await one.get('a/b')).toBe(null)
  expect((await other.get('a/b'))?.size).toBe(2)
})

describe('an unusable service is not reported as an empty store', () => {
  test('a missing bucket', async () => {
    const server = await startS3Simulator()
    cleanUps.push(server.stop)
    const store = openS3Store({ ...keys, bucket: 'another', endpoint: server.url })
    await expect(store.get('a')).rejects.toThrow('bucket')
    await expect(store.put('a', bytes('x'))).rejects.toThrow('bucket')
    await expect(Array.fromAsync(store.list())).rejects.toThrow('bucket')
  })

  test('an unknown key', async () => {
    const server = await startS3Simulator()
    cleanUps.push(server.stop)
    const store = openS3Store({ ...keys, accessKeyId: 'wrong', bucket: server.bucket, endpoint: server.url })
    await expect(store.get('a')).rejects.toThrow('AWS Access Key Id')
    await expect(store.put('a', bytes('x'))).rejects.toThrow(/./)
  })

  test('a refused connection', async () => {
    const store = openS3Store({ ...keys, bucket: 'documents', endpoint: 'http://127.0.0.1:1' })
    await expect(store.get('a')).rejects.toThrow('ECONNREFUSED')
  })

  test('a service that never answers, and one that stops in the middle of a file', async () => {
    const url = await serve((request, response) => {
      if (request.url?.includes('silent')) return
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half')
    })
    const store = openS3Store({ ...keys, bucket: 'documents', endpoint: url, silenceSeconds: 0.3 })
    await expect(store.get('silent')).rejects.toThrow(/./)
    const { bytes } = (await store.get('halting'))!
    await expect(Array.fromAsync(bytes)).rejects.toThrow(/./)
  })
})

test('aborts uploads of dead writers after a day, and leaves newer and other uploads alone', async () => {
  const aborted: string[] = []
  const upload = (key: string, hours: number) =>
    `<Upload><Key>${key}</Key><UploadId>id-${key}</UploadId><Initiated>${new Date(Date.now() - hours * 3_600_000).toISOString()}</Initiated></Upload>`
  const url = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (request.method === 'DELETE') {
      aborted.push(`${pathname} ${searchParams.get('uploadId')}`)
      return response.writeHead(204).end()
    }
    const uploads = [upload('old', 25), upload('young', 23), upload('Foreign.bin', 99)].join('')
    return response.end(
      searchParams.has('uploads')
        ? `<ListMultipartUploadsResult>${uploads}</ListMultipartUploadsResult>`
        : '<ListBucketResult><Contents><Key>Foreign.bin</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>',
    )
  })
  const store = openS3Store({ ...keys, bucket: 'documents', endpoint: url })
  expect(await Array.fromAsync(store.list())).toEqual([])
  expect(aborted).toEqual(['/documents/old id-old'])
})

test('aborts an upload that fails halfway', async () => {
  const calls: string[] = []
  const url = await serve((request, response) => {
    request.resume().once('end', () => {
      calls.push(`${request.method} ${request.url?.replace(/[?&]x-id=\w+/, '')}`)
      if (request.method === 'HEAD') return response.writeHead(404).end()
      if (request.method === 'POST')
        return response.end('<InitiateMultipartUploadResult><UploadId>7</UploadId></InitiateMultipartUploadResult>')
      return response.writeHead(200, { etag: '"1"' }).end()
    })
  })
  const source = async function* () {
    yield Buffer.alloc(9 * 1024 * 1024)
    throw new Error('the sender went away')
  }
  const store = openS3Store({ ...keys, bucket: 'documents', endpoint: url })
  await expect(store.put('a', source())).rejects.toThrow('the sender went away')
  expect(calls).toEqual([
    'HEAD /documents/a',
    'POST /documents/a?uploads=',
    expect.stringMatching(/^PUT .*partNumber=1/),
    expect.stringMatching(/^DELETE .*uploadId=7/),
  ])
})
