import { expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import type { Scope } from '../../kernel/scope.ts'
import { watchViewing } from './watch.ts'

let now = new Date('2026-11-27T15:00:00Z')
const server = useServer({ PHOTO_ALERT_PATIENTS: '2' }, { now: () => now })

const watch = () => {
  const scope = { ...server.running.runtime, actor: null, origin: { requestId: 'job', address: null } }
  return watchViewing.run(scope as unknown as Scope, {}, { last: true })
}
const alerts = async () =>
  (await server.rows<{ description: string }>("select description from tasks where title = 'Check unusual viewing of photos'")).length

it('warns each administrator once an hour of someone who looks at the photos of many patients (issue 27)', async () => {
  const admins = await server.rows("select id from profiles where role = 'admin' and status = 'active'")
  const [provider, admin] = [await server.as('provider'), await server.as('admin')]
  // The log's clock is the database's.
  now = new Date()
  const look = async (client: typeof provider) => client.photos.ofContact({ contactId: await insertContact(server) })
  await look(provider)
  await look(provider)
  await look(admin)
  await watch()
  expect(await alerts()).toBe(0)
  await look(provider)
  await watch()
  const all = Math.max(admins.length, 1)
  expect(await alerts()).toBe(all)
  await look(provider)
  await watch()
  expect(await alerts()).toBe(all)
  now = new Date(now.getTime() + 3_700_000)
  await watch()
  expect(await alerts()).toBe(all)
})
