import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { until } from '../../../test/until.ts'
import { listenForEvents, workerLockClass } from './events.ts'

/** A way to the database whose first connection never learns that the other side has ended it, as after a network failure. */
async function startGate(socketFile: string) {
  const sockets: net.Socket[] = []
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const database = net.connect(socketFile)
    const isFirst = sockets.push(client) === 1
    client.on('data', (chunk) => database.write(chunk)).on('error', () => {})
    client.on('close', () => database.destroy())
    database.on('data', (chunk) => client.write(chunk)).on('error', () => {})
    database.on('close', () => isFirst || client.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as net.AddressInfo).port, first: () => sockets[0]! }
}

it('a lost connection that ends after the next one was opened leaves that one alone', async () => {
  const direct = new URL(inject('postgres').replace('{database}', 'postgres'))
  const gate = await startGate(path.join(direct.searchParams.get('host')!, '.s.PGSQL.5432'))
  const client = new pg.Client({ connectionString: direct.href })
  await client.connect()
  onTestFinished(() => client.end())
  const holderOf = async (name: string) => {
    const text = `select pid from pg_locks join pg_database d on d.oid = database and d.datname = current_database()
      where locktype = 'advisory' and classid = $1 and objid = hashtext($2)::oid`
    return (await client.query<{ pid: number }>(text, [workerLockClass, name])).rows[0]?.pid
  }

  // PostgreSQL refuses this name, so that the first connection fails after it has begun to listen.
  const refused = '\0'
  let failures = 0
  const events = listenForEvents(`postgresql://${direct.username}@127.0.0.1:${gate.port}/postgres`, () => {
    if (++failures === 1) queueMicrotask(() => events.unlockName(refused))
  })
  onTestFinished(() => events.stop())
  const [before, after] = [`before ${process.pid}`, `after ${process.pid}`]
  events.lockName(refused)
  events.lockName(before)
  await events.start()
  const second = await until(() => holderOf(before))

  const ended = once(gate.first(), 'close')
  gate.first().destroy()
  await ended
  await holderOf(before) // the end has arrived by then
  events.lockName(after)
  expect(await until(() => holderOf(after))).toBe(second)
})
