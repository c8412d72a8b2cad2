import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'

export type S3Server = {
  url: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Where it keeps its files: what the tests look into, not the product. */
  directory: string
  stop: () => Promise<void>
}

/** A server that speaks S3's protocol, with one empty bucket. It checks no signature, and aborts no multipart upload. */
export async function startS3(): Promise<S3Server> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-s3-'))
  const bucket = 'documents'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  return {
    url: `http://127.0.0.1:${port}`,
    bucket,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    directory,
    async stop() {
      const closed = new Promise((resolve) => server.httpServer.once('close', resolve))
      server.httpServer.close()
      server.httpServer.closeAllConnections()
      await closed
      fs.rmSync(directory, { recursive: true, force: true })
    },
  }
}
