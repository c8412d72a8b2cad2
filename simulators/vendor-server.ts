/** Shared server of the simulated vendors: delays, faults, counts, the controls, starting and stopping. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { type FaultRequest, faultRequest, Faults } from './faults.ts'
import { type Call, listen, parseJson, readCall, type Reply, sendJson, sendPage } from './http.ts'

/** JSON, a page, a file or, with a `location`, a redirect. */
export type VendorReply =
  | Reply
  | { status: number; page: string }
  | { status: number; file: Buffer; headers: Record<string, string> }
  | { location: string }

export type VendorOptions = {
  /** 0, the default, picks a free port. */
  port?: number | undefined
  /** The loopback address by default. */
  host?: string | undefined
  /** Delay before each vendor response. */
  latencyMs?: number | undefined
}

export type VendorServer = {
  url: string
  /** The number of calls by method and path (without ids), including refused ones. */
  calls(): Readonly<Record<string, number>>
  resetCalls(): void
  fault(request: FaultRequest): void
  clearFaults(): void
  /** Returns 503 for every call until reset. */
  setOffline(offline: boolean): void
  stop(): Promise<void>
}

type Vendor = {
  /** The pattern of a fault without `match`. Faults, delays and counts apply to vendor paths only. */
  defaultMatch: string
  isVendorPath: (path: string) => boolean
  respond: (call: Call) => VendorReply | Promise<VendorReply>
  /** The vendor's reply for an injected status. @param retryAfter seconds. */
  refusal: (status: number, retryAfter: number) => Reply
  /** Handles paths that the vendor does not have. @returns undefined for an unknown path. */
  handleControl: (call: Call) => VendorReply | undefined | Promise<VendorReply | undefined>
  nameOf: (call: Call) => string
}

/** 25 MB of files, in base64. */
const maxBodyBytes = 40 * 1024 * 1024
const offlineRequest = z.strictObject({ offline: z.boolean() })

export async function startVendorServer(vendor: Vendor, options: VendorOptions): Promise<VendorServer> {
  const { host = '127.0.0.1', latencyMs = 0 } = options
  const faults = new Faults(vendor.defaultMatch)
  let counts: Record<string, number> = {}
  let offline = false

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, { status: 500, body: { message: String(error) } })
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request, maxBodyBytes)
    if (vendor.isVendorPath(call.path)) return await respondAsVendor(call, response)
    send(
      response,
      (await control(call)) ?? { status: 404, body: { message: `The simulator does not support ${call.method} ${call.path}.` } },
    )
  }

  async function respondAsVendor(call: Call, response: ServerResponse): Promise<void> {
    const name = vendor.nameOf(call)
    counts[name] = (counts[name] ?? 0) + 1
    if (latencyMs > 0) await wait(latencyMs)
    if (offline) return send(response, vendor.refusal(503, 1))
    const fault = faults.nextFault(`${call.method} ${call.path}`)
    if (fault?.kind === 'status') return send(response, vendor.refusal(fault.status, fault.retryAfter))
    // The client times out, or stop() closes the connection.
    if (fault?.kind === 'timeoutBefore') return void (await once(response, 'close'))
    if (fault?.kind === 'dropBefore') return void response.destroy()
    const reply = await vendor.respond(call)
    if (fault?.kind === 'timeoutAfter') return void (await once(response, 'close'))
    if (fault?.kind === 'dropAfter') return void response.destroy()
    if (fault?.kind === 'badJson') {
      const text = JSON.stringify('body' in reply ? reply.body : {})
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(text.slice(0, text.length / 2))
    }
    send(response, reply)
  }

  async function control(call: Call): Promise<VendorReply | undefined> {
    const route = `${call.method} ${call.path}`
    const done = { status: 204, body: undefined }
    if (route === 'GET /_control/faults') return { status: 200, body: { ...faults.list(), offline } }
    if (route === 'GET /_control/calls') return { status: 200, body: counts }
    if (route === 'DELETE /_control/faults') return (faults.clear(), done)
    if (route === 'DELETE /_control/calls') return ((counts = {}), done)
    if (route === 'POST /_control/faults') {
      const parsed = faultRequest.safeParse(parseJson(call.body))
      return parsed.success ? (faults.add(parsed.data), done) : badRequest(parsed.error)
    }
    if (route === 'POST /_control/offline') {
      const parsed = offlineRequest.safeParse(parseJson(call.body))
      return parsed.success ? ((offline = parsed.data.offline), done) : badRequest(parsed.error)
    }
    return await vendor.handleControl(call)
  }

  const port = await listen(server, options.port ?? 0, host)
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    calls: () => ({ ...counts }),
    resetCalls() {
      counts = {}
    },
    fault: (request) => faults.add(faultRequest.parse(request)),
    clearFaults: () => faults.clear(),
    setOffline(value) {
      offline = value
    },
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

/** The response to an invalid control request. */
export function badRequest(error: z.ZodError): Reply {
  return { status: 400, body: { message: z.prettifyError(error) } }
}

function send(response: ServerResponse, reply: VendorReply): void {
  if ('location' in reply) response.writeHead(302, { location: reply.location }).end()
  else if ('page' in reply) sendPage(response, reply.page, reply.status)
  else if ('file' in reply) response.writeHead(reply.status, reply.headers).end(reply.file)
  else if (reply.body === undefined) response.writeHead(reply.status, reply.headers).end()
  else sendJson(response, reply)
}
