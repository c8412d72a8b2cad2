import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startBooks } from '../../bench/load/processes.ts'
import { quickbooksSettings } from '../../test/billing/point-of-sale.ts'
import { freePort } from '../../test/network/free-port.ts'
import { startTcpProxy } from '../../test/network/tcp-proxy.ts'
import { startProcess } from '../../test/processes/process.ts'
import { startPair } from '../../test/standby.ts'
import { until } from '../../test/until.ts'
import type { Pooler } from './pgbouncer.ts'

/** Something that the experiment kills and brings back. */
export type Part = {
  name: string
  kill: () => Promise<void>
  /** Resolves once it was started; `Cluster.ready` says when everything works again. */
  start: () => Promise<void>
}

/** Several processes of the built product behind a pooler, on a primary and a standby, with the QuickBooks simulator. */
export type Cluster = {
  urls: string[]
  /** The processes, by their place in `urls`. */
  processes: Part[]
  pooler: Part
  /** Starting it promotes the standby: the primary does not come back. */
  primary: Part
  booksUrl: string
  /** The database of the server that accepts writes, as the owner of the tables and without the pooler. */
  ownerUrl: () => string
  /** Runs a statement there. */
  query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
  /** Waits until every process is ready. */
  ready: () => Promise<void>
  stop: () => Promise<void>
}

type Options = {
  /** The folder of a stopped PostgreSQL with the database "clinic". */
  from: string
  processes: number
  startPooler: (databaseUrl: string, port: number) => Promise<Pooler>
  /** Settings of both servers of PostgreSQL. */
  postgres?: Record<string, string>
}

const database = 'clinic'
const readyWithin = 60_000

export async function startCluster({ from, processes: count, startPooler, postgres }: Options): Promise<Cluster> {
  const pair = await startPair({ from, ...(postgres ? { settings: postgres } : {}) })
  const [primaryUrl, standbyUrl] = [pair.primary.url(database), pair.standby.url(database)]
  const proxies = await Promise.all([primaryUrl, standbyUrl].map(startTcpProxy))
  const pooler = await startPooler(primaryUrl, await freePort())
  const books = await startBooks()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-scale-'))
  const unlimited = '1000000'
  const settings = {
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: `postgresql://postgres@${proxies.map(({ url }) => new URL(url).host).join(',')}/${database}?target_session_attrs=read-write`,
    DATABASE_REPLICA_URL: standbyUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    SESSION_IDLE_MINUTES: '600',
    LEADS_PER_MINUTE_PER_KEY: unlimited,
    LEADS_PER_MINUTE_PER_ADDRESS: unlimited,
    ...quickbooksSettings(books.url),
  }

  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const running: (ReturnType<typeof startProcess> | null)[] = []
  const isReady = (url: string) =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  const processes = ports.map((port, at): Part => ({
    name: `process ${at + 1}`,
    async kill() {
      const killed = running[at]
      running[at] = null
      await killed?.stop()
    },
    async start() {
      running[at] = startProcess({ ...settings, PORT: String(port) })
    },
  }))
  const ready = async () => {
    for (const [at, url] of urls.entries()) {
      if (!running[at]) continue
      await until(() => isReady(url), readyWithin).catch((error: Error) => {
        throw new Error(`Process ${at + 1} did not become ready: ${running[at]?.output()}`, { cause: error })
      })
    }
  }
  // The first one migrates the database.
  for (const each of processes) {
    await each.start()
    await ready()
  }

  let isPromoted = false
  const ownerUrl = () => (isPromoted ? standbyUrl : primaryUrl)
  return {
    urls,
    processes,
    pooler: { name: 'the pooler', kill: pooler.kill, start: pooler.start },
    primary: {
      name: 'the primary',
      async kill() {
        pair.killPrimary()
        await proxies[0]!.cut()
      },
      async start() {
        await pair.query(pair.standby, 'select pg_promote()')
        isPromoted = true
        await pooler.leadTo(standbyUrl)
      },
    },
    booksUrl: books.url,
    ownerUrl,
    async query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]) {
      const client = new pg.Client({ connectionString: ownerUrl() })
      await client.connect()
      try {
        return (await client.query<Row>(text, values)).rows
      } finally {
        await client.end()
      }
    },
    ready,
    async stop() {
      await Promise.all(processes.map(({ kill }) => kill()))
      await Promise.all([books.stop(), pooler.stop(), ...(isPromoted ? [proxies[1]!] : proxies).map(({ stop }) => stop())])
      await pair.stop()
      fs.rmSync(dataDir, { recursive: true })
    },
  }
}
