import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../../../test/network/tcp-proxy.ts'
import { type Pair, startPair } from '../../../test/standby.ts'
import { until } from '../../../test/until.ts'
import type { Events, ServerEvent } from '../events/events.ts'
import { type Database, openDatabase } from './database.ts'
import { followReplicas, type Reads } from './reads.ts'

const noError = () => {}
const anna = '018f0000-0000-7000-8000-000000000001'
const ben = '018f0000-0000-7000-8000-000000000002'

describe('reads that may be a few seconds old', () => {
  let pair: Pair
  let proxy: TcpProxy
  let primary: Database
  let reads: Reads
  let stopped = false
  const bus = new EventEmitter()
  const events = { onEvent: (listener: (event: ServerEvent) => void) => void bus.on('event', listener) } as Events
  beforeAll(async () => {
    pair = await startPair()
    await pair.query(pair.primary, 'create table written (n integer)')
    proxy = await startTcpProxy(pair.standby.url('postgres'))
    primary = openDatabase(pair.primary.url('postgres'), 2, noError)
    await pair.query(pair.primary, 'create role ordinary login')
    const url = proxy.url.replace('//postgres@', '//ordinary@')
    reads = followReplicas({ primary, url, lagSeconds: 2, size: 2, events, onError: noError })
  })
  afterAll(async () => {
    await reads.stop()
    await proxy.stop()
    await primary.$client.end()
    if (!stopped) await pair.stop()
  })

  const isReplica = async (db: Database) => (await db.$client.query<{ is: boolean }>('select pg_is_in_recovery() as is')).rows[0]!.is
  const replicaServes = async (actor: string | null) => isReplica(reads.recentFor(actor))
  const write = () => primary.$client.query('insert into written values (1)')
  /** Commits no longer wait for the standby, which then falls behind. */
  const holdBack = async (isHeld: boolean) => {
    await pair.query(pair.primary, `alter system set synchronous_standby_names = '${isHeld ? '' : 'standby'}'`)
    await pair.query(pair.primary, 'select pg_reload_conf()')
    await pair.query(pair.standby, isHeld ? 'select pg_wal_replay_pause()' : 'select pg_wal_replay_resume()')
  }

  it('go to a replica that is current, also while nothing is written for longer than the allowed lag', async () => {
    await until(() => replicaServes(null))
    const later = Date.now() + 2_500
    await until(async () => {
      expect(await replicaServes(null)).toBe(true)
      return Date.now() > later
    })
  })

  it('of a person who has just written go to the primary until the replica has it; others’ do not', async () => {
    await until(() => replicaServes(anna))
    await write()
    reads.wrote(anna)
    expect([await replicaServes(anna), await replicaServes(ben)]).toEqual([false, true])
    await until(() => replicaServes(anna))
  })

  it('that follow a change go to the primary until the replica has it', async () => {
    await until(() => isReplica(reads.latestFor(null)))
    await write()
    bus.emit('event', { topic: 'contact', id: anna })
    expect([await isReplica(reads.latestFor(null)), await isReplica(reads.recentFor(null))]).toEqual([false, true])
    await until(() => isReplica(reads.latestFor(null)))
  })

  it('go to the primary while the replica is too far behind, and back when it has caught up', async () => {
    await until(() => replicaServes(null))
    await holdBack(true)
    await write()
    await until(async () => !(await replicaServes(null)))
    await holdBack(false)
    await until(() => replicaServes(null))
  })

  it('go to the primary while the replica is cut off, without an error', async () => {
    await until(() => replicaServes(null))
    await proxy.cut()
    await until(async () => reads.recentFor(null) === primary)
    expect(await replicaServes(null)).toBe(false)
    await proxy.restore()
    await until(() => replicaServes(null))
  })

  it('go to the primary while the replica receives nothing, however far it has come', async () => {
    const url = proxy.url.replace('//postgres@', '//ordinary@')
    const tolerant = followReplicas({ primary, url, lagSeconds: 60, size: 1, events, onError: noError })
    onTestFinished(() => tolerant.stop())
    await until(() => isReplica(tolerant.recentFor(null)))
    const [found] = await pair.query<{ hba_file: string }>(pair.primary, 'show hba_file')
    const rules = fs.readFileSync(found!.hba_file, 'utf8')
    const allow = async (text: string) => {
      fs.writeFileSync(found!.hba_file, text)
      await pair.query(pair.primary, 'select pg_reload_conf()')
    }
    await allow(`local replication all reject\n${rules}`)
    await pair.query(pair.primary, 'select pg_terminate_backend(pid) from pg_stat_replication')
    await until(() => tolerant.recentFor(null) === primary)
    await allow(rules)
    await until(() => isReplica(tolerant.recentFor(null)))
  })

  it('go to the primary once the replica is itself a primary', async () => {
    await until(() => replicaServes(null))
    await pair.query(pair.standby, 'select pg_promote()')
    await until(async () => reads.recentFor(null) === primary)
    const client = new pg.Client({ connectionString: pair.standby.url('postgres') })
    await client.connect()
    await client.query('insert into written values (2)')
    await client.end()
    expect(reads.recentFor(null)).toBe(primary)
    await pair.stop()
    stopped = true
  })
})
