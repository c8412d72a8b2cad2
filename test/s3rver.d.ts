/** As much of the package as test/s3.ts uses; it comes without types. */
declare module 's3rver' {
  import type { Server } from 'node:http'
  import type { AddressInfo } from 'node:net'

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      vhostBuckets: boolean
      configureBuckets: { name: string }[]
    })
    httpServer: Server
    run(): Promise<AddressInfo>
  }
}
